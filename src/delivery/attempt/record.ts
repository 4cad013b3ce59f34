/**
 * Records the outcomes of deliveries, in batches (database/durable-writer.ts).
 *
 * Each batch is one transaction over the outbox, the events, the recipients and their emails' status. The start of an
 * attempt is recorded through the same batches. The start of a quick delivery is in the batch that settles the delivery. The
 * start of a slow delivery can be read while the delivery is in progress.
 *
 * Recording an outcome is retried without a limit, because a message that a server has accepted must not be sent again. While the
 * database is unavailable, the journal keeps the accepted deliveries.
 */
import { CountedNames } from '../../counters/counted-names.ts';
import { countDeliveries } from '../../counters/delivery-counts.ts';
import type { Database } from '../../database/database.ts';
import { DurableWriter } from '../../database/durable-writer.ts';
import type { Sql } from '../../database/sql.ts';
import { applyOutcomes } from '../../emails/outcomes.ts';
import { appendEvents, type NewEvent } from '../../events/append.ts';
import { appendAttempts } from '../../events/attempts.ts';
import { appendOutcomes } from '../../events/outcomes.ts';
import { heldEventsOf } from '../../interventions/holds/held-events.ts';
import { lockInForce } from '../../interventions/holds/store.ts';
import type { Journal } from '../../outbox/journal.ts';
import { type HeldDelivery, type ParkedDelivery, park } from '../../outbox/park.ts';
import {
  inHand,
  keyText,
  type PutOffDelivery,
  putOff,
  release,
  settleAccepted,
  settleDeferred,
  settleFinal,
  type UntriedDelivery,
} from '../../outbox/settle.ts';
import type { ClaimedDelivery } from '../../outbox/states.ts';
import { BoundedMap } from '../../runtime/bounded-map.ts';
import type { Log } from '../../runtime/log.ts';
import { applySignals } from '../../suppressions/automatic.ts';
import type { DeliveryRecord, Finished, Released } from './delivery-record.ts';
import { EarlierWorkers } from './earlier-workers.ts';
import { toCounted } from './mail-labels.ts';
import { attemptKey, type EventRows, toEventRows, toOutcome, toSignal, withOwnRows } from './record-rows.ts';

/** The longest time that a finished delivery waits for its batch, besides the commit of the previous batch. */
const LINGER_MS = 5;
/** After a large batch, a longer wait makes commits larger and leaves more processor time for delivering. Events are a little later then. */
const BUSY_RECORDS = 32;
const BUSY_LINGER_MS = 30;
/** More than are cancelled at once. An attempt that another worker repeats stays in the map until newer attempts replace it. */
const MAX_CANCELLED_ATTEMPTS = 10_000;

interface SettleOptions {
  readonly names?: CountedNames;
  /** Whether processes of an earlier release must be able to read the rows. */
  readonly isForEarlier?: boolean;
}

interface RecorderOptions {
  readonly db: Database;
  readonly log: Log;
  readonly epoch: number;
  /** Whether deliveries claimed under the epoch certainly belong to this worker. */
  readonly isHeld: () => boolean;
  readonly journal: Journal<Finished>;
  /** Called after a batch is committed: there are new events. */
  readonly onRecorded?: (records: readonly DeliveryRecord[]) => void;
}

