/**
 * Permission for one delivery to connect to its site, and the place where its outcome is reported. `direct` has one site.
 * `routed` has several paths in order of preference, and holds a connection of one of them at a time.
 */
import type { RouteTaken } from '../../events/attempts.ts';
import type { SmtpFacts } from '../../protocols/smtp/facts.ts';
import type { Route, RouteProblem } from '../facts.ts';
import type { Outcome } from '../policy/outcome.ts';
import type { DestinationSite, HomeSite } from './site.ts';

/** One path that the route table allows for a mail. */
export interface EgressPath {
  /** The site whose limits apply. */
  readonly site: DestinationSite;
  readonly taken: RouteTaken;
  route(): Promise<Route | RouteProblem>;
  /** For a source address that is being warmed up: whether it may send one more message today. */
  admit?(): Promise<boolean>;
  /** If true, mail that `admit` refuses waits and takes no other path. */
  readonly waits?: boolean;
  /** Called when the path was skipped because its site is blocked, or has failed. */
  skipped?(): void;
  /** Called when the source address turned out not to be on this machine. */
  sourceMissing?(): void;
}

/** The part of an attempt that sites judge. */
interface SiteAttempt {
  readonly facts: SmtpFacts | RouteProblem;
  readonly outcome: Outcome;
}

interface SlotBase {
  /** Null where the site is not known. */
  readonly site: { readonly name: string; readonly provider: string } | null;
  /** How many connections to the site this worker may have open. */
  readonly connections: number;
  /** Resolves to true when the delivery may connect; to false when the site takes no mail now and the delivery must be released. */
  acquire(): Promise<boolean>;
  /**
   * Reports an attempt to the site and releases the slot. True when the attempt does not count: the site refused the
   * connection only because this worker had too many, and the delivery queues again.
   */
  finished(attempt: SiteAttempt, recipient: string): boolean;
  /** Releases the delivery and its connection. May be called more than once. */
  release(): void;
}

export interface DirectSlot extends SlotBase {
  readonly kind: 'direct';
}

export interface RoutedConnectionSlot extends SlotBase {
  readonly kind: 'routed';
  /** Sets the paths, in order of preference. Called before `acquire`. */
  choose(pathsFrom: (home: HomeSite) => readonly EgressPath[]): void;
  /** The path that the slot has a connection for. */
  readonly path: EgressPath | null;
  /** Acquires the next path that is open, after the current one has failed and finished. */
  acquireNext(): Promise<boolean>;
  /** After `acquireNext` was false: paths are left that were not tried, and may be open later. */
  readonly isIncomplete: boolean;
  /** After `acquire` was false: when to try again; null where the queue decides. */
  readonly putOffUntilMs: number | null;
}

export type ConnectionSlot = DirectSlot | RoutedConnectionSlot;

/** For mail that is not sent, and for deliveries without limits. */
export const UNLIMITED_SLOT: DirectSlot = {
  kind: 'direct',
  site: null,
  connections: Number.POSITIVE_INFINITY,
  acquire: async () => true,
  finished: () => false,
  release: () => {},
};
