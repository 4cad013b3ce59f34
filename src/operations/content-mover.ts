/**
 * Moves content of old, final mail to the content store: reads it, uploads it, and only then, in one short transaction, records
 * its location and removes it here. No transaction is open during calls to the store. A turn may be interrupted anywhere:
 * uploads without a reference are listed beforehand (`object-removals.ts`), and removed after a timeout.
 *
 * Several workers may run this: they claim weeks of organizations one by one. If two move the same email anyway, they upload
 * two objects, and one is kept.
 */
import { randomUUID } from 'node:crypto';
import type { Database } from '../database/database.ts';
import { isLockTimeout, isUndefinedTable } from '../database/errors.ts';
import {
  emptyWeek,
  lockWeek,
  organizationsIn,
  type Week,
  weekNamed,
  weeksBefore,
} from '../database/partitions.ts';
import {
  advanceContentWeek,
  type ContentWeek,
  claimContentWeek,
  deleteContentWeek,
  finishContentWeek,
  noteContentWeek,
} from '../emails/moved/content-weeks.ts';
import { contentBytesOf, type MovableContent, nextToMove, ownMessageId } from '../emails/moved/movable.ts';
import { objectName } from '../emails/moved/object-name.ts';
import { announceObjects, removeObjects } from '../emails/moved/object-removals.ts';
import { newSealKey, packContent } from '../emails/moved/packed-content.ts';
import { keepMoved, type PutContent } from '../emails/moved/store-moved.ts';
import { type ObjectStore, StoreProblem } from '../protocols/object-store/object-store.ts';
import type { Clock } from '../runtime/clock.ts';
import { DAY_MS, MINUTE_MS } from '../runtime/durations.ts';
import type { Log } from '../runtime/log.ts';

interface MovingDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly store: ObjectStore;
  /** The minimum age of an email. */
  readonly afterMs: number;
  readonly onMoved?: ((emails: number, bytes: number) => void) | undefined;
}

const PUT_AT_ONCE = 16;
/** How soon a week is checked again if it still grows, or if the store did not answer. */
const SOON_MS = 10 * MINUTE_MS;
const AFTER_PROBLEM_MS = MINUTE_MS;
/** The bucket has a size limit of its own. That email stays here, and the others are moved. */
const OF_ONE_OBJECT = ['EntityTooLarge'];
const WEEK_MS = 7 * DAY_MS;
const CONTENT_TABLES = ['email_contents', 'email_attachments'] as const;

/** Runs until nothing is due, the store does not answer, or the signal aborts. */
export class ContentMover {
  readonly #deps: MovingDeps;
  /** Past weeks, which get no new content, whose organizations are recorded. */
  readonly #noted = new Set<string>();

  constructor(deps: MovingDeps) {
    this.#deps = deps;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { db, clock, log } = this.#deps;
    await this.#noteWeeks();
    while (!signal.aborted) {
      const claimed = await claimContentWeek(db, clock.nowMs());
      if (claimed === undefined) return;
      try {
        await this.#moveNext(claimed);
      } catch (error) {
        if (!(error instanceof StoreProblem)) throw error;
        log.warn(
          { problem: error.message },
          'content stays in the database: the content store accepted none of it',
        );
        return;
      }
    }
  }

