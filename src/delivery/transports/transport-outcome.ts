/** The outcome of an attempt whose path the route table chose, as source addresses and canaries count it. */
import type { RouteTaken } from '../../events/attempts.ts';
import type { OutcomeReason } from '../policy/reasons.ts';

export interface TransportOutcome {
  readonly route: RouteTaken;
  /** The recipients' provider. */
  readonly provider: string;
  readonly outcome: 'delivered' | 'deferred' | 'bounced' | 'failed' | 'rejected';
  readonly reason: OutcomeReason | null;
  readonly isFirstAttempt: boolean;
  readonly atMs: number;
}
