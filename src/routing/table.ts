/**
 * The route table, which decides how mail leaves. The first matching rule decides. A rule has steps in order of preference, and
 * each step is a weighted choice among transports. The types match the stored and displayed form, without passwords. Only
 * store.ts writes it.
 */

import type { Canary, CanaryPercents } from './canary/plan.ts';
import type { WarmUp } from './warm-up.ts';

/** A local address of this installation to connect from. */
export interface SourceAddress {
  readonly address: string;
  /** The EHLO name; null uses the installation's host name. */
  readonly ehlo_name: string | null;
  readonly weight: number;
  /** The limit of connections to one site, over all workers; null uses the site's limit. */
  readonly connections: number | null;
  /** Set while receivers do not know the address yet; missing in rows that predate warm-up. */
  readonly warm_up?: WarmUp | null;
}

interface Named {
  /** The permanent name that everything refers to. */
  readonly name: string;
}

/** Delivers to the recipients' mail hosts, from one of these addresses. */
interface DirectTransport extends Named {
  readonly kind: 'direct';
  readonly sources: readonly SourceAddress[];
}

/** Delivers through another mail server. */
export interface RelayTransport extends Named {
  readonly kind: 'relay';
  /** `smtp://user@host:587`; the password is stored separately. */
  readonly url: string;
  /** Over all workers. */
  readonly connections: number;
  readonly messages_per_minute: number | null;
}

export type Transport = DirectTransport | RelayTransport;

export interface Choice {
  /** A transport's name, or `default`. */
  readonly transport: string;
  readonly weight: number;
}

/** All given conditions must match, each by one of its values. */
export interface Match {
  readonly organizations?: readonly string[];
  readonly streams?: readonly string[];
  readonly sender_domains?: readonly string[];
  readonly providers?: readonly string[];
  readonly recipient_domains?: readonly string[];
  readonly tags?: readonly string[];
}

export interface Rule {
  readonly name: string | null;
  readonly match: Match;
  readonly steps: readonly { readonly choices: readonly Choice[] }[];
  /** Gradually moves the rule's mail to another transport. */
  readonly canary?: Canary;
}

export interface RouteTable {
  /** Increases with every change. */
  readonly version: number;
  readonly transports: readonly Transport[];
  readonly rules: readonly Rule[];
  /** The progress of canaries. It changes without a new version of the table. */
  readonly percents: CanaryPercents;
}

/** The transport that the environment configures, as a choice of a step. */
export const DEFAULT_TRANSPORT = 'default';

export const EMPTY_TABLE: RouteTable = { version: 0, transports: [], rules: [], percents: new Map() };

/** Such as `relay acme`: the name for its limits, its health and its pauses. */
export function relaySiteName({ name }: Pick<Transport, 'name'>): string {
  return `relay ${name}`;
}

/** A site as seen from one source address: limits and problems belong to the pair. */
export function sourceSiteName(site: string, address: string): string {
  return `${site} from ${address}`;
}
