/** The facts about a destination before a server is contacted: its route, or the reason why there is none. `policy/` judges them. */
import type { SmtpTarget } from '../protocols/smtp/facts.ts';
import type { SessionResult } from './tls/session-result.ts';

/** The hosts that mail is sent to. */
export interface Route {
  readonly kind: 'route';
  /** At least one hop, in the order in which to try them. */
  readonly hops: readonly SmtpTarget[];
  /** How many of the first hops have equal preference. */
  readonly equals: number;
}

/**
 * Why a destination has no host to connect to.
 *
 * - `nxdomain`             the domain does not exist
 * - `null_mx`              the domain declares that it accepts no mail (RFC 7505)
 * - `no_addresses`         the domain exists, but has no host with a usable address
 * - `dns_unavailable`      DNS did not answer; nothing is known about the domain
 * - `private_destination`  this service must not connect to any address of the domain
 * - `mta_sts_failed`       the domain's own policy allows none of its mail hosts
 * - `no_route`             the transport has no usable host at the moment; nothing is known about the domain
 */
export type RouteProblemKind =
  | 'nxdomain'
  | 'null_mx'
  | 'no_addresses'
  | 'dns_unavailable'
  | 'private_destination'
  | 'mta_sts_failed'
  | 'no_route';

export interface RouteProblem {
  readonly kind: 'unroutable';
  readonly problem: RouteProblemKind;
  /** One sentence for an operator. Names hosts and addresses, never secrets. */
  readonly detail: string;
  /** The TLS failure, where the TLS requirements of the recipient's domain prevent delivery. */
  readonly tls?: SessionResult;
  /** In the same case, the route for mail with optional TLS, which ignores these requirements. */
  readonly despite?: Route;
}

export function unroutable(problem: RouteProblemKind, detail: string): RouteProblem {
  return { kind: 'unroutable', problem, detail };
}

/** An address that needs a server with SMTPUTF8. */
export interface Utf8Address {
  readonly whose: 'recipient' | 'sender' | 'reply_to' | 'other_recipient';
  readonly email: string;
}
