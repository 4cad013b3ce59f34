/**
 * The way of opens into the database: pixels are answered from memory, what they mean is written in batches.
 *
 * It owns the opens that wait, one per delivery: somebody who fetches a pixel a thousand times takes the room of one,
 * and of a machine's and a person's open the person's is kept. It also remembers what it recorded within the last
 * minute, so that what cannot become an event costs the database nothing. An open is waiting, then in the one flush that is in
 * flight, then recorded or left out. While the database is away the batch goes back and is tried again; the queue is
 * bounded, and what comes on top of a full one is dropped and counted: an open is not worth the memory of the API.
 * States: made, started, stopping (one last flush), stopped.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { EVERY_MS, type Open, type RecordedOpen, recordOpens } from '../emails/opens.ts';
import { appendEvents } from '../events/append.ts';
import type { Database } from '../kit/database/database.ts';
import { concernsOne, isUnavailable } from '../kit/database/errors.ts';
import { BoundedMap } from '../kit/runtime/bounded-map.ts';
import { GrowingPause } from '../kit/runtime/growing-pause.ts';
import type { Service } from '../kit/runtime/lifecycle.ts';
import type { Log } from '../kit/runtime/log.ts';
import type { OpenMetrics } from './open-metrics.ts';

export interface OpenRecorderOptions {
  readonly db: Database;
  readonly log: Log;
  readonly numbers: OpenMetrics;
  readonly maxWaiting?: number;
}

/** About 10 MB with long user agents. */
const MAX_WAITING = 20_000;
const MAX_REMEMBERED = 20_000;
const MAX_BATCH = 500;
/** The longest an open waits for others, besides the flush before it. */
const LINGER_MS = 100;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;
/** How long a stop waits for the last flush. */
const STOP_MS = 2_000;

export class OpenRecorder implements Service {
  readonly name = 'opens';
  readonly #options: OpenRecorderOptions;
  readonly #waiting = new Map<string, Open>();
  /** Oldest first. */
  readonly #recent = new BoundedMap<string, RecordedOpen>(MAX_REMEMBERED);
  #timer: NodeJS.Timeout | null = null;
  #flushing: Promise<void> | null = null;
  readonly #pause = new GrowingPause(FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
  #stopped = false;

  constructor(options: OpenRecorderOptions) {
    this.#options = options;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  async start(): Promise<void> {}

  /** Never waits and never throws: whoever asked for the pixel has it already. */
  add(open: Open): void {
    if (this.#stopped) return;
    const key = keyOf(open);
    if (isRepetition(open, this.#recent.get(key))) return;
    const known = this.#waiting.get(key);
    if (known && (known.machine === null || open.machine !== null)) return;
    if (!known && this.#waiting.size >= (this.#options.maxWaiting ?? MAX_WAITING)) {
      this.#options.numbers.dropped(1);
      return;
    }
    this.#waiting.set(key, open);
    this.#schedule(LINGER_MS);
  }

  async stop(): Promise<void> {
    if (this.#stopped) return;
    this.#stopped = true;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const patience = new AbortController();
    const last = (this.#flushing ?? Promise.resolve()).then(() => this.#flushAll());
    await Promise.race([last, sleep(STOP_MS, undefined, { signal: patience.signal }).catch(() => {})]);
    patience.abort();
    if (this.#waiting.size === 0) return;
    this.#options.log.warn({ opens: this.#waiting.size }, 'opens are lost: the database did not take them');
    this.#options.numbers.dropped(this.#waiting.size);
    this.#waiting.clear();
  }

  #schedule(afterMs: number): void {
    if (this.#timer !== null || this.#flushing !== null || this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#flushing = this.#flushAll()
        .catch((error: unknown) => this.#options.log.error({ err: error }, 'opens could not be recorded'))
        .finally(() => {
          this.#flushing = null;
          if (this.#waiting.size > 0) this.#schedule(this.#pause.next());
        });
    }, afterMs);
  }

  /** Until nothing waits, or the database is away. */
  async #flushAll(): Promise<void> {
    while (this.#waiting.size > 0) {
      const batch = this.#take();
      try {
        await this.#write(batch);
        this.#pause.reset();
      } catch (error) {
        if (!concernsOne(error)) return this.#putBack(batch, error);
        if (!(await this.#writeAlone(batch))) return;
      }
    }
  }

  #take(): Open[] {
    const batch: Open[] = [];
    for (const [key, open] of this.#waiting) {
      if (batch.length === MAX_BATCH) break;
      this.#waiting.delete(key);
      batch.push(open);
    }
    return batch;
  }

  async #write(opens: readonly Open[]): Promise<void> {
    const recorded = await this.#options.db.transaction(async (tx) => {
      const worthy = await recordOpens(tx, opens);
      await appendEvents(tx, worthy.map(toEvent));
      return worthy;
    });
    for (const open of recorded) this.#remember(open);
  }

  #remember(open: RecordedOpen): void {
    this.#options.numbers.recorded({ machine: String(open.machine !== null) });
    this.#recent.set(keyOf(open), open);
  }

  #putBack(batch: readonly Open[], error: unknown): void {
    this.#options.log.warn({ err: error, opens: batch.length }, 'cannot record opens, trying again');
    for (const open of batch) {
      const key = keyOf(open);
      const newer = this.#waiting.get(key);
      if (newer === undefined || (newer.machine !== null && open.machine === null))
        this.#waiting.set(key, open);
    }
  }

  /**
   * Something is wrong with one of them: it alone is lost, or where it was PostgreSQL that broke, tried again. Returns
   * whether all have been dealt with.
   */
  async #writeAlone(batch: readonly Open[]): Promise<boolean> {
    const again: Open[] = [];
    let reason: unknown;
    for (const [index, open] of batch.entries()) {
      try {
        await this.#write([open]);
      } catch (error) {
        if (isUnavailable(error)) {
          reason = error;
          again.push(...(concernsOne(error) ? [open] : batch.slice(index)));
          if (!concernsOne(error)) break;
        } else {
          this.#options.log.error({ err: error, emailId: open.emailId }, 'an open could not be recorded');
          this.#options.numbers.dropped(1);
        }
      }
    }
    if (again.length > 0) this.#putBack(again, reason);
    return again.length === 0;
  }
}

function keyOf({ emailId, position }: Open): string {
  return `${emailId} ${position}`;
}

/** The database would say the same (judgeOpen): it is within the minute, and no first person after a machine. */
function isRepetition(open: Open, recent: RecordedOpen | undefined): boolean {
  if (recent === undefined || open.atMs - recent.atMs >= EVERY_MS) return false;
  return recent.machine === null || open.machine !== null;
}

function toEvent({ machine, userAgent, recipient, atMs, ...key }: RecordedOpen) {
  const { organizationId, emailId, position } = key;
  return {
    organizationId,
    emailId,
    position,
    recipient,
    atMs,
    userAgent,
    type: 'opened',
    reason: machine,
  } as const;
}
