/**
 * The progress of moving content. Each week of each organization is scanned in the order of its emails. Emails that are not
 * final yet are skipped, and the week is scanned again a day later. The one writer of `content_weeks`.
 */

import { notMigrating } from '../../database/organization-freezes.ts';
import { organizationsIn, type Week } from '../../database/partitions.ts';
import { type Sql, sql } from '../../database/sql.ts';
import { DAY_MS, MINUTE_MS } from '../../runtime/durations.ts';
import { weekNameOf } from './object-name.ts';

const insert = sql(
  'content_weeks.insert',
  `INSERT INTO content_weeks (organization_id, week, due_at)
   SELECT organization_id, $2::date, $3 FROM unnest($1::text[]) AS organization_id WHERE ${notMigrating()}
   ON CONFLICT (organization_id, week) DO NOTHING`,
  { home: 'cell' },
);

/** Claims the week that has waited longest: organizations and weeks take turns. */
const claim = sql<ContentWeek>(
  'content_weeks.claim',
  `UPDATE content_weeks w SET due_at = $2
   FROM (SELECT organization_id, week FROM content_weeks WHERE due_at <= $1 AND ${notMigrating()}
         ORDER BY due_at, week, organization_id LIMIT 1 FOR UPDATE SKIP LOCKED) AS due
   WHERE w.organization_id = due.organization_id AND w.week = due.week
   RETURNING w.organization_id, w.looked_to,
     (extract(year FROM w.week) * 10000 + extract(month FROM w.week) * 100 + extract(day FROM w.week))::integer::text AS week`,
  { home: 'cell' },
);

const advance = sql(
  'content_weeks.advance',
  `UPDATE content_weeks SET looked_to = $3, skipped = skipped + $4, due_at = $5
   WHERE organization_id = $1 AND week = $2::date`,
  { home: 'cell', organization: '$1' },
);

/** Emails whose content was restored meanwhile count as skipped. */
const finish = sql(
  'content_weeks.finish',
  `UPDATE content_weeks SET looked_to = NULL, skipped = 0, due_at = CASE WHEN skipped > 0 THEN $3::timestamptz END
   WHERE organization_id = $1 AND week = $2::date`,
  { home: 'cell', organization: '$1' },
);

const reopen = sql(
  'content_weeks.reopen',
  `UPDATE content_weeks SET skipped = skipped + 1, due_at = coalesce(due_at, $3)
   WHERE organization_id = $1 AND week = $2::date`,
  { home: 'cell', organization: '$1' },
);

const forget = sql('content_weeks.delete', 'DELETE FROM content_weeks WHERE week = $1::date', {
  home: 'cell',
});

export interface ContentWeek {
  readonly organization_id: string;
  /** The week's name, such as `20261109`. */
  readonly week: string;
  readonly looked_to: string | null;
}

/** A claim expires after this, so that a killed worker does not block the week for longer. */
const CLAIMED_MS = 5 * MINUTE_MS;
/** How soon skipped emails are checked again. */
const LOOK_AGAIN_MS = DAY_MS;

/** Records the organizations with content in a week, to be scanned from its start. */
export async function noteContentWeek(db: Sql, week: Week, nowMs: number): Promise<void> {
  const organizations = await organizationsIn(db, week, 'email_contents');
  if (organizations.length > 0) await db.exec(insert, [organizations, week.name, new Date(nowMs)]);
}

/** Undefined if no week is due. */
export function claimContentWeek(db: Sql, nowMs: number): Promise<ContentWeek | undefined> {
  return db.maybeOne(claim, [new Date(nowMs), new Date(nowMs + CLAIMED_MS)]);
}

export async function advanceContentWeek(
  db: Sql,
  { organization_id, week, looked_to }: ContentWeek,
  { lookedTo, skipped, dueAtMs }: { lookedTo: string | null; skipped: number; dueAtMs: number },
): Promise<void> {
  await db.exec(advance, [organization_id, week, lookedTo ?? looked_to, skipped, new Date(dueAtMs)]);
}

/** All of the week was scanned, and no more content can be added. */
export async function finishContentWeek(
  db: Sql,
  { organization_id, week }: ContentWeek,
  nowMs: number,
): Promise<void> {
  await db.exec(finish, [organization_id, week, new Date(nowMs + LOOK_AGAIN_MS)]);
}

/** Content of one of its emails was restored to PostgreSQL. It is moved again when the email is final. */
export async function reopenWeekOf(
  tx: Sql,
  organizationId: string,
  emailId: string,
  nowMs: number,
): Promise<void> {
  await tx.exec(reopen, [organizationId, weekNameOf(emailId), new Date(nowMs + LOOK_AGAIN_MS)]);
}

/** Call when the week's mail is removed. */
export async function deleteContentWeek(tx: Sql, weekName: string): Promise<void> {
  await tx.exec(forget, [weekName]);
}
