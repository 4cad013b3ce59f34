/**
 * Writes received messages to the database.
 *
 * Owns the messages waiting to be written and, per organization, the number written since the last trim. A
 * message waits, then belongs to the one flush in flight, then is stored or has failed; the promise from
 * `store` settles only then. Messages that arrive during a flush gather for the next one, so a burst takes
 * few statements and a single message is written at once. Only the receiver calls this class.
 *
 * Trimming runs between two flushes: an organization never has more than KEPT_MESSAGES + TRIM_AFTER +
 * MAX_FLUSH_ROWS messages per receiver, 1,100.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isUnavailable } from '../database/errors.ts';
import type { Sql } from '../database/sql.ts';
import { BoundedMap } from '../runtime/bounded-map.ts';
import type { Log } from '../runtime/log.ts';
import { deleteGreylistEntries } from './greylist.ts';
import { type CapturedMessage, insertMessages, trimMessages } from './store.ts';

interface Capturable extends CapturedMessage {
  /** The simulator has already refused this delivery once. */
  readonly greylisted: boolean;
}

interface Waiting {
  readonly message: Capturable;
  readonly stored: () => void;
  readonly failed: (error: unknown) => void;
}

const MAX_FLUSH_ROWS = 50;
const MAX_FLUSH_BYTES = 8 * 1024 * 1024;
const TRIM_AFTER = 50;
/** Beyond this many organizations, some are trimmed more often than needed. */
const MAX_COUNTED_ORGANIZATIONS = 10_000;

export class Capture {
  readonly #db: Sql;
  readonly #log: Log;
  readonly #writtenSinceTrim = new BoundedMap<string, number>(MAX_COUNTED_ORGANIZATIONS);
  #waiting: Waiting[] = [];
  #flushing: Promise<void> | null = null;

  constructor(db: Sql, log: Log) {
    this.#db = db;
    this.#log = log;
  }

  /** Resolves when the message is committed; rejects when the write failed. */
  store(message: Capturable): Promise<void> {
    return new Promise((stored, failed) => {
      this.#waiting.push({ message, stored, failed });
      this.#flushing ??= this.#flushAll();
    });
  }

  /** Resolves when no message is waiting or in flight. */
  async idle(): Promise<void> {
    await this.#flushing;
  }

  async #flushAll(): Promise<void> {
    // All messages of this event-loop turn join the first batch.
    await nextTurn();
    while (this.#waiting.length > 0) {
      const batch = this.#takeBatch();
      if (await this.#flush(batch)) await this.#tidy(batch.map((one) => one.message));
    }
    this.#flushing = null;
  }

  #takeBatch(): Waiting[] {
    let bytes = 0;
    let count = 0;
    for (const { message } of this.#waiting) {
      bytes += message.raw.length;
      if (count > 0 && (count === MAX_FLUSH_ROWS || bytes > MAX_FLUSH_BYTES)) break;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }

  async #flush(batch: readonly Waiting[]): Promise<boolean> {
    try {
      await insertMessages(
        this.#db,
        batch.map((one) => one.message),
      );
      for (const one of batch) one.stored();
      return true;
    } catch (error) {
      for (const one of batch) one.failed(error);
      return false;
    }
  }

  /**
   * The messages are already stored and answered, so a failure is only logged; the next flush tries again.
   */
  async #tidy(messages: readonly Capturable[]): Promise<void> {
    try {
      const greylisted = messages.filter((message) => message.greylisted);
      if (greylisted.length > 0) await deleteGreylistEntries(this.#db, greylisted);
      for (const organizationId of this.#count(messages)) {
        await trimMessages(this.#db, organizationId);
        this.#writtenSinceTrim.set(organizationId, 0);
      }
    } catch (error) {
      const level = isUnavailable(error) ? 'warn' : 'error';
      this.#log[level]({ err: error }, 'could not trim the sandbox inbox');
    }
  }

  /**
   * Counts the written messages and returns the organizations due for a trim. An organization seen for the
   * first time is due at once.
   */
  #count(messages: readonly Capturable[]): string[] {
    const due = new Set<string>();
    for (const { organizationId } of messages) {
      const written = (this.#writtenSinceTrim.get(organizationId) ?? TRIM_AFTER) + 1;
      this.#writtenSinceTrim.set(organizationId, written);
      if (written >= TRIM_AFTER) due.add(organizationId);
    }
    return [...due];
  }
}
