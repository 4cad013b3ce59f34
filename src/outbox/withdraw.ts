/** Withdraws or reschedules mail that no worker has claimed. */

import { notMigrating } from '../database/organization-freezes.ts';
import { type Sql, sql } from '../database/sql.ts';
import type { Mode } from '../runtime/config.ts';
import { type DeliveryKey, isDelivery } from './states.ts';

const lockUntouched = sql<{ position: number }>(
  'outbox.lock_untouched',
  `SELECT position FROM outbox
   WHERE email_id = $2 AND organization_id = $1 AND worker IS NULL AND attempt = 0
   FOR UPDATE`,
  { home: 'cell', organization: '$1' },
);

const remove = sql('outbox.withdraw', 'DELETE FROM outbox WHERE organization_id = $1 AND email_id = $2', {
  home: 'cell',
  organization: '$1',
});

/** Mail that waits for approval keeps waiting, and has its new time after the approval. */
const move = sql(
  'outbox.reschedule',
  `UPDATE outbox SET
     due_at = CASE WHEN hold_id = 'approval' THEN 'infinity' ELSE to_timestamp($3 / 1000.0) END,
     expires_at = CASE WHEN hold_id = 'approval' THEN 'infinity' ELSE to_timestamp($4 / 1000.0) END,
     time_left = CASE WHEN hold_id = 'approval' THEN to_timestamp($4 / 1000.0) - to_timestamp($3 / 1000.0) END,
     hold_id = CASE WHEN hold_id = 'approval' THEN hold_id END
   WHERE organization_id = $1 AND email_id = $2`,
  { home: 'cell', organization: '$1' },
);

/** Locks an email's deliveries, and returns whether all of them (`count`) are still untouched. */
export async function lockUnclaimed(
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

interface WithdrawnRow {
  organization_id: string;
  email_id: string;
  position: number;
  attempt: number;
}

/** In the order of the primary key, from the end of the previous step, so no row is read twice. */
const removeOfMode = sql<WithdrawnRow>(
  'outbox.withdraw_of_mode',
  `WITH next AS (
     SELECT organization_id, email_id, position FROM outbox
     WHERE (email_id, position) > ($2::uuid, $3::smallint) AND mode = $1 AND worker IS NULL AND ${notMigrating()}
     ORDER BY email_id, position
     LIMIT $4
     FOR UPDATE SKIP LOCKED
   ), withdrawn AS (
     DELETE FROM outbox o USING next
     WHERE ${isDelivery('o', 'next')}
     RETURNING o.organization_id, o.email_id, o.position, o.attempt
   )
   SELECT * FROM withdrawn ORDER BY email_id, position`,
  { home: 'cell' },
);

export interface Withdrawn extends DeliveryKey {
  readonly attempts: number;
}

export const QUEUE_START = { emailId: '00000000-0000-0000-0000-000000000000', position: -1 };

/** Removes up to `limit` deliveries of a mode from the queue, in order, after the given one. Claimed deliveries stay. */
export async function withdrawOfMode(
  tx: Sql,
  mode: Mode,
  after: Pick<DeliveryKey, 'emailId' | 'position'> | null,
  limit: number,
): Promise<Withdrawn[]> {
  const { emailId, position } = after ?? QUEUE_START;
  const rows = await tx.many(removeOfMode, [mode, emailId, position, limit]);
  return rows.map(toWithdrawn);
}

const removeEach = sql<WithdrawnRow>(
  'outbox.withdraw_each',
  `DELETE FROM outbox o
   USING unnest($1::text[], $2::uuid[], $3::smallint[]) AS asked(organization_id, email_id, position)
   WHERE ${isDelivery('o', 'asked')} AND o.worker IS NULL
   RETURNING o.organization_id, o.email_id, o.position, o.attempt`,
  { home: 'cell', organization: '$1' },
);

/** Removes these deliveries from the queue. Claimed deliveries stay. */
export async function withdrawEach(tx: Sql, keys: readonly DeliveryKey[]): Promise<Withdrawn[]> {
  const rows = await tx.many(removeEach, [
    keys.map((key) => key.organizationId),
    keys.map((key) => key.emailId),
    keys.map((key) => key.position),
  ]);
  return rows.map(toWithdrawn);
}

function toWithdrawn(row: WithdrawnRow): Withdrawn {
  return {
    organizationId: row.organization_id,
    emailId: row.email_id,
    position: row.position,
    attempts: row.attempt,
  };
}

const selectQueued = sql<{ email_id: string }>(
  'outbox.queued_among',
  'SELECT DISTINCT email_id FROM outbox WHERE organization_id = $1 AND email_id = ANY ($2::uuid[])',
  { home: 'cell', organization: '$1' },
);

/** The emails that still have a delivery in the queue, claimed or not. */
export async function queuedAmong(
  db: Sql,
  organizationId: string,
  emailIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db.many(selectQueued, [organizationId, emailIds]);
  return new Set(rows.map(({ email_id }) => email_id));
}