  async #noteWeeks(): Promise<void> {
    const { db, clock } = this.#deps;
    const nowMs = clock.nowMs();
    // `weeksBefore` returns the weeks that ended before a moment; one week later gives those that have begun.
    for (const week of await weeksBefore(db, this.#oldEnoughMs() + WEEK_MS)) {
      if (this.#noted.has(week.name) || week.startMs > this.#oldEnoughMs()) continue;
      await this.#unlessDropped(week, () => noteContentWeek(db, week, nowMs));
      if (week.endMs <= this.#oldEnoughMs()) this.#noted.add(week.name);
    }
  }

  async #moveNext(claimed: ContentWeek): Promise<void> {
    const { db, clock } = this.#deps;
    const { organization_id: id, looked_to } = claimed;
    const week = weekNamed(claimed.week);
    const within = { fromMs: week.startMs, beforeMs: Math.min(week.endMs, this.#oldEnoughMs()) };
    const { contents, lookedTo, skipped } = await nextToMove(db, id, within, looked_to);
    if (lookedTo === null) return this.#atEnd(claimed, week);
    const { left, problem } = await this.#move(id, contents);
    if (problem !== null) {
      const dueAtMs = clock.nowMs() + AFTER_PROBLEM_MS;
      await advanceContentWeek(db, claimed, { lookedTo: looked_to, skipped: 0, dueAtMs });
      throw problem;
    }
    await advanceContentWeek(db, claimed, { lookedTo, skipped: skipped + left, dueAtMs: clock.nowMs() });
  }

  async #atEnd(claimed: ContentWeek, week: Week): Promise<void> {
    const { db, clock } = this.#deps;
    const nowMs = clock.nowMs();
    if (week.endMs > this.#oldEnoughMs()) {
      await advanceContentWeek(db, claimed, { lookedTo: null, skipped: 0, dueAtMs: nowMs + SOON_MS });
      return;
    }
    await finishContentWeek(db, claimed, nowMs);
    await this.#unlessDropped(week, () => releaseSpace(db, week));
  }

  /** Returns how many emails stayed, and why if the store refused all for a general reason. */
  async #move(organizationId: string, contents: readonly MovableContent[]): Promise<Moved> {
    const { db, clock, onMoved } = this.#deps;
    const planned = contents.map((content) => ({ content, objectId: randomUUID(), sealKey: newSealKey() }));
    if (planned.length === 0) return { left: 0, problem: null };
    const nameOf = ({ content, objectId }: Planned) => objectName(organizationId, content.email_id, objectId);
    await announceObjects(db, organizationId, planned.map(nameOf), clock.nowMs());
    const { put, problem } = await this.#putAll(organizationId, planned);
    const kept = await db.transaction(async (tx) => {
      const moved = put.length === 0 ? [] : await keepMoved(tx, organizationId, put);
      const ids = new Set(moved.map(({ objectId }) => objectId));
      const unused = planned.filter(({ objectId }) => !ids.has(objectId));
      await removeObjects(tx, organizationId, unused.map(nameOf), clock.nowMs());
      return moved;
    });
    const bytes = put.filter((one) => kept.includes(one)).reduce((sum, one) => sum + one.objectBytes, 0);
    onMoved?.(kept.length, bytes);
    const isAway = problem !== null && put.length === 0 && !OF_ONE_OBJECT.includes(problem.code ?? '');
    return { left: contents.length - kept.length, problem: isAway ? problem : null };
  }

  async #putAll(organizationId: string, planned: readonly Planned[]): Promise<PutResult> {
    const put: (PutContent & { readonly objectBytes: number })[] = [];
    let problem: StoreProblem | null = null;
    for (let next = 0; next < planned.length && (problem === null || put.length > 0); next += PUT_AT_ONCE) {
      const some = planned.slice(next, next + PUT_AT_ONCE);
      await Promise.all(
        some.map(async (one) => {
          try {
            put.push(await this.#putOne(organizationId, one));
          } catch (error) {
            if (!(error instanceof StoreProblem)) throw error;
            problem = error;
          }
        }),
      );
    }
    return { put, problem };
  }

  async #putOne(organizationId: string, { content, objectId, sealKey }: Planned) {
    const { email_id: emailId } = content;
    const packed = await packContent(content, { organizationId, emailId, objectId }, sealKey);
    await this.#deps.store.put(objectName(organizationId, emailId, objectId), packed);
    const about = { contentBytes: contentBytesOf(content), messageId: ownMessageId(content.mime) };
    return { emailId, objectId, sealKey, objectBytes: packed.length, ...about };
  }

  /** Retention may drop the week at any time. */
  async #unlessDropped(week: Week, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!isUndefinedTable(error)) throw error;
      await deleteContentWeek(this.#deps.db, week.name);
    }
  }

  #oldEnoughMs(): number {
    return this.#deps.clock.nowMs() - this.#deps.afterMs;
  }
}

interface Planned {
  readonly content: MovableContent;
  readonly objectId: string;
  readonly sealKey: Buffer;
}

interface PutResult {
  readonly put: readonly (PutContent & { readonly objectBytes: number })[];
  readonly problem: StoreProblem | null;
}

interface Moved {
  readonly left: number;
  readonly problem: StoreProblem | null;
}

/**
 * Deleted rows leave empty pages, and past weeks get no new rows: truncating their tables frees the disk at once. Skipped while
 * any organization has content there, or while the tables are in use.
 */
async function releaseSpace(db: Database, week: Week): Promise<void> {
  if ((await organizationsIn(db, week, 'email_contents')).length > 0) return;
  try {
    await db.transaction(async (tx) => {
      await lockWeek(tx, week, CONTENT_TABLES);
      for (const table of CONTENT_TABLES) if ((await organizationsIn(tx, week, table)).length > 0) return;
      await emptyWeek(tx, week, CONTENT_TABLES);
    });
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
  }
}