export class Recorder {
  readonly #options: RecorderOptions;
  readonly #writer: DurableWriter<DeliveryRecord>;
  /** Attempts whose start is recorded and that were cancelled before a server was contacted. */
  readonly #cancelled = new BoundedMap<string, true>(MAX_CANCELLED_ATTEMPTS);
  readonly #names = new CountedNames();
  readonly #earlier: EarlierWorkers;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#earlier = new EarlierWorkers(options.db);
    this.#writer = new DurableWriter({
      log: options.log,
      write: (records) => this.#write(records),
      lingerMs: (recordsBefore) => (recordsBefore > BUSY_RECORDS ? BUSY_LINGER_MS : LINGER_MS),
      unavailableMessage: 'cannot record outcomes; retrying',
      failedMessage: 'a delivery cannot be recorded; retrying',
      fieldsOf: ({ kind, delivery: { emailId, position } }) => ({ kind, emailId, position }),
      // The attempt itself is recorded when it ends.
      mayDrop: ({ kind }) => kind === 'started',
    });
  }

  /** Resolves when the record is in the database, and never rejects. */
  async record(record: DeliveryRecord): Promise<void> {
    if (record.kind === 'started' && this.#cancelled.delete(attemptKey(record.delivery))) return;
    if (record.kind === 'released' && record.start === 'cancelled')
      this.#cancelled.set(attemptKey(record.delivery), true);
    const journaled = record.kind === 'finished' && record.verdict.kind === 'delivered';
    // The journal prevents duplicates and is written for every message, so explanations and labels stay out of it.
    if (journaled) this.#options.journal.append({ ...record, attemptLog: undefined, labels: undefined });
    await this.#writer.write(record);
    if (journaled) this.#options.journal.settled(1);
  }

  drained(): Promise<void> {
    return this.#writer.drained();
  }

  async #write(records: readonly DeliveryRecord[]): Promise<void> {
    const { db, epoch, isHeld, log, onRecorded } = this.#options;
    const isForEarlier = await this.#earlier.found();
    const lost = await settle(db, epoch, records, isHeld(), { names: this.#names, isForEarlier });
    if (lost > 0)
      log.warn(
        { deliveries: lost },
        'outcomes arrived too late: another worker has claimed these deliveries',
      );
    onRecorded?.(records);
  }
}

/**
 * One transaction. Returns how many outcomes this epoch may no longer settle, because another worker has the deliveries.
 * Unless `isHeld` says that the epoch certainly has its lease, the started attempts are checked in the database: a worker
 * that was suspended must not report the start of a delivery that another worker has finished.
 */
export function settle(
  db: Database,
  epoch: number,
  records: readonly DeliveryRecord[],
  isHeld: boolean,
  { names = new CountedNames(), isForEarlier = false }: SettleOptions = {},
): Promise<number> {
  const started = records.filter((record) => record.kind === 'started').map(({ delivery }) => delivery);
  const finished = records.filter((record) => record.kind === 'finished');
  const ended = finished.map(({ delivery }) => delivery);
  const released = records.filter((record) => record.kind === 'released');
  const work = async (tx: Sql): Promise<number> => {
    // Holds are locked first, as in the statement that ends a hold. A hold that has ended meanwhile parks nothing.
    const inForce = await lockInForce(
      tx,
      released.flatMap(({ heldBy }) => heldBy ?? []),
    );
    const ours = await settleOutbox(tx, epoch, finished);
    const kept = finished.filter((record) => ours.has(keyText(record.delivery)));
    const begun = isHeld ? new Set(started.map(keyText)) : await inHand(tx, epoch, started);
    // Before the emails and their counters are locked: an import may hold the list's counter for a moment.
    const [parked] = await Promise.all([
      releaseDeliveries(tx, epoch, released, inForce),
      applySignals(tx, kept.flatMap(toSignal)),
    ]);
    const held = await heldEventsOf(tx, parked, latest(released));
    const rows = toEventRows(records, ours, begun);
    await Promise.all([
      ...(isForEarlier ? appendApart(tx, rows, held) : appendTogether(tx, rows, held)),
      applyOutcomes(tx, kept.map(toOutcome), latest(kept), () =>
        countDeliveries(tx, kept.flatMap(toCounted), names),
      ),
    ]);
    return finished.length - kept.length;
  };
  return db.transactionOnce(work, async (again) => (await inHand(again, epoch, ended)).size > 0);
}

function appendTogether(tx: Sql, { started, outcomes }: EventRows, held: readonly NewEvent[]) {
  return [appendEvents(tx, [...started, ...held]), appendOutcomes(tx, outcomes)];
}

/** As release 0.1.0 reads them: it knows neither attempts nor starts in the rows of outcomes. */
function appendApart(tx: Sql, rows: EventRows, held: readonly NewEvent[]) {
  const attempts = rows.outcomes.map(({ attempt }) => attempt);
  return [appendEvents(tx, [...withOwnRows(rows), ...held]), appendAttempts(tx, attempts)];
}

async function settleOutbox(tx: Sql, epoch: number, finished: readonly Finished[]): Promise<Set<string>> {
  const accepted: ClaimedDelivery[] = [];
  const final: ClaimedDelivery[] = [];
  const later: (ClaimedDelivery & { dueAtMs: number })[] = [];
  for (const { delivery, verdict } of finished) {
    if (verdict.kind === 'delivered') accepted.push(delivery);
    else if (verdict.kind === 'deferred') later.push({ ...delivery, dueAtMs: verdict.nextAttemptAtMs });
    else final.push(delivery);
  }
  const settled = await Promise.all([
    settleAccepted(tx, epoch, accepted),
    settleFinal(tx, epoch, final),
    settleDeferred(tx, epoch, later),
  ]);
  return new Set(settled.flatMap((keys) => [...keys]));
}

/** Returns the deliveries that were parked under a hold. */
async function releaseDeliveries(
  tx: Sql,
  epoch: number,
  released: readonly Released[],
  inForce: ReadonlySet<string>,
): Promise<readonly ParkedDelivery[]> {
  const free: UntriedDelivery[] = [];
  const held: HeldDelivery[] = [];
  const later: PutOffDelivery[] = [];
  for (const { delivery, start, heldBy, notBeforeMs } of released) {
    const one = { ...delivery, isBegun: start === 'started' };
    if (heldBy !== undefined && inForce.has(heldBy)) held.push({ ...one, holdId: heldBy });
    else if (notBeforeMs !== undefined) later.push({ ...one, dueAtMs: notBeforeMs });
    else free.push(one);
  }
  const [parked] = await Promise.all([
    park(tx, epoch, held),
    release(tx, epoch, free),
    putOff(tx, epoch, later),
  ]);
  return parked;
}

function latest(records: readonly DeliveryRecord[]): number {
  return records.reduce((max, record) => Math.max(max, record.atMs), 0);
}
