/**
 * The one writer of `empty_batches`: batches without any accepted recipient. Other batches are known by their emails, so
 * accepting them writes nothing here.
 */
import { type Sql, sql } from '../database/sql.ts';
import type { Submitter } from './email.ts';

/** The default retention of emails. */
const KEPT_DAYS = 90;

const insert = sql(
  'empty_batches.insert',
  `INSERT INTO empty_batches (organization_id, id, api_key_id, from_email, created_at) VALUES ($1, $2, $3, $4, $5)`,
  { home: 'cell', organization: '$1' },
);

const removeOld = sql(
  'empty_batches.remove_old',
  `DELETE FROM empty_batches WHERE created_at < to_timestamp($1 / 1000.0) - $2 * interval '1 day'`,
  { home: 'cell' },
);

export interface EmptyBatch extends Submitter {
  readonly id: string;
  readonly fromEmail: string;
  readonly createdAtMs: number;
}

export async function recordEmptyBatch(db: Sql, batch: EmptyBatch): Promise<void> {
  const { organizationId, id, keyId, fromEmail, createdAtMs } = batch;
  await db.exec(insert, [organizationId, id, keyId, fromEmail, new Date(createdAtMs)]);
}

export async function removeOldEmptyBatches(db: Sql, nowMs: number): Promise<void> {
  await db.exec(removeOld, [nowMs, KEPT_DAYS]);
}
