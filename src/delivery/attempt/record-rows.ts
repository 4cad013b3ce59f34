/** The rows that the records of a batch become. Pure, but for the ids of events. */
import type { RecipientOutcome } from '../../emails/outcomes.ts';
import type { NewEvent } from '../../events/append.ts';
import type { NewAttempt } from '../../events/attempts.ts';
import type { NewOutcome } from '../../events/outcomes.ts';
import { outcomeId, startIdOf } from '../../events/started.ts';
import { keyText } from '../../outbox/settle.ts';
import type { ClaimedDelivery } from '../../outbox/states.ts';
import { uuidv7 } from '../../runtime/ids.ts';
import type { RecipientSignal } from '../../suppressions/automatic.ts';
import type { DeliveryRecord, Finished } from './delivery-record.ts';

type Started = Extract<DeliveryRecord, { kind: 'started' }>;

export function attemptKey(delivery: ClaimedDelivery): string {
  return `${keyText(delivery)}/${delivery.attempt}`;
}

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

function toAttempt({ delivery, verdict, atMs, attemptLog }: Finished): NewAttempt {
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

export interface EventRows {
  /** Starts whose attempt has not ended yet. */
  readonly started: readonly (NewEvent & { readonly id: string })[];
  readonly outcomes: readonly NewOutcome[];
}

/**
 * `ours` has the deliveries whose outcomes this worker settled, `begun` those whose start it may report. Ids are generated in the
 * order of the records, so that the events of one email are read in the order in which they happened.
 */
export function toEventRows(
  records: readonly DeliveryRecord[],
  ours: ReadonlySet<string>,
  begun: ReadonlySet<string>,
): EventRows {
  const starts = new Map<string, Started>();
  for (const record of records)
    if (record.kind === 'started') starts.set(attemptKey(record.delivery), record);
  const joined = new Map<Finished, Started>();
  for (const record of records) {
    if (record.kind !== 'finished' || !ours.has(keyText(record.delivery))) continue;
    const key = attemptKey(record.delivery);
    const start = starts.get(key);
    if (start?.recipient !== record.recipient) continue;
    joined.set(record, start);
    // A second end of the attempt is not of the same start.
    starts.delete(key);
  }
  const joinedStarts = new Set<DeliveryRecord>(joined.values());
  const started: (NewEvent & { id: string })[] = [];
  const outcomes: NewOutcome[] = [];
  for (const record of records) {
    if (record.kind === 'released') continue;
    const key = keyText(record.delivery);
    if (record.kind === 'finished') {
      if (ours.has(key)) outcomes.push(toNewOutcome(record, joined.get(record)?.atMs ?? null));
    } else if (!joinedStarts.has(record) && (begun.has(key) || ours.has(key)))
      started.push({ ...commonOf(record), id: uuidv7(record.atMs), type: 'processing' });
  }
  return { started, outcomes };
}

function toNewOutcome(record: Finished, startedAtMs: number | null): NewOutcome {
  const { verdict, atMs } = record;
  return {
    event: { ...commonOf(record), ...verdict, type: verdict.kind, id: outcomeId(atMs) },
    attempt: toAttempt(record),
    startedAtMs,
  };
}

function commonOf({ delivery, recipient, atMs }: Started | Finished) {
  const { organizationId, emailId, position, attempt } = delivery;
  return { organizationId, emailId, position, recipient, attempt, atMs };
}

/** The same events with a row for each, for processes of an earlier release. */
export function withOwnRows({ started, outcomes }: EventRows): readonly NewEvent[] {
  const ended = outcomes.flatMap(({ event, startedAtMs }): NewEvent[] => {
    if (startedAtMs === null) return [event];
    const { organizationId, emailId, position, recipient, attempt = null } = event;
    const common = { organizationId, emailId, position, recipient, attempt };
    return [{ ...common, type: 'processing', atMs: startedAtMs, id: startIdOf(event.id) }, event];
  });
  return [...started, ...ended];
}
