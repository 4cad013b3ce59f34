/**
 * Keeps a process's key ring up to date: reads the keys again from their source, reports them, and loads the schedule of keys.
 * Without the database the last known state stays in use. A process without the current key is refused: at its start, or if the
 * database was down then, as soon as it answers.
 */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../database/database.ts';
import { isUnavailable } from '../../database/errors.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { KeyRing } from '../../runtime/key-ring.ts';
import type { Service } from '../../runtime/lifecycle.ts';
import type { Log } from '../../runtime/log.ts';
import { SharedRun } from '../../runtime/single-flight.ts';
import { missingKey } from './check.ts';
import { noteFirstKey, removeKeyHolder, reportHolder } from './store.ts';

interface KeyWatchDeps {
  readonly db: Database;
  readonly ring: KeyRing;
  readonly clock: Clock;
  readonly log: Log;
  /** The role of the process: `api`, `worker`, `inbound`, `submission`. */
  readonly role: string;
  /** Called if the process lacks the current key and was not refused at its start: the process must stop. */
  readonly onRefused?: ((problem: string) => void) | undefined;
  /** Called with the number of other processes of this role, after each check. */
  readonly onOthers?: (others: number) => void;
  /** Refreshed at the same interval. */
  readonly erased?: { refresh(): Promise<void> };
}

export const KEY_WATCH_MS = 1_000;
/** For a slow or silent database. One that refuses connections fails at once, and the start continues without it. */
const FIRST_LOOK_MS = 10_000;

export class KeyWatch implements Service {
  readonly name = 'secret keys';
  readonly #deps: KeyWatchDeps;
  readonly #process = randomUUID();
  #timer: NodeJS.Timeout | undefined;
  readonly #looking = new SharedRun(() => this.#refresh().catch((error) => this.#failed(error)));
  #unknown = '';
  /** Undefined until the database has answered. */
  #missing: string | null | undefined;
  #isStarted = false;

  constructor(deps: KeyWatchDeps) {
    this.#deps = deps;
  }

  async start(): Promise<void> {
    const timeout = new AbortController();
    await Promise.race([this.#looking.run(), sleep(FIRST_LOOK_MS, undefined, { signal: timeout.signal })]);
    timeout.abort();
    if (typeof this.#missing === 'string') throw new Error(this.#missing);
    this.#isStarted = true;
    this.#timer = setInterval(() => void this.#looking.run(), KEY_WATCH_MS);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking.settled();
    await removeKeyHolder(this.#deps.db, this.#process).catch(() => {});
  }

  async #refresh(): Promise<void> {
    const { db, ring, role } = this.#deps;
    ring.refresh();
    const name = `${role} on ${hostname()} (${process.pid})`;
    const keyIds = ring.keys.map(({ id }) => id);
    let { turns, others } = await reportHolder(db, this.#process, name, keyIds);
    if (turns.length === 0) {
      await db.transaction((tx) => noteFirstKey(tx, ring.current.id));
      ({ turns, others } = await reportHolder(db, this.#process, name, keyIds));
    }
    this.#deps.onOthers?.(others);
    this.#complain(ring.setTurns(turns));
    this.#judgeFirst(missingKey(ring, turns, this.#deps.clock.nowMs()));
    await this.#deps.erased?.refresh();
  }

  /** Runs once: if the key changes later, a running process only logs a warning. */
  #judgeFirst(missing: string | null): void {
    if (this.#missing !== undefined) return;
    this.#missing = missing;
    if (missing !== null && this.#isStarted) this.#deps.onRefused?.(missing);
  }

  /** The code that needs the database reports its absence. */
  #failed(error: unknown): void {
    const level = isUnavailable(error) ? 'debug' : 'warn';
    this.#deps.log[level]({ err: error }, 'could not check the secret keys');
  }

  /** Logs once for each change. */
  #complain(unknown: readonly string[]): void {
    const words = unknown.join(' ');
    if (words !== '' && words !== this.#unknown) {
      this.#deps.log.error(
        { keys: unknown },
        'this process does not have every secret key of the installation; see POSTRIDER_MORE_SECRET_KEYS',
      );
    }
    this.#unknown = words;
  }
}
