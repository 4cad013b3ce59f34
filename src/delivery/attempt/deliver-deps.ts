/** The dependencies and callbacks of an attempt. */
import type { HoldsInForce } from '../../interventions/holds/in-force.ts';
import type { ClaimedDelivery } from '../../outbox/states.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import type { OnStage } from '../../runtime/stage-metrics.ts';
import type { Budget } from '../../runtime/work-loop/budget.ts';
import type { RetryPolicy } from '../policy/decide.ts';
import type { Pacing } from '../scheduler/stream-paces.ts';
import type { Routes } from '../transports/planner.ts';
import type { FinishedAttempt } from './finished-attempt.ts';
import type { LoadEmail } from './load.ts';
import type { AskMailbox } from './mailbox-state.ts';
import type { OutgoingDeps } from './outgoing.ts';
import type { Recorder } from './record.ts';
import type { SendDeps } from './send.ts';

export interface DeliverDeps extends OutgoingDeps, Omit<SendDeps, 'mayHandOver'> {
  readonly clock: Clock;
  readonly log: Log;
  readonly routes: Routes;
  readonly load: LoadEmail;
  readonly askMailbox: AskMailbox;
  /** Rate limits of streams, and of repeats of one email to one address. */
  readonly paces: Pacing;
  readonly recorder: Pick<Recorder, 'record'>;
  readonly retry: RetryPolicy;
  /** Domains of the simulator: the outcome of their mail says nothing about mailboxes. */
  readonly isSimulated: (domain: string) => boolean;
  /** How much faster than for other recipients retries and lifetimes run; 1 except in the sandbox. */
  readonly speedOf?: (recipient: string) => number;
  /** Bytes of content that may be in memory at once. */
  readonly memory: Budget;
  /**
   * False while another worker may be about to take over this worker's deliveries. Checked at the start, after waiting for
   * a connection, and before the final dot.
   */
  readonly mayHandOver: () => boolean;
  /** Holds that are in force. Checked at the same times. */
  readonly holds: Pick<HoldsInForce, 'find'>;
  /** A delivery was deferred, or put off, until `untilMs`. */
  readonly onDeferred: (untilMs: number) => void;
  readonly onStage?: OnStage;
  /** A delivery was recorded as finished, with or without an attempt. */
  readonly onFinished?: ((attempt: FinishedAttempt) => void) | undefined;
  /** A receiver could not authenticate mail of this sending domain. */
  readonly onSenderRefused?: (organizationId: string, domain: string) => void;
  /** A delivery was released untried, and is due. */
  readonly onReleased?: (delivery: ClaimedDelivery) => void;
}
