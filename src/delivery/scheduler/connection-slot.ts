/** How a delivery gets a connection of its site, and what it tells the site afterwards. */

import type { RouteTaken } from '../../events/attempts.ts';
import type { SmtpFacts } from '../../kit/smtp/facts.ts';
import type { Route, RouteProblem } from '../facts.ts';
import type { Outcome } from '../policy/outcome.ts';
import type { Site } from './site.ts';

/** One of the ways that a mail may go. */
export interface Way {
  /** Whose limits it comes under. */
  readonly site: Site;
  readonly taken: RouteTaken;
  route(): Promise<Route | RouteProblem>;
  /** Of an address that is being warmed up: whether one more may leave from it today. */
  admit?(): Promise<boolean>;
  /** Mail that is not admitted waits, and takes no other way. */
  readonly waits?: boolean;
  /** It would have been taken, and was set aside or has failed. */
  passedOver?(): void;
  /** The address that it leaves from turned out not to be on this machine. */
  missed?(): void;
}

export interface ConnectionSlot {
  /** Null where it is not known. */
  readonly site: { readonly name: string; readonly provider: string } | null;
  /** How many connections to the site this worker may have open. */
  readonly connections: number;
  /** Resolves to true when it may connect; to false when the site takes nothing now: give the delivery back. */
  acquire(): Promise<boolean>;
  /**
   * The attempt for this recipient is over, and said this about the site. Gives the slot back. True when it was no attempt
   * at all: the site had too many connections of ours, so that the delivery goes back to where it waits for one.
   */
  finished(
    attempt: { readonly facts: SmtpFacts | RouteProblem; readonly outcome: Outcome },
    recipient: string,
  ): boolean;
  /** Nothing more will come. Gives back what is still held; may be called more than once. */
  release(): void;
  /** Of mail that may go several ways: says which, in the order of preference, before `acquire`. */
  choose?(waysFrom: (home: Site) => readonly Way[]): void;
  /** The one that it has a connection for. */
  readonly way?: Way | null;
  /** Takes the next one that may be taken now, after the last one has failed and finished. */
  another?(): Promise<boolean>;
  /** After `another` was false: there are ways that were not tried, which may be later. */
  readonly isIncomplete?: boolean;
  /** After `acquire` was false: when to come back, where that is not for the queue to find out. */
  readonly putOffUntilMs?: number | null;
}

/** For mail that is not sent at all, and where nothing is limited. */
export const FREE_SLOT: ConnectionSlot = {
  site: null,
  connections: Number.POSITIVE_INFINITY,
  acquire: async () => true,
  finished: () => false,
  release: () => {},
};
