/** Finds the newest captured message for each waiting request, in one statement. */
import { type Sql, sql } from '../database/sql.ts';

export interface WantedMail {
  readonly organizationId: string;
  /** Null matches any recipient. */
  readonly to: string | null;
  /** Part of the subject, case-insensitive; null matches any subject. */
  readonly subject: string | null;
  /** Excludes messages whose id is lower. */
  readonly floor: string;
}

const select = sql<{ place: number; id: string }>(
  'sandbox.newest_matching',
  `SELECT w.place::int - 1 AS place, m.id
   FROM unnest($1::text[], $2::text[], $3::text[], $4::uuid[]) WITH ORDINALITY
     AS w (organization_id, rcpt_to, subject, floor, place)
   CROSS JOIN LATERAL (
     SELECT m.id FROM sandbox_messages m
     WHERE m.organization_id = w.organization_id AND m.id >= w.floor
       AND (w.rcpt_to IS NULL OR lower(m.rcpt_to) = lower(w.rcpt_to))
       AND (w.subject IS NULL OR strpos(lower(m.subject), lower(w.subject)) > 0)
     ORDER BY m.id DESC LIMIT 1
   ) AS m`,
  { home: 'cell', organization: '$1' },
);

/** Results by position in the list; no entry for a request without a match. */
export async function newestMatching(
  db: Sql,
  all: readonly WantedMail[],
): Promise<ReadonlyMap<number, string>> {
  const rows = await db.many(select, [
    all.map((one) => one.organizationId),
    all.map((one) => one.to),
    all.map((one) => one.subject),
    all.map((one) => one.floor),
  ]);
  return new Map(rows.map(({ place, id }) => [place, id]));
}
