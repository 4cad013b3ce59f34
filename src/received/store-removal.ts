/** Removes received mail. With `store.ts`, the one writer of its tables. */
import { type Sql, sql } from '../database/sql.ts';

/** Subtracts the removed bytes from the total of each day. */
const LESS = `UPDATE received_days d SET bytes = greatest(0, d.bytes - gone.bytes)
  FROM (SELECT (received_at AT TIME ZONE 'UTC')::date AS day, sum(stored_bytes) AS bytes FROM removed GROUP BY 1) AS gone
  WHERE d.organization_id = $1 AND d.day = gone.day`;

const remove = sql<{ id: string }>(
  'received.remove',
  `WITH removed AS (
     DELETE FROM received_emails WHERE organization_id = $1 AND id = ANY ($2::uuid[])
     RETURNING id, received_at, stored_bytes
   ), less AS (${LESS})
   SELECT id FROM removed`,
  { home: 'cell', organization: '$1' },
);

const removeStep = sql<{ id: string }>(
  'received.remove_step',
  `WITH old AS (
     SELECT id FROM received_emails WHERE organization_id = $1 AND received_at < $2 AND state <> 'waiting'
     ORDER BY id LIMIT $3
   ), removed AS (
     DELETE FROM received_emails m USING old WHERE m.organization_id = $1 AND m.id = old.id
     RETURNING m.id, m.received_at, m.stored_bytes
   ), less AS (${LESS})
   SELECT id FROM removed`,
  { home: 'cell', organization: '$1' },
);

const removeContentStep = sql<{ id: string }>(
  'received.remove_content_step',
  `WITH old AS (
     SELECT id, received_at, stored_bytes FROM received_emails
     WHERE organization_id = $1 AND received_at < $2 AND state <> 'waiting' AND raw IS NOT NULL
     ORDER BY id LIMIT $3
   ), removed AS (
     UPDATE received_emails m
     SET raw = NULL, text = NULL, html = NULL, reply = NULL, stored_bytes = 0,
         details = jsonb_set(m.details, '{headers}', '[]')
     FROM old WHERE m.organization_id = $1 AND m.id = old.id
     RETURNING m.id, old.received_at, old.stored_bytes
   ), less AS (${LESS})
   SELECT id FROM removed`,
  { home: 'cell', organization: '$1' },
);

/** Mail from these addresses or to them: both contain personal data. */
const selectOf = sql<{ id: string }>(
  'received.of_address',
  `SELECT id FROM received_emails
   WHERE organization_id = $1 AND (lower(from_email) = lower($2) OR lower(mail_from) = lower($2)
     OR lower($2) = ANY (recipients)
     OR EXISTS (SELECT FROM jsonb_array_elements((details->'to') || (details->'cc') || (details->'reply_to')) AS one
                WHERE lower(one->>'email') = lower($2)))
   ORDER BY id LIMIT $3`,
  { home: 'cell', organization: '$1' },
);

const selectOrganizations = sql<{ organization_id: string }>(
  'received.organizations',
  'SELECT DISTINCT organization_id FROM received_days',
  { home: 'cell' },
);

const forgetDays = sql(
  'received.delete_days',
  `DELETE FROM received_days WHERE organization_id = $1 AND bytes = 0 AND day < (now() AT TIME ZONE 'UTC')::date`,
  { home: 'cell', organization: '$1' },
);

/** Returns the ids of the removed mail. */
export async function removeReceived(
  tx: Sql,
  organizationId: string,
  ids: readonly string[],
): Promise<readonly string[]> {
  return (await tx.many(remove, [organizationId, ids])).map(({ id }) => id);
}

export async function removeReceivedStep(
  tx: Sql,
  organizationId: string,
  before: Date,
  limit: number,
): Promise<number> {
  return (await tx.many(removeStep, [organizationId, before, limit])).length;
}

export async function removeReceivedContentStep(
  tx: Sql,
  organizationId: string,
  before: Date,
  limit: number,
): Promise<number> {
  return (await tx.many(removeContentStep, [organizationId, before, limit])).length;
}

export async function receivedOf(
  db: Sql,
  organizationId: string,
  address: string,
  limit: number,
): Promise<string[]> {
  return (await db.many(selectOf, [organizationId, address, limit])).map(({ id }) => id);
}

export async function organizationsThatReceived(db: Sql): Promise<string[]> {
  return (await db.many(selectOrganizations)).map(({ organization_id }) => organization_id);
}

export async function deleteEmptyDays(db: Sql, organizationId: string): Promise<void> {
  await db.exec(forgetDays, [organizationId]);
}
