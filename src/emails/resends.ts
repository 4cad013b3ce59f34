/** Which emails were sent again, and as which. The one writer of `resends`. */
import { type Sql, sql } from '../database/sql.ts';
import type { NewEmail } from './email.ts';

const insert = sql(
  'resends.insert',
  `INSERT INTO resends (organization_id, email_id, resend_id)
   SELECT o, e, r FROM unnest($1::text[], $2::uuid[], $3::uuid[]) AS new(o, e, r)
   ON CONFLICT (organization_id, email_id, resend_id) DO NOTHING`,
  { home: 'cell', organization: '$1' },
);

/** The newest, in the order in which they were sent: ids begin with the time. */
const select = sql<{ resend_id: string }>(
  'resends.of_email',
  `SELECT resend_id FROM (
     SELECT resend_id FROM resends WHERE organization_id = $1 AND email_id = $2 ORDER BY resend_id DESC LIMIT $3
   ) AS newest ORDER BY resend_id`,
  { home: 'cell', organization: '$1' },
);

/** Checks each email separately: a join would read every email. */
const removeOrphaned = sql(
  'resends.delete_orphaned',
  `DELETE FROM resends d USING (
     SELECT r.organization_id, r.email_id, r.resend_id FROM resends r
     WHERE (SELECT true FROM emails e WHERE e.organization_id = r.organization_id AND e.id = r.email_id) IS NULL
     LIMIT $1
   ) AS gone
   WHERE d.organization_id = gone.organization_id AND d.email_id = gone.email_id AND d.resend_id = gone.resend_id`,
  { home: 'cell' },
);

/** The most that an email shows. */
const MAX_SHOWN = 100;

/** In the transaction that accepts the emails. Emails that are no resends are ignored. */
export async function recordResends(tx: Sql, emails: readonly NewEmail[]): Promise<void> {
  const resends = emails.filter(({ options }) => options.resent_from !== undefined);
  if (resends.length === 0) return;
  await tx.exec(insert, [
    resends.map(({ organizationId }) => organizationId),
    resends.map(({ options }) => options.resent_from),
    resends.map(({ id }) => id),
  ]);
}

/** The ids of the emails as which an email was sent again. */
export async function resendsOf(db: Sql, organizationId: string, emailId: string): Promise<string[]> {
  const rows = await db.many(select, [organizationId, emailId, MAX_SHOWN]);
  return rows.map(({ resend_id }) => resend_id);
}

/** Removes at most this many rows of removed emails. Returns how many. */
export function removeOrphanedResends(tx: Sql, limit: number): Promise<number> {
  return tx.exec(removeOrphaned, [limit]);
}
