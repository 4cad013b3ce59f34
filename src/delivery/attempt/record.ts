/**
 * Recording: writes the outcomes of deliveries, in batches.
 *
 * Each flush is one transaction over the outbox, the events, the recipients and their emails' status. An
 * attempt that starts is recorded through the same batches: for quick deliveries it is part of the flush that settles
 * them, for slow ones it can be read while they are still in progress.
 *
 * An outcome is recorded, however long it takes: once a server has accepted a message, nothing else may happen
 * to it. While the database is unavailable the current batch is retried until it works, and what was accepted meanwhile
 * is in the journal. What cannot be recorded for another reason is retried alone, without holding up the others.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { applyOutcomes } from '../../emails/outcomes.ts';
import { appendEvents } from '../../events/append.ts';
import { appendAttempts } from '../../events/attempts.ts';
import { heldEventsOf } from '../../holds/held-events.ts';
import { lockInForce } from '../../holds/store.ts';
import type { Database } from '../../kit/database/database.ts';
import { isInternal, isUnavailable } from '../../kit/database/errors.ts';
import type { Sql } from '../../kit/database/sql.ts';
import { BoundedMap } from '../../kit/runtime/bounded-map.ts';
import { MINUTE_MS } from '../../kit/runtime/durations.ts';
import { GrowingPause } from '../../kit/runtime/growing-pause.ts';
import type { Log } from '../../kit/runtime/log.ts';
import { Batcher } from '../../kit/work-loop/batcher.ts';
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
import { CountedNames } from '../../stats/counted-names.ts';
import { countDeliveries } from '../../stats/delivery-counts.ts';
import { applySignals } from '../../suppressions/automatic.ts';
import type { DeliveryRecord, Finished, Untried } from './delivery-record.ts';
import { toCounted } from './mail-labels.ts';
import { latest, toAttempt, toEvents, toOutcome, toSignal } from './record-rows.ts';

/** The longest a finished delivery waits to be settled, besides the commit before it. */
const LINGER_MS = 5;
/** Where many come, a larger commit leaves more of the processor to delivering; events are a little later then. */
const BUSY_RECORDS = 32;
const BUSY_LINGER_MS = 30;
const MAX_BATCH_RECORDS = 1_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_ALONE_MS = MINUTE_MS;
/** More than are given back at once. Those of another worker's are never asked for. */
const MAX_VOID_TRIES = 10_000;

export interface RecorderOptions {
  readonly db: Database;
  readonly log: Log;
  readonly epoch: number;
  /** Whether what was claimed under the epoch is certainly this worker's. */
  readonly isHeld: () => boolean;
  readonly journal: Journal<Finished>;
  /** There are new events, of these. */
  readonly onRecorded?: (records: readonly DeliveryRecord[]) => void;
}

