/**
 * Removes mail past its retention: content first, emails and events later, as each organization has configured.
 *
 * Mail is removed by the week of its acceptance, once the whole week has expired, which is up to seven days late. A week that
 * has expired for every organization in it is emptied and dropped at once. Otherwise its rows are removed in small steps, with
 * pauses in between. An undelivered email prevents its week from being dropped, and stays with its content until it is settled.
 *
 * Several workers may try at the same time: the holder of the advisory lock runs the step.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { removeDaysFromCounts } from '../counters/email-counts.ts';
import type { Database } from '../database/database.ts';
import { isLockTimeout } from '../database/errors.ts';
import {
  dropWeek,
  emptyWeek,
  limitLocks,
  lockWeek,
  organizationsIn,
  type Week,
  type WeeklyTable,
  weeksBefore,
} from '../database/partitions.ts';
import { type Sql, sql } from '../database/sql.ts';
import { removeUnusedBatchAttachments } from '../emails/batch-attachments.ts';
import { deleteContentWeek } from '../emails/moved/content-weeks.ts';
import { removeMovedStep, removeObjectsOfWeek } from '../emails/moved/store-moved.ts';
import { removeOrphanedResends } from '../emails/resends.ts';
import { holdsQueued, removeContentsStep, removeEmailsStep } from '../emails/store-removal.ts';
import { type RetentionSettings, readAllRetention } from '../organizations/settings/retention.ts';
import { detachDeletedEmails } from '../received/conversations.ts';
import {
  deleteEmptyDays,
  organizationsThatReceived,
  removeReceivedContentStep,
  removeReceivedStep,
} from '../received/store-removal.ts';
import type { Clock } from '../runtime/clock.ts';
import { DAY_MS } from '../runtime/durations.ts';
import type { Log } from '../runtime/log.ts';
import { utcDay } from '../runtime/timestamp.ts';

export interface RetentionDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
}

/** The minimum pause. A step is followed by a pause of its own length, which leaves half of the time to other work. */
const MIN_PAUSE_MS = 10;
/** Small, because the files of batches may be large. */
const BATCHES_PER_STEP = 20;
const RECEIVED_PER_STEP = 50;
/** Larger, because these rows are small. */
const GONE_PER_STEP = 1_000;
const CONTENT_TABLES = ['email_contents', 'email_attachments', 'moved_contents'] as const;
const CONTENTS = ['email_contents', 'moved_contents'] as const;

const tryLock = sql<{ held: boolean }>(
  'retention.try_lock',
  `SELECT pg_try_advisory_xact_lock(hashtext('postrider.retention')) AS held`,
  { home: 'either' },
);

type RemovedFrom = Exclude<WeeklyTable, 'email_attachments'>;
type SettingsOf = (organizationId: string) => RetentionSettings;

interface Run extends RetentionDeps {
  readonly nowMs: number;
  readonly settingsOf: SettingsOf;
  readonly signal: AbortSignal;
}

/** Processes all weeks once. Stops early when the signal aborts, and leaves the rest for next time. */
export async function applyRetention(deps: RetentionDeps, signal: AbortSignal): Promise<void> {
  const run = { ...deps, nowMs: deps.clock.nowMs(), settingsOf: await readAllRetention(deps.db), signal };
  for (const week of await weeksBefore(deps.db, run.nowMs - DAY_MS)) {
    if (signal.aborted) return;
    try {
      await cleanWeek(run, week);
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      deps.log.info({ week: week.name }, 'a week of mail is in use; its removal is retried in the next run');
    }
  }
  await removeInSteps(run, (tx) => removeUnusedBatchAttachments(tx, BATCHES_PER_STEP));
  await cleanReceived(run);
}

/** Received mail has the same retention as sent mail. It has no weekly partitions, because there is less of it. */
async function cleanReceived(run: Run): Promise<void> {
  for (const id of await organizationsThatReceived(run.db)) {
    if (run.signal.aborted) return;
    const { email_days, content_days } = run.settingsOf(id);
    const before = (days: number) => new Date(run.nowMs - days * DAY_MS);
    if (email_days > 0)
      await removeInSteps(run, (tx) => removeReceivedStep(tx, id, before(email_days), RECEIVED_PER_STEP));
    if (content_days > 0)
      await removeInSteps(run, (tx) =>
        removeReceivedContentStep(tx, id, before(content_days), RECEIVED_PER_STEP),
      );
    await deleteEmptyDays(run.db, id);
  }
  await removeInSteps(run, (tx) => detachDeletedEmails(tx, GONE_PER_STEP));
  await removeInSteps(run, (tx) => removeOrphanedResends(tx, GONE_PER_STEP));
}

