/** What is known of a delivery before any server says something. Facts, not verdicts: `policy/` says what follows. */
import type { SmtpTarget } from '../protocols/smtp/facts.ts';
import type { SessionResult } from './tls/session-result.ts';

/** Where mail goes. */
export interface Route {
  readonly kind: 'route';
  /** At least one, in the order in which to try them. */
  readonly hops: readonly SmtpTarget[];
  /** So many of the first are as good as each other. */
  readonly equals: number;
}

/**
 * Why a destination has no host to talk to.
 *
 * - `nxdomain`             the domain does not exist
 * - `null_mx`              the domain says that it takes no mail (RFC 7505)
 * - `no_addresses`         the domain exists, but nothing in it can be connected to
 * - `dns_unavailable`      DNS did not answer; nothing is known about the domain
 * - `private_destination`  every address of the domain is one this service must not connect to
 * - `mta_sts_failed`       the domain's own policy allows none of its mail hosts
 * - `no_route`             the transport leads nowhere at the moment; nothing is known about the domain
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
  /** What kept it from being sent, where that is what the recipient's domain demands of TLS. */
  readonly tls?: SessionResult;
  /** The same: the way for mail that is to arrive whatever is demanded. */
  readonly despite?: Route;
}

export function unroutable(problem: RouteProblemKind, detail: string): RouteProblem {
  return { kind: 'unroutable', problem, detail };
}

/** An address that asks for a server with SMTPUTF8. */
export interface Utf8Address {
  readonly whose: 'recipient' | 'sender' | 'reply_to' | 'other_recipient';
  readonly email: string;
}
