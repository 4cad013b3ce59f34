/**
 * The stages of one attempt. A step takes the value of one stage and returns that of the next:
 *
 *   ClaimedStage ─▶ LoadedDelivery ─▶ ComposedDelivery ─▶ RoutedDelivery ─▶ AttemptedDelivery ─▶ JudgedDelivery ─▶ recorded
 *
 * A step that ends the delivery without an attempt returns a JudgedDelivery, which the following steps pass through unchanged.
 */

import { isInternal, isUnavailable } from '../../database/errors.ts';
import type { HoldInForce } from '../../interventions/holds/hold.ts';
import type { ClaimedDelivery } from '../../outbox/states.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { MailStage, OnStage } from '../../runtime/stage-metrics.ts';
import type { SuppressionSignal } from '../../suppressions/automatic.ts';
import { type Attempt, decide, ourFault, type Verdict } from '../policy/decide.ts';
import type { ConnectionSlot } from '../scheduler/connection-slot.ts';
import type { AttemptLog } from './attempt-log.ts';
import type { DeliverDeps } from './deliver-deps.ts';
import type { AttemptStart, MailLabels } from './delivery-record.ts';
import type { StageTime } from './finished-attempt.ts';
import type { LoadedEmail } from './load.ts';
import type { OutgoingMessage } from './outgoing.ts';

/** What all stages share. */
export interface MailContext {
  readonly deps: DeliverDeps;
  readonly delivery: ClaimedDelivery;
  readonly slot: ConnectionSlot;
  /** Whether the claim is on disk. Nothing is handed over to a server before. */
  readonly isClaimed: Promise<boolean>;
  /** Never earlier than the previous event of the email, although several machines date the events. */
  readonly clock: Clock;
  readonly times: readonly StageTime[];
  readonly onStage: OnStage;
  /** Reports the time since the stage before. */
  readonly endStage: (stage: MailStage) => void;
  /** Null until the email is loaded, and if the email was removed. */
  readonly email: LoadedEmail | null;
  readonly labels: MailLabels | null;
}

export interface LoadedContext extends MailContext {
  readonly email: LoadedEmail;
  readonly labels: MailLabels;
}

export interface ClaimedStage {
  readonly stage: 'claimed';
  readonly mail: MailContext;
}

/** Holds and rate limits of streams allow the email. */
export interface LoadedDelivery {
  readonly stage: 'loaded';
  readonly mail: LoadedContext;
}

/** Composed, signed, and not suppressed. */
export interface ComposedDelivery {
  readonly stage: 'composed';
  readonly mail: LoadedContext;
  readonly message: OutgoingMessage;
  readonly mailboxWasFull: boolean;
}

/** The slot holds a connection of a site, and the start of the attempt is being recorded. */
export interface RoutedDelivery {
  readonly stage: 'routed';
  readonly mail: LoadedContext;
  readonly message: OutgoingMessage;
  readonly mailboxWasFull: boolean;
  readonly startedMs: number;
  readonly startRecorded: Promise<void>;
}

/** The servers have replied, or the attempt failed. */
export interface AttemptedDelivery {
  readonly stage: 'attempted';
  readonly mail: LoadedContext;
  readonly mailboxWasFull: boolean;
  readonly startedMs: number;
  readonly startRecorded: Promise<void>;
  readonly attempt: Attempt;
  readonly start: AttemptStart;
}

export type Decision =
  | {
      readonly kind: 'finished';
      readonly verdict: Verdict;
      readonly signal: SuppressionSignal | null;
      readonly attemptLog: AttemptLog | undefined;
    }
  /** Nothing was handed over. A held delivery waits for the end of the hold, any other delivery until `notBeforeMs`. */
  | {
      readonly kind: 'released';
      readonly start: AttemptStart;
      readonly hold: HoldInForce | null;
      readonly notBeforeMs: number | null;
    };

export interface JudgedDelivery {
  readonly stage: 'judged';
  readonly mail: MailContext;
  readonly decision: Decision;
  /** Null where there was no attempt. */
  readonly attempted: AttemptedDelivery | null;
}

type AttemptStage =
  | ClaimedStage
  | LoadedDelivery
  | ComposedDelivery
  | RoutedDelivery
  | AttemptedDelivery
  | JudgedDelivery;

/** Runs the step unless the delivery is judged already. If the step throws, the last stage decides the judgement. */
export async function advance<From extends Exclude<AttemptStage, JudgedDelivery>, To>(
  from: From | JudgedDelivery,
  step: (from: From) => Promise<To | JudgedDelivery>,
): Promise<To | JudgedDelivery> {
  if (isJudged(from)) return from;
  try {
    return await step(from);
  } catch (error) {
    return judgeFailure(from, error);
  }
}

function isJudged(stage: AttemptStage): stage is JudgedDelivery {
  return stage.stage === 'judged';
}

/** The verdict without an attempt. */
export function finishedUntried(mail: MailContext, verdict: Verdict): JudgedDelivery {
  return judged(mail, { kind: 'finished', verdict, signal: null, attemptLog: undefined });
}

export function releasedUntried(
  mail: MailContext,
  hold: HoldInForce | null,
  notBeforeMs: number | null = null,
): JudgedDelivery {
  return judged(mail, { kind: 'released', start: 'not_started', hold, notBeforeMs });
}

export function judged(
  mail: MailContext,
  decision: Decision,
  attempted: AttemptedDelivery | null = null,
): JudgedDelivery {
  return { stage: 'judged', mail, decision, attempted };
}

/**
 * Judges an internal error. A message that a server accepted stays delivered. Otherwise nothing was handed over: an unavailable
 * database costs no attempt, and any other error is retried as an internal error.
 */
export function judgeFailure(stage: AttemptStage, error: unknown): JudgedDelivery {
  const { deps, delivery, slot, clock } = stage.mail;
  slot.release();
  const attempted = attemptedOf(stage);
  const attempt = attempted?.attempt;
  const isAccepted = attempt?.outcome.kind === 'delivered';
  if (!isAccepted && isUnavailable(error) && !isInternal(error)) {
    const decision = { kind: 'released', start: startOf(stage), hold: null, notBeforeMs: null } as const;
    return judged(stage.mail, decision, attempted);
  }
  deps.log.error(
    { err: error, emailId: delivery.emailId, position: delivery.position },
    isAccepted ? 'a step after a delivery failed' : 'a delivery could not be tried',
  );
  const verdict = isAccepted
    ? decide(attempt, delivery, clock.nowMs(), deps.retry)
    : ourFault(delivery, clock.nowMs(), deps.retry);
  return judged(stage.mail, { kind: 'finished', verdict, signal: null, attemptLog: undefined }, attempted);
}

function attemptedOf(stage: AttemptStage): AttemptedDelivery | null {
  if (stage.stage === 'judged') return stage.attempted;
  return stage.stage === 'attempted' ? stage : null;
}

function startOf(stage: AttemptStage): AttemptStart {
  switch (stage.stage) {
    case 'claimed':
    case 'loaded':
    case 'composed':
      return 'not_started';
    case 'routed':
      return 'started';
    case 'attempted':
      return stage.start;
    case 'judged':
      return stage.attempted?.start ?? 'not_started';
  }
}
