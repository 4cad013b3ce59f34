/**
 * Statuses of an organization's emails by the hour of acceptance, the data of the overview. The one writer of
 * `hourly_counts`, `complaint_counts` and `click_counts`.
 *
 * Updated with `email_counts` in the same transaction. A change of status moves an email from one column to another;
 * the number accepted is the sum of all moves, so a retry (failed → queued) is not counted twice. Retention does not
 * change these counts; a chore removes hours older than any overview.
 */

import { call, inOrder } from '../database/call.ts';
import { type Sql, sql } from '../database/sql.ts';
import type { EmailStatus } from '../emails/status.ts';
import { DAY_MS, HOUR_MS } from '../runtime/durations.ts';
import { uuidv7Ms } from '../runtime/ids.ts';

export const KEPT_DAYS = 40;

export interface CountMove {
  readonly organizationId: string;
  /** The time of acceptance, which fixes the hour and day under which the email is counted. */
  readonly createdAtMs: number;
  readonly status: EmailStatus;
  readonly by: number;
  /** Null for `transactional`. */
  readonly stream: string | null;
}

/** The parameters of `move_hourly_counts`; the later ones are omitted when only `accepted` changes. */
export const HOURS_ACCEPTED = ['hour_organizations', 'hours', 'hour_accepted'] as const;
const HOURS = [
  ...HOURS_ACCEPTED,
  ...(['hour_delivered', 'hour_bounced', 'hour_failed', 'hour_opened'] as const),
] as const;

const move = sql('hourly_counts.move', call('SELECT move_hourly_counts', HOURS), {
  home: 'cell',
  organization: '$1',
});

const addComplaints = sql(
  'complaint_counts.add',
  `INSERT INTO complaint_counts (organization_id, hour, complaints)
   SELECT o, h, count(*) FROM unnest($1::text[], $2::timestamptz[]) AS c(o, h) GROUP BY o, h ORDER BY o, h
   ON CONFLICT (organization_id, hour) DO UPDATE SET complaints = complaint_counts.complaints + excluded.complaints`,
  { home: 'cell', organization: '$1' },
);

const addClicks = sql(
  'click_counts.add',
  `INSERT INTO click_counts (organization_id, hour, recipients)
   SELECT o, h, count(*) FROM unnest($1::text[], $2::timestamptz[]) AS c(o, h) GROUP BY o, h ORDER BY o, h
   ON CONFLICT (organization_id, hour) DO UPDATE SET recipients = click_counts.recipients + excluded.recipients`,
  { home: 'cell', organization: '$1' },
);

/** `$4` is the period to sum by: hour or day. */
const series = sql<PeriodRow>(
  'hourly_counts.series',
  `SELECT at, sum(accepted)::int AS accepted, sum(delivered)::int AS delivered, sum(bounced)::int AS bounced,
          sum(failed)::int AS failed, sum(opened)::int AS opened, sum(complaints)::int AS complaints,
          sum(clicked)::int AS clicked
   FROM (SELECT date_trunc($4::text, hour, 'UTC') AS at, accepted, delivered, bounced, failed, opened, 0 AS complaints,
                0 AS clicked
         FROM hourly_counts WHERE organization_id = $1 AND hour >= $2 AND hour <= $3
         UNION ALL
         SELECT date_trunc($4::text, hour, 'UTC'), 0, 0, 0, 0, 0, complaints, 0
         FROM complaint_counts WHERE organization_id = $1 AND hour >= $2 AND hour <= $3
         UNION ALL
         SELECT date_trunc($4::text, hour, 'UTC'), 0, 0, 0, 0, 0, 0, recipients
         FROM click_counts WHERE organization_id = $1 AND hour >= $2 AND hour <= $3) AS hours
   GROUP BY at ORDER BY at`,
  { home: 'cell', organization: '$1' },
);

const removeOldHours = sql('hourly_counts.remove_old', 'DELETE FROM hourly_counts WHERE hour < $1', {
  home: 'cell',
});
const removeOldComplaints = sql(
  'complaint_counts.remove_old',
  'DELETE FROM complaint_counts WHERE hour < $1',
  { home: 'cell' },
);

