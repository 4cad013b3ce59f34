/** The rows that a record of a delivery becomes, by table. Pure. */
import type { RecipientOutcome } from '../../emails/outcomes.ts';
import type { NewEvent } from '../../events/append.ts';
import type { NewAttempt } from '../../events/attempts.ts';
import { keyText } from '../../outbox/settle.ts';
import type { RecipientSignal } from '../../suppressions/automatic.ts';
import type { DeliveryRecord, Finished } from './delivery-record.ts';

export function toSignal({ delivery, recipient, verdict, signal, atMs }: Finished): RecipientSignal[] {
  if (!signal || recipient === '') return [];
  const { organizationId, emailId } = delivery;
  // A delivery to a full mailbox can also expire. The cause is the full mailbox then, not the lifetime.
  const cause = signal === 'mailbox_full' ? signal : verdict.reason;
  return [{ signal, organizationId, emailId, recipient, atMs, cause }];
}

export function toOutcome({ delivery, verdict, atMs }: Finished): RecipientOutcome {
  return {
    organizationId: delivery.organizationId,
    emailId: delivery.emailId,
    position: delivery.position,
    state: verdict.kind === 'rejected' ? 'failed' : verdict.kind,
    attempts: delivery.attempt,
    atMs,
  };
}

export function toAttempt({ delivery, verdict, atMs, attemptLog }: Finished): NewAttempt {
  const { organizationId, emailId, position, attempt } = delivery;
  return {
    organizationId,
    emailId,
    position,
    attempt,
    atMs,
    durationMs: attemptLog?.durationMs ?? 0,
    nextAttemptAtMs: verdict.kind === 'deferred' ? verdict.nextAttemptAtMs : null,
    outcome: verdict.kind,
    reason: attemptLog?.reason ?? verdict.reason,
    rule: attemptLog?.rule ?? null,
    mxHost: verdict.mxHost,
    tls: verdict.tls,
    tlsCertificate: verdict.tlsCertificate ?? null,
    detail: attemptLog?.detail ?? null,
    conversation: attemptLog?.conversation ?? null,
    route: attemptLog?.route ?? null,
    evidence: attemptLog?.evidence ?? null,
  };
}

export function toEvents(
  record: DeliveryRecord,
  ours: ReadonlySet<string>,
  begun: ReadonlySet<string>,
): NewEvent[] {
  if (record.kind === 'released') return [];
  const { delivery, recipient, atMs } = record;
  const { organizationId, emailId, position, attempt } = delivery;
  const common = { organizationId, emailId, position, recipient, attempt, atMs };
  const key = keyText(delivery);
  if (record.kind === 'started')
    return begun.has(key) || ours.has(key) ? [{ type: 'processing', ...common }] : [];
  if (!ours.has(key)) return [];
  return [{ type: record.verdict.kind, ...common, ...record.verdict }];
}

export function latest(records: readonly DeliveryRecord[]): number {
  return records.reduce((max, record) => Math.max(max, record.atMs), 0);
}
