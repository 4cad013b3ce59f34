/** The outcome of an attempt. */
import type { OutcomeReason } from './reasons.ts';
import type { About } from './refusals/table.ts';

export interface OutcomeDetails {
  /** What the outcome is about. */
  readonly scope: About;
  readonly reason: OutcomeReason;
  readonly code: number | null;
  readonly enhanced: string | null;
  /** The server's reply where `code` is given, otherwise our own text. */
  readonly text: string;
  /** The id of the rule that decided. */
  readonly rule: string;
  /** Another host of the destination may be tried within this attempt. */
  readonly nextHost: boolean;
}

export interface Delivered extends OutcomeDetails {
  readonly kind: 'delivered';
  readonly suppress: null;
}

export interface Deferred extends OutcomeDetails {
  readonly kind: 'deferred';
  readonly suppress: null;
  /** The reply to the final dot was lost: the server may have the message, so a retry may duplicate it. */
  readonly ambiguous: boolean;
  readonly retryHintSeconds: number | null;
}

export interface Bounced extends OutcomeDetails {
  readonly kind: 'bounced';
  readonly suppress: 'hard_bounce' | null;
}

interface Failed extends OutcomeDetails {
  readonly kind: 'failed';
  readonly suppress: null;
}

export type Outcome = Delivered | Deferred | Bounced | Failed;
