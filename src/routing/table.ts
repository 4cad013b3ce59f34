/**
 * The route table: which way mail leaves. Rules in order, the first that matches decides; each has steps in order of
 * preference, and each step is a choice among transports by weight. As it is stored and shown, without passwords.
 * Only store.ts writes it.
 */

import type { Canary, CanaryPercents } from './canary/plan.ts';
import type { WarmUp } from './warm-up.ts';

/** An address of this installation that connections are made from. */
export interface SourceAddress {
  readonly address: string;
  /** What is said in EHLO; the installation's host name where null. */
  readonly ehlo_name: string | null;
  readonly weight: number;
  /** To one site, over all workers together; null for what the site takes. */
  readonly connections: number | null;
  /** While receivers do not know it yet; missing in what was stored before there was such a thing. */
  readonly warm_up?: WarmUp | null;
}

interface Named {
  /** What it is known by, everywhere and for good. */
  readonly name: string;
}

/** To the recipients' own mail hosts, from one of these addresses. */
export interface DirectTransport extends Named {
  readonly kind: 'direct';
  readonly sources: readonly SourceAddress[];
}

/** Through another mail server, which delivers it. */
export interface RelayTransport extends Named {
  readonly kind: 'relay';
  /** `smtp://user@host:587`; the password is kept apart. */
  readonly url: string;
  /** Over all workers together. */
  readonly connections: number;
  readonly messages_per_minute: number | null;
}

export type Transport = DirectTransport | RelayTransport;

export interface Choice {
  /** A transport's name, or `default`. */
  readonly transport: string;
  readonly weight: number;
}

/** All that are given must fit, each by one of its values. */
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
  /** Moves its mail to another transport, little by little. */
  readonly canary?: Canary;
}

export interface RouteTable {
  /** Counts changes. */
  readonly version: number;
  readonly transports: readonly Transport[];
  readonly rules: readonly Rule[];
  /** How far canaries are. Changes without counting as a change of the table. */
  readonly percents: CanaryPercents;
}

/** What the environment configures, as a choice of a step. */
export const DEFAULT_TRANSPORT = 'default';

export const EMPTY_TABLE: RouteTable = { version: 0, transports: [], rules: [], percents: new Map() };

/** Such as `relay acme`: what its limits, its health and its pauses are known by. */
export function relaySiteName({ name }: Pick<Transport, 'name'>): string {
  return `relay ${name}`;
}

/** A site as it is seen from one of our addresses: limits and trouble are those of the two together. */
export function sourceSiteName(site: string, address: string): string {
  return `${site} from ${address}`;
}
