/**
 * Records refused requests in the log: noted in memory at the response, written every second in one statement. No
 * request waits for the write.
 *
 * Owns the pending entries, bounded per organization and in total. A request identical to another of the same second
 * (a client that ignores 429 sends thousands) increments that entry's count. Above the bound, so does a request with
 * a similar entry; all others are dropped and counted. While an organization's database is unavailable or unknown,
 * its entries stay pending; those of others are written.
 */
import type { Database } from '../database/database.ts';
import { isUnavailable } from '../database/errors.ts';
import type { Sql } from '../database/sql.ts';
import type { Clock } from '../runtime/clock.ts';
import { createUuidv7 } from '../runtime/ids.ts';
import type { Service } from '../runtime/lifecycle.ts';
import type { Log } from '../runtime/log.ts';
import type { Metrics } from '../runtime/metrics.ts';
import type { RefusedRequest } from '../runtime/refused-request.ts';
import { Rounds } from '../runtime/work-loop/rounds.ts';
import { type LogEntry, logEntryOf } from './entry.ts';
import { insertLogEntries, KEPT_ENTRIES, trimLog } from './store.ts';

interface RequestRecorderDeps {
  readonly db: Pick<Database, 'of'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics?: Metrics | undefined;
}

const FLUSH_EVERY_MS = 1_000;
const MAX_OF_ONE = 200;
const MAX_IN_ALL = 2_000;
/** Entries that could not be written take at most half of the room, because a cell may be unavailable for hours. */
const MAX_PUT_BACK = MAX_IN_ALL / 2;
/** The number of entries written for an organization before its oldest are trimmed, and so the maximum excess. */
const TRIM_AFTER = KEPT_ENTRIES / 10;

interface Waiting {
  readonly entries: LogEntry[];
  /** The latest entry of each kind. */
  readonly latest: Map<string, LogEntry>;
}

export class RequestRecorder implements Service {
  readonly name = 'request log';
  readonly #deps: RequestRecorderDeps;
  readonly #newId = createUuidv7();
  readonly #countDropped: (by: number) => void;
  readonly #untrimmed = new Map<string, number>();
  #waiting = new Map<string, Waiting>();
  #size = 0;
  readonly #rounds = new Rounds(() => this.#write(), FLUSH_EVERY_MS);

  constructor(deps: RequestRecorderDeps) {
    this.#deps = deps;
    const count = deps.metrics?.counter(
      'postrider_request_log_dropped_total',
      'Refused requests that were too many to be logged.',
    );
    this.#countDropped = (by) => count?.({}, by);
  }

  start(): Promise<void> {
    return this.#rounds.start();
  }

  stop(): Promise<void> {
    return this.#rounds.stop();
  }

  readonly onRefused = (request: RefusedRequest): void => {
    this.#add(logEntryOf(request, this.#newId(this.#deps.clock.nowMs())));
  };

  #add(entry: LogEntry, maxInAll = MAX_IN_ALL): void {
    const waiting: Waiting = this.#waiting.get(entry.organizationId) ?? { entries: [], latest: new Map() };
    this.#waiting.set(entry.organizationId, waiting);
    const kind = kindOf(entry);
    const like = waiting.latest.get(kind);
    const isFull = waiting.entries.length >= MAX_OF_ONE || this.#size >= maxInAll;
    if (like !== undefined && (isFull || isSameRequest(like, entry))) {
      like.count += entry.count;
    } else if (isFull) {
      this.#countDropped(entry.count);
    } else {
      waiting.entries.push(entry);
      waiting.latest.set(kind, entry);
      this.#size += 1;
    }
  }

  /** Writes all pending entries. Never rejects. */
  flush(): Promise<void> {
    return this.#rounds.now();
  }

  async #write(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = new Map();
    this.#size = 0;
    const parts = new Map<Database, LogEntry[]>();
    for (const [organizationId, { entries }] of waiting) {
      const db = this.#placeOf(organizationId);
      if (db === null) this.#putBack(entries);
      else parts.set(db, (parts.get(db) ?? []).concat(entries));
    }
    await Promise.all([...parts].map(([db, entries]) => this.#writeTo(db, entries)));
  }

  /** Null while the organization's cell is unknown or changing. */
  #placeOf(organizationId: string): Database | null {
    try {
      return this.#deps.db.of(organizationId);
    } catch (error) {
      if (!isUnavailable(error)) this.#report(error, { organizationId }, 'cannot tell where a log belongs');
      return null;
    }
  }

  #putBack(entries: readonly LogEntry[]): void {
    for (const entry of entries) this.#add(entry, MAX_PUT_BACK);
  }

  async #writeTo(db: Sql, entries: readonly LogEntry[]): Promise<void> {
    if (await this.#insert(db, entries)) await this.#trim(db, entries);
  }

  async #insert(db: Sql, entries: readonly LogEntry[]): Promise<boolean> {
    try {
      await insertLogEntries(db, entries);
      return true;
    } catch (error) {
      const isAway = this.#report(error, { entries: entries.length }, 'could not write the request log');
      if (isAway) this.#putBack(entries);
      else this.#countDropped(entries.length);
      return false;
    }
  }

  /** A failed trim is repeated in a later round; the entries are written either way. */
  async #trim(db: Sql, entries: readonly LogEntry[]): Promise<void> {
    for (const { organizationId } of entries)
      this.#untrimmed.set(organizationId, (this.#untrimmed.get(organizationId) ?? 0) + 1);
    try {
      for (const { organizationId } of entries) {
        if ((this.#untrimmed.get(organizationId) ?? 0) < TRIM_AFTER) continue;
        await trimLog(db, organizationId);
        this.#untrimmed.delete(organizationId);
      }
    } catch (error) {
      this.#report(error, {}, 'could not remove the oldest entries of the request log');
    }
  }

  /** True when the database is unavailable and a later round may succeed. */
  #report(error: unknown, facts: object, words: string): boolean {
    const isAway = isUnavailable(error);
    this.#deps.log[isAway ? 'warn' : 'error']({ err: error, ...facts }, words);
    return isAway;
  }
}

function kindOf({ method, path, status, code, keyId, userId }: LogEntry): string {
  return [method, path, status, code, keyId, userId].join(' ');
}

/** Entries with recipients stay separate, so that each recipient can be found. */
function isSameRequest(a: LogEntry, b: LogEntry): boolean {
  return a.message === b.message && a.recipients.length === 0 && b.recipients.length === 0;
}
