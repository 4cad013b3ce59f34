/**
 * The guard of a worker: sees the outcome of every delivery, and holds back only the lane that has left what is usual for it, or
 * mail to the one address that a loop writes to. People then release or discard it like any other hold.
 *
 * Owns what is usual, in memory, of this worker alone: two workers let through twice as much before one of them notices. The
 * hold is every worker's as soon as it is committed.
 */
import { guardedLaneOf } from '../../holds/hold.ts';
import type { Database } from '../../kit/database/database.ts';
import { HOUR_MS } from '../../kit/runtime/durations.ts';
import type { Log } from '../../kit/runtime/log.ts';
import type { DeliveryRecord, Finished, MailLabels } from '../attempt/delivery-record.ts';
import { type LaneAlarm, LaneWatch } from './lane-watch.ts';
import { isUsualRecipient, mayGuard, placeGuardHold } from './place-hold.ts';
import { BURST, RecipientWatch } from './recipient-watch.ts';

export interface GuardOptions {
  readonly db: Database;
  readonly log: Log;
}

interface Alarm {
  readonly organizationId: string;
  readonly scope: 'lane' | 'recipient';
  readonly value: string;
  readonly reason: string;
}

/**
 * Refusals of an email for its content or its sender. Refusals of one recipient do not count: an unknown mailbox says nothing about
 * the rest of the lane, and is suppressed by itself. Neither do those that name no reason.
 */
const OBJECTIONS: ReadonlySet<string> = new Set([
  'blocked',
  'content_refused',
  'authentication_failed',
  'policy_deferral',
  'sender_refused',
]);

export class MailGuard {
  readonly #options: GuardOptions;
  readonly #lanes = new LaneWatch();
  readonly #recipients = new RecipientWatch();
  readonly #placing = new Set<Promise<void>>();

  constructor(options: GuardOptions) {
    this.#options = options;
  }

  note(records: readonly DeliveryRecord[]): void {
    for (const record of records) if (record.kind === 'finished') this.#see(record);
  }

  /** What was begun is done. */
  async drained(): Promise<void> {
    await Promise.all(this.#placing);
  }

  #see(record: Finished): void {
    const { labels, atMs } = record;
    if (!labels) return;
    const isRefused = isRefusal(record);
    if (isRefused !== null) this.#seeLane(labels, isRefused, atMs);
    const { organizationId, recipient } = labels;
    if (recipient === undefined || record.verdict.kind !== 'delivered') return;
    const value = recipient.toLowerCase();
    if (this.#recipients.note(organizationId, value, atMs))
      this.#raise({ organizationId, scope: 'recipient', value, reason: BURST_REASON });
  }

  #seeLane(labels: MailLabels, isRefused: boolean, atMs: number): void {
    const value = guardedLaneOf(labels);
    if (value === null) return;
    const { organizationId } = labels;
    const provider = value.slice(value.lastIndexOf(' to ') + 4);
    const alarm = this.#lanes.note({ organizationId, provider, name: value }, isRefused, atMs);
    if (alarm !== null)
      this.#raise({ organizationId, scope: 'lane', value, reason: laneReason(provider, alarm) });
  }

  #raise(alarm: Alarm): void {
    const placing = this.#place(alarm)
      .catch((error: unknown) => this.#options.log.error({ err: error }, 'the guard could not place a hold'))
      .finally(() => this.#placing.delete(placing));
    this.#placing.add(placing);
  }

  async #place(alarm: Alarm): Promise<void> {
    const { db, log } = this.#options;
    const { organizationId, scope, value } = alarm;
    if (!(await mayGuard(db, alarm))) return;
    if (scope === 'recipient' && (await isUsualRecipient(db, organizationId, value, BURST.mails))) return;
    const hold = await placeGuardHold(db, alarm);
    if (hold !== undefined) log.warn({ holdId: hold.id, organizationId, scope }, 'the guard holds mail back');
  }
}

function laneReason(provider: string, { lane, others, othersSinceMs }: LaneAlarm): string {
  const since = `${new Date(othersSinceMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const accepted = others.decided - others.refused;
  return [
    `${provider} refused ${lane.refused} of the last ${lane.decided} emails of this lane for their content or sender,`,
    `and accepted ${accepted} of ${others.decided} other emails of the organization since ${since}, lanes found earlier left out.`,
    'Read what the servers said, then release or discard the hold.',
  ].join(' ');
}

const BURST_REASON = `${BURST.mails} mails in ${(BURST.withinMs * 60) / HOUR_MS} minutes to one address that does not usually get so many: perhaps a loop. Release it, or discard it.`;

/** Null where the outcome says nothing about the lane. */
function isRefusal({ delivery, verdict, attemptLog }: Finished): boolean | null {
  if (verdict.kind === 'delivered') return false;
  const isNew = verdict.kind === 'bounced' || (verdict.kind === 'deferred' && delivery.attempt === 1);
  if (!isNew) return null;
  return OBJECTIONS.has(attemptLog?.reason ?? verdict.reason ?? '') ? true : null;
}
