/**
 * The guard of a worker: counts the outcome of every delivery, and holds a lane of mail that is suddenly refused while other mail to
 * the same provider is accepted. People then release or discard the hold. Floods of repeats to one address are slowed by floods.ts.
 *
 * Owns the counts of this worker, in memory. With two workers, twice as many refusals happen before one of them places a hold.
 * The hold applies to all workers as soon as it is committed.
 */
import { guardedLaneOf } from '../../interventions/holds/hold.ts';
import type { DeliveryRecord, Finished, MailLabels } from '../attempt/delivery-record.ts';
import { type LaneAlarm, LaneWatch } from './lane-watch.ts';
import { type FoundLane, holdLane, type PlacingDeps } from './place-hold.ts';

/**
 * Refusals of an email for its content or its sender. Refusals of one recipient do not count: an unknown mailbox says nothing about
 * the rest of the lane, and is suppressed automatically. Refusals without a reason do not count either.
 */
const OBJECTIONS: ReadonlySet<string> = new Set([
  'blocked',
  'content_refused',
  'authentication_failed',
  'policy_deferral',
  'sender_refused',
]);

export class MailGuard {
  readonly #deps: PlacingDeps;
  readonly #lanes = new LaneWatch();
  readonly #placing = new Set<Promise<void>>();

  constructor(deps: PlacingDeps) {
    this.#deps = deps;
  }

  note(records: readonly DeliveryRecord[]): void {
    for (const record of records) if (record.kind === 'finished') this.#count(record);
  }

  /** Resolves when all started holds are placed. */
  async drained(): Promise<void> {
    await Promise.all(this.#placing);
  }

  #count(record: Finished): void {
    const isRefused = isRefusal(record);
    if (record.labels && isRefused !== null) this.#countForLane(record.labels, isRefused, record.atMs);
  }

  #countForLane(labels: MailLabels, isRefused: boolean, atMs: number): void {
    const value = guardedLaneOf(labels);
    if (value === null) return;
    const { organizationId } = labels;
    const provider = value.slice(value.lastIndexOf(' to ') + 4);
    const alarm = this.#lanes.note({ organizationId, provider, name: value }, isRefused, atMs);
    if (alarm !== null) this.#raise({ organizationId, value, reason: laneReason(provider, alarm) });
  }

  #raise(found: FoundLane): void {
    const placing = holdLane(this.#deps, found)
      .catch((error: unknown) => this.#deps.log.error({ err: error }, 'the guard could not place a hold'))
      .finally(() => this.#placing.delete(placing));
    this.#placing.add(placing);
  }
}

function laneReason(provider: string, { lane, others, othersSinceMs }: LaneAlarm): string {
  const since = `${new Date(othersSinceMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const accepted = others.decided - others.refused;
  return [
    `One worker counted: ${provider} refused ${lane.refused} of the last ${lane.decided} emails of this lane for their content or sender,`,
    `and accepted ${accepted} of ${others.decided} other emails of the organization since ${since}, lanes found earlier left out.`,
    'Read what the servers said, then release or discard the hold.',
  ].join(' ');
}

/** Null where the outcome does not count for the lane. */
function isRefusal({ delivery, verdict, attemptLog }: Finished): boolean | null {
  if (verdict.kind === 'delivered') return false;
  const isNew = verdict.kind === 'bounced' || (verdict.kind === 'deferred' && delivery.attempt === 1);
  if (!isNew) return null;
  return OBJECTIONS.has(attemptLog?.reason ?? verdict.reason ?? '') ? true : null;
}