const removeOldClicks = sql('click_counts.remove_old', 'DELETE FROM click_counts WHERE hour < $1', {
  home: 'cell',
});

interface PeriodRow {
  at: Date;
  accepted: number;
  delivered: number;
  bounced: number;
  failed: number;
  opened: number;
  complaints: number;
  clicked: number;
}

export type PeriodCounts = Readonly<PeriodRow>;

interface Sum {
  readonly organizationId: string;
  readonly hour: string;
  accepted: number;
  queued: number;
  delivered: number;
  bounced: number;
  failed: number;
  opened: number;
}

export async function moveHourlyCounts(tx: Sql, moves: readonly CountMove[]): Promise<void> {
  const columns = hourColumns(moves);
  if (columns.hours.length > 0) await tx.exec(move, inOrder(HOURS, columns));
}

export function hourColumns(moves: readonly CountMove[]) {
  const rows = sumUp(moves);
  return {
    hour_organizations: rows.map((row) => row.organizationId),
    hours: rows.map((row) => row.hour),
    hour_accepted: rows.map((row) => row.accepted),
    hour_delivered: rows.map((row) => row.delivered),
    hour_bounced: rows.map((row) => row.bounced),
    hour_failed: rows.map((row) => row.failed),
    hour_opened: rows.map((row) => row.opened),
  };
}

/** Counted in the hour in which the email was accepted. */
type Counted = readonly { readonly organizationId: string; readonly emailId: string }[];

/** One entry for each email that a recipient complained about; further complaints about it are not counted. */
export async function countComplaints(tx: Sql, complaints: Counted): Promise<void> {
  if (complaints.length > 0) await tx.exec(addComplaints, countedIn(complaints));
}

/** One entry for each recipient that followed its first link. */
export async function countClicks(tx: Sql, clicked: Counted): Promise<void> {
  if (clicked.length > 0) await tx.exec(addClicks, countedIn(clicked));
}

function countedIn(all: Counted) {
  return [all.map((one) => one.organizationId), all.map((one) => hourOf(uuidv7Ms(one.emailId)))];
}

/** The hours or UTC days with any counts, oldest first. */
export function countsByPeriod(
  db: Sql,
  organizationId: string,
  { fromMs, toMs, unit }: { readonly fromMs: number; readonly toMs: number; readonly unit: 'hour' | 'day' },
): Promise<PeriodCounts[]> {
  return db.many(series, [organizationId, new Date(fromMs), new Date(toMs), unit]);
}

export async function removeOldHourlyCounts(db: Sql, nowMs: number): Promise<void> {
  const before = new Date(nowMs - KEPT_DAYS * DAY_MS);
  await db.exec(removeOldHours, [before]);
  await db.exec(removeOldComplaints, [before]);
  await db.exec(removeOldClicks, [before]);
}

function sumUp(moves: readonly CountMove[]): Sum[] {
  const sums = new Map<string, Sum>();
  for (const { organizationId, createdAtMs, status, by } of moves) {
    const hourNumber = Math.floor(createdAtMs / HOUR_MS);
    const key = `${hourNumber} ${organizationId}`;
    let sum = sums.get(key);
    if (!sum) {
      sum = { organizationId, hour: hourOf(createdAtMs), ...NOTHING };
      sums.set(key, sum);
    }
    sum.accepted += by;
    sum[status] += by;
  }
  return [...sums.values()].filter(isMoved);
}

const NOTHING = { accepted: 0, queued: 0, delivered: 0, bounced: 0, failed: 0, opened: 0 };

function isMoved({ accepted, delivered, bounced, failed, opened }: Sum): boolean {
  return accepted !== 0 || delivered !== 0 || bounced !== 0 || failed !== 0 || opened !== 0;
}

function hourOf(ms: number): string {
  return new Date(Math.floor(ms / HOUR_MS) * HOUR_MS).toISOString();
}
