/**
 * Reads content in the content store, or restores it to PostgreSQL. Never call this in a transaction, because the store is on
 * the network.
 */
import type { Database } from '../../database/database.ts';
import { type ObjectStore, StoreProblem } from '../../protocols/object-store/object-store.ts';
import type { Clock } from '../../runtime/clock.ts';
import { ServiceError } from '../../runtime/service-error.ts';
import { objectName } from './object-name.ts';
import { type KeptContent, openContent } from './packed-content.ts';
import { type MovedRow, movedAmong, restoreContentRows } from './store-moved.ts';

interface MovedContentsOptions {
  readonly db: Database;
  readonly clock: Clock;
  /** Undefined if no store is configured. Content may still have been moved to an earlier one. */
  readonly store: ObjectStore | undefined;
}

const DOES_NOT_ANSWER =
  'The content of this email is in the content store, which does not answer right now. Everything else about the email can be read. Try again shortly.';
const NOT_CONFIGURED =
  'The content of this email is in a content store that this installation is not connected to. The operator has to set POSTRIDER_CONTENT_S3_ENDPOINT and what belongs to it.';
const COME_BACK_SECONDS = 10;
/** Limits the memory, because each content is held in memory. */
const AT_ONCE = 8;

export class MovedContents {
  readonly #options: MovedContentsOptions;

  constructor(options: MovedContentsOptions) {
    this.#options = options;
  }

  /** Null if the store no longer has it. */
  async open(organizationId: string, row: MovedRow): Promise<KeptContent | null> {
    const { email_id: emailId, object_id: objectId, seal_key } = row;
    const packed = await this.#fetch(objectName(organizationId, emailId, objectId));
    return packed && openContent(packed, { organizationId, emailId, objectId }, seal_key);
  }

  /** In the given order, a few at a time. */
  async openEach(organizationId: string, rows: readonly MovedRow[]): Promise<(KeptContent | null)[]> {
    const opened: (KeptContent | null)[] = [];
    for (let next = 0; next < rows.length; next += AT_ONCE) {
      const some = rows.slice(next, next + AT_ONCE);
      opened.push(...(await Promise.all(some.map((row) => this.open(organizationId, row)))));
    }
    return opened;
  }

  /** Restores the content of these emails to PostgreSQL, so that they can be sent, except content that the store has lost. */
  async bringBack(
    organizationId: string,
    emailIds: readonly string[],
  ): Promise<{ readonly brought: number; readonly missing: readonly string[] }> {
    const { db, clock } = this.#options;
    const missing: string[] = [];
    let brought = 0;
    const rows = await movedAmong(db, organizationId, emailIds);
    for (let next = 0; next < rows.length; next += AT_ONCE) {
      const some = rows.slice(next, next + AT_ONCE);
      const opened = await this.openEach(organizationId, some);
      missing.push(...some.flatMap(({ email_id }, index) => (opened[index] ? [] : [email_id])));
      brought += await db.transaction(async (tx) => {
        let written = 0;
        for (const [index, row] of some.entries()) {
          const content = opened[index];
          if (content && (await restoreContentRows(tx, organizationId, row, content, clock.nowMs())))
            written += 1;
        }
        return written;
      });
    }
    return { brought, missing };
  }

  async #fetch(name: string): Promise<Buffer | null> {
    const { store } = this.#options;
    if (store === undefined) throw unavailable(NOT_CONFIGURED);
    try {
      return await store.get(name);
    } catch (error) {
      if (error instanceof StoreProblem) throw unavailable(DOES_NOT_ANSWER, error);
      throw error;
    }
  }
}

function unavailable(message: string, cause?: unknown): ServiceError {
  return new ServiceError('UNAVAILABLE', message, { retryAfterSeconds: COME_BACK_SECONDS, cause });
}
