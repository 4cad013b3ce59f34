/** The last steps of an attempt: judging the replies of the servers, and recording the verdict. */
import { domainOf } from '../../protocols/message/address.ts';
import { decide, isUnauthenticated, scaleLifetime, scaleRetry, wasStopped } from '../policy/decide.ts';
import { suppressionSignalOf } from '../policy/suppression-signal.ts';
import { attemptLogOf } from './attempt-log.ts';
import {
  type AttemptedDelivery,
  type Decision,
  type JudgedDelivery,
  judged,
  type MailContext,
} from './stages.ts';

/** A stopped attempt is released; any other one gets a verdict, and perhaps a signal for the suppression list. */
export async function judgeAttempt(attempted: AttemptedDelivery): Promise<JudgedDelivery> {
  const { mail, attempt, start, startedMs, mailboxWasFull } = attempted;
  const { deps, delivery, clock, email, labels } = mail;
  if (start === 'cancelled' || wasStopped(attempt)) {
    const hold = deps.holds.find(labels);
    return judged(mail, { kind: 'released', start, hold, notBeforeMs: null }, attempted);
  }
  const nowMs = clock.nowMs();
  const speed = deps.speedOf?.(email.recipient) ?? 1;
  const verdict = decide(attempt, scaleLifetime(delivery, speed), nowMs, scaleRetry(deps.retry, speed));
  if (isUnauthenticated(attempt)) deps.onSenderRefused?.(delivery.organizationId, domainOf(email.from.email));
  const learned = suppressionSignalOf(attempt.outcome, verdict, mailboxWasFull);
  const signal = deps.isSimulated(delivery.domain) ? null : learned;
  const attemptLog = attemptLogOf(attempt, nowMs - startedMs);
  return judged(mail, { kind: 'finished', verdict, signal, attemptLog }, attempted);
}

/**
 * The start and the end of a quick attempt are recorded together, in one batch. Nothing is recorded if the claim is not on disk:
 * this worker may have claimed the delivery again, under the same attempt number, and a record would settle that claim. The scheduler
 * releases what is claimed and not in hand.
 */
export async function recordDecision({ mail, decision, attempted }: JudgedDelivery): Promise<void> {
  if (!(await mail.isClaimed)) return;
  const recorded = decision.kind === 'released' ? release(mail, decision) : finish(mail, decision);
  await Promise.all([attempted?.startRecorded, recorded]);
}

async function release(
  { deps, delivery, clock }: MailContext,
  { start, hold, notBeforeMs }: Extract<Decision, { kind: 'released' }>,
): Promise<void> {
  const putOff = notBeforeMs === null ? {} : { notBeforeMs };
  const atMs = clock.nowMs();
  await deps.recorder.record({ kind: 'released', delivery, start, heldBy: hold?.id, atMs, ...putOff });
  if (hold !== null) return;
  if (notBeforeMs === null) deps.onReleased?.(delivery);
  else deps.onDeferred(notBeforeMs);
}

async function finish(
  { deps, delivery, clock, times, email, labels }: MailContext,
  { verdict, signal, attemptLog }: Extract<Decision, { kind: 'finished' }>,
): Promise<void> {
  const origin = email?.options.origin ?? {};
  deps.onFinished?.({ delivery, origin, verdict, attemptLog, times });
  const atMs = clock.nowMs();
  const recipient = email?.recipient ?? '';
  await deps.recorder.record({
    kind: 'finished',
    delivery,
    recipient,
    verdict,
    labels,
    atMs,
    signal,
    attemptLog,
  });
  if (verdict.kind === 'deferred') deps.onDeferred(verdict.nextAttemptAtMs);
}