async function cleanWeek(run: Run, week: Week): Promise<void> {
  if (await removeWholeWeek(run, week)) return;
  await removeOfEach(run, week, 'emails', removeEmailsStep);
  if (await removeWholeContent(run, week)) return;
  await removeContent(run, week);
}

/** True if the week is empty now. */
async function removeWholeWeek(run: Run, week: Week): Promise<boolean> {
  const { db, log } = run;
  if (!(await canGo(run, db, week, ['emails']))) return false;
  const emptied = await db.transaction(async (tx) => {
    if (!(await isMine(tx))) return false;
    await lockWeek(tx, week);
    // Checked again under the lock.
    if (!(await canGo(run, tx, week, ['emails']))) return false;
    await removeObjectsOfWeek(tx, week, run.nowMs);
    await emptyWeek(tx, week);
    await deleteContentWeek(tx, week.name);
    await removeDaysFromCounts(tx, utcDay(week.startMs), utcDay(week.endMs));
    return true;
  });
  if (!emptied) return false;
  await db.transaction((tx) => dropWeek(tx, week));
  log.info({ week: week.name }, 'dropped a week of mail at the end of its retention');
  return true;
}

/** Keeps the tables: they are dropped with the emails. */
async function removeWholeContent(run: Run, week: Week): Promise<boolean> {
  const { db } = run;
  if ((await organizationsOf(db, week, CONTENTS)).length === 0) return true;
  if (!(await canGo(run, db, week, CONTENTS))) return false;
  return db.transaction(async (tx) => {
    if (!(await isMine(tx))) return false;
    await lockWeek(tx, week, CONTENT_TABLES);
    if (!(await canGo(run, tx, week, CONTENTS))) return false;
    await removeObjectsOfWeek(tx, week, run.nowMs);
    await emptyWeek(tx, week, CONTENT_TABLES);
    return true;
  });
}

async function canGo(run: Run, db: Sql, week: Week, tables: readonly RemovedFrom[]): Promise<boolean> {
  for (const table of tables) {
    const organizations = await organizationsIn(db, week, table);
    if (!organizations.every((id) => isPast(run, week, daysOf(run.settingsOf(id), table)))) return false;
  }
  return !(await holdsQueued(db, spanOf(week)));
}

async function organizationsOf(db: Sql, week: Week, tables: readonly RemovedFrom[]): Promise<string[]> {
  const lists = await Promise.all(tables.map((table) => organizationsIn(db, week, table)));
  return lists.flat();
}

async function removeContent(run: Run, week: Week): Promise<void> {
  await removeOfEach(run, week, 'email_contents', removeContentsStep);
  await removeOfEach(run, week, 'moved_contents', removeMovedStep);
}

async function removeOfEach(
  run: Run,
  week: Week,
  table: RemovedFrom,
  step: typeof removeEmailsStep,
): Promise<void> {
  for (const id of await organizationsIn(run.db, week, table)) {
    if (!isPast(run, week, daysOf(run.settingsOf(id), table))) continue;
    await removeInSteps(run, (tx) => step(tx, id, spanOf(week), run.nowMs));
  }
}

async function removeInSteps(run: Run, step: (tx: Sql) => Promise<number>): Promise<void> {
  while (!run.signal.aborted) {
    const startedMs = performance.now();
    const removed = await run.db.transaction(async (tx) => {
      await limitLocks(tx);
      return (await isMine(tx)) ? step(tx) : 0;
    });
    if (removed === 0) break;
    await rest(performance.now() - startedMs, run.signal);
  }
}

async function isMine(tx: Sql): Promise<boolean> {
  return (await tx.one(tryLock)).held;
}

function daysOf({ content_days, email_days }: RetentionSettings, table: RemovedFrom): number {
  return table === 'emails' || content_days === 0 ? email_days : content_days;
}

function isPast({ nowMs }: Run, week: Week, days: number): boolean {
  return days > 0 && week.endMs <= nowMs - days * DAY_MS;
}

function spanOf({ startMs, endMs }: Week) {
  return { fromMs: startMs, beforeMs: endMs };
}

async function rest(workedMs: number, signal: AbortSignal): Promise<void> {
  await pause(Math.max(MIN_PAUSE_MS, workedMs), undefined, { signal }).catch(() => undefined);
}
