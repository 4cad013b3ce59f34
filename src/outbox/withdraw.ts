/** Taking mail back, or moving it, while it is still scheduled: before any worker has claimed any of it. */
import { type Sql, sql } from '../database/sql.ts';

const lockUntouched = sql<{ position: number }>(
  'outbox.lock_untouched',
  `SELECT position FROM outbox
   WHERE email_id = $2 AND organization_id = $1 AND worker IS NULL AND attempt = 0
   FOR UPDATE`,
);

const remove = sql('outbox.withdraw', 'DELETE FROM outbox WHERE organization_id = $1 AND email_id = $2');

const move = sql(
  'outbox.reschedule',
  `UPDATE outbox SET due_at = to_timestamp($3 / 1000.0), expires_at = to_timestamp($4 / 1000.0)
   WHERE organization_id = $1 AND email_id = $2`,
);

/** Locks an email's deliveries, and says whether all of them (`count`) are still untouched. */
export async function holdUntouched(
  tx: Sql,
  organizationId: string,
  emailId: string,
  count: number,
): Promise<boolean> {
  return (await tx.many(lockUntouched, [organizationId, emailId])).length === count;
}

export async function withdraw(tx: Sql, organizationId: string, emailId: string): Promise<void> {
  await tx.exec(remove, [organizationId, emailId]);
}

export async function reschedule(
  tx: Sql,
  key: { readonly organizationId: string; readonly emailId: string },
  dueAtMs: number,
  expiresAtMs: number,
): Promise<void> {
  await tx.exec(move, [key.organizationId, key.emailId, dueAtMs, expiresAtMs]);
}