export class Recorder {
  readonly #options: RecorderOptions;
  readonly #batcher: Batcher<DeliveryRecord, undefined>;
  readonly #void = new BoundedMap<string, true>(MAX_VOID_TRIES);
  readonly #names = new CountedNames();

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#batcher = new Batcher({
      flush: (records) => this.#flush(records),
      maxBatchItems: MAX_BATCH_RECORDS,
      maxQueuedItems: Number.POSITIVE_INFINITY, // bounded by the work in hand
      lingerMs: (recordsBefore) => (recordsBefore > BUSY_RECORDS ? BUSY_LINGER_MS : LINGER_MS),
      retryAlone: () => true,
    });
  }

  /** Resolves when it is in the database, and never rejects. */
  async record(record: DeliveryRecord): Promise<void> {
    if (record.kind === 'started' && this.#void.delete(tryText(record.delivery))) return;
    if (record.kind === 'untried' && record.began === 'void') this.#void.set(tryText(record.delivery), true);
    const journaled = record.kind === 'finished' && record.verdict.kind === 'delivered';
    // The journal is about not sending twice, and is written for every message: what explains and counts it stays out.
    if (journaled) this.#options.journal.append({ ...record, attemptLog: undefined, labels: undefined });
    await this.#untilRecorded(record);
    if (journaled) this.#options.journal.settled(1);
  }

  async #untilRecorded(record: DeliveryRecord): Promise<void> {
    const pause = new GrowingPause(FIRST_PAUSE_MS, LONGEST_PAUSE_ALONE_MS);
    for (;;) {
      try {
        return await this.#batcher.add(record);
      } catch (error) {
        const { emailId, position } = record.delivery;
        const { kind } = record;
        this.#options.log.error(
          { err: error, kind, emailId, position },
          'a delivery cannot be recorded, trying again',
        );
      }
      if (record.kind === 'started') return; // the attempt itself is recorded when it ends
      await sleep(pause.next());
    }
  }

  drained(): Promise<void> {
    return this.#batcher.drained();
  }

  async #flush(records: readonly DeliveryRecord[]): Promise<readonly undefined[]> {
    const { db, epoch, isHeld, log } = this.#options;
    const pause = new GrowingPause(FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
    for (;;) {
      try {
        const lost = await settle(db, epoch, records, isHeld(), this.#names);
        if (lost > 0)
          log.warn({ deliveries: lost }, 'outcomes came too late: another worker has these deliveries');
        this.#options.onRecorded?.(records);
        return records.map(() => undefined);
      } catch (error) {
        if (!isUnavailable(error) || isInternal(error)) throw error; // perhaps because of one of them
        const retryMs = pause.next();
        log.warn({ err: error, waiting: records.length, retryMs }, 'cannot record outcomes, trying again');
        await sleep(retryMs);
      }
    }
  }
}

/**
 * One transaction, once. Returns how many outcomes were no longer this epoch's to settle. Where it is not certain that the
 * epoch `isHeld`, it is looked up whose the attempts are that began: one that wakes up after others have delivered
 * must not say that it begins.
 */
export function settle(
  db: Database,
  epoch: number,
  records: readonly DeliveryRecord[],
  isHeld: boolean,
  names = new CountedNames(),
): Promise<number> {
  const started = records.filter((record) => record.kind === 'started').map(({ delivery }) => delivery);
  const finished = records.filter((record) => record.kind === 'finished');
  const ended = finished.map(({ delivery }) => delivery);
  const untried = records.filter((record) => record.kind === 'untried');
  const work = async (tx: Sql): Promise<number> => {
    // First, as whoever ends a hold does; a hold that has ended meanwhile parks nothing.
    const inForce = await lockInForce(
      tx,
      untried.flatMap(({ heldBy }) => heldBy ?? []),
    );
    const ours = await settleOutbox(tx, epoch, finished);
    const kept = finished.filter((record) => ours.has(keyText(record.delivery)));
    const begun = isHeld ? new Set(started.map(keyText)) : await inHand(tx, epoch, started);
    // Before the emails and their counters are locked: an import may hold the list's counter for a moment.
    const [parked] = await Promise.all([
      giveBackUntried(tx, epoch, untried, inForce),
      applySignals(tx, kept.flatMap(toSignal)),
    ]);
    const held = await heldEventsOf(tx, parked, latest(untried));
    const events = [...records.flatMap((record) => toEvents(record, ours, begun)), ...held];
    await Promise.all([
      appendEvents(tx, events),
      appendAttempts(tx, kept.map(toAttempt)),
      applyOutcomes(tx, kept.map(toOutcome), latest(kept), () =>
        countDeliveries(tx, kept.flatMap(toCounted), names),
      ),
    ]);
    return finished.length - kept.length;
  };
  return db.transactionOnce(work, async (again) => (await inHand(again, epoch, ended)).size > 0);
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
async function giveBackUntried(
  tx: Sql,
  epoch: number,
  untried: readonly Untried[],
  inForce: ReadonlySet<string>,
): Promise<readonly ParkedDelivery[]> {
  const free: UntriedDelivery[] = [];
  const held: HeldDelivery[] = [];
  const later: PutOffDelivery[] = [];
  for (const { delivery, began, heldBy, notBeforeMs } of untried) {
    const one = { ...delivery, isBegun: began === 'counts' };
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

function tryText(delivery: ClaimedDelivery): string {
  return `${keyText(delivery)}/${delivery.attempt}`;
}
