/** The outcome of an attempt on a path of the route table, for the counts of source addresses and canaries. */
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
