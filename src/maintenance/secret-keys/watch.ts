/**
 * Keeps a process's key ring up to date: reads the keys again from where they are kept, says which there are, and asks
 * whose turn it is. Without the database what was known last goes on. A process that starts without the key that is in
 * use is refused.
 */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { isUnavailable } from '../../kit/database/errors.ts';
import type { Sql } from '../../kit/database/sql.ts';
import type { KeyRing } from '../../kit/runtime/key-ring.ts';
import type { Service } from '../../kit/runtime/lifecycle.ts';
import type { Log } from '../../kit/runtime/log.ts';
import { missingKey } from './check.ts';
import { noteFirstKey, removeKeyHolder, reportHolder } from './store.ts';

export interface KeyWatchDeps {
  readonly db: Sql;
  readonly ring: KeyRing;
  readonly log: Log;
  /** Of the process: `api`, `worker`, `inbound`, `submission`. */
  readonly role: string;
  /** Looked after at the same time. */
  readonly erased?: { refresh(): Promise<void> };
}

export const KEY_WATCH_MS = 1_000;
/** A start does not wait for an absent database. */
const FIRST_LOOK_MS = 1_000;

export class KeyWatch implements Service {
  readonly name = 'secret keys';
  readonly #deps: KeyWatchDeps;
  readonly #process = randomUUID();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | null = null;
  #unknown = '';
  #missing: string | null = null;

  constructor(deps: KeyWatchDeps) {
    this.#deps = deps;
  }

  async start(): Promise<void> {
    const patience = new AbortController();
    await Promise.race([this.#look(), sleep(FIRST_LOOK_MS, undefined, { signal: patience.signal })]);
    patience.abort();
    if (this.#missing !== null) throw new Error(this.#missing);
    this.#timer = setInterval(() => void this.#look(), KEY_WATCH_MS);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking;
    await removeKeyHolder(this.#deps.db, this.#process).catch(() => {});
  }

  #look(): Promise<void> {
    this.#looking ??= this.#refresh()
      .catch((error) => this.#failed(error))
      .finally(() => {
        this.#looking = null;
      });
    return this.#looking;
  }

  async #refresh(): Promise<void> {
    const { db, ring, role } = this.#deps;
    ring.refresh();
    const name = `${role} on ${hostname()} (${process.pid})`;
    const keyIds = ring.keys.map(({ id }) => id);
    let turns = await reportHolder(db, this.#process, name, keyIds);
    if (turns.length === 0) {
      await noteFirstKey(db, ring.current.id);
      turns = await reportHolder(db, this.#process, name, keyIds);
    }
    this.#complain(ring.setTurns(turns));
    this.#missing = missingKey(ring, turns, Date.now());
    await this.#deps.erased?.refresh();
  }

  /** An absent database is reported by those who need it. */
  #failed(error: unknown): void {
    const level = isUnavailable(error) ? 'debug' : 'warn';
    this.#deps.log[level]({ err: error }, 'could not look after the secret keys');
  }

  /** Once for each change. */
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
