/**
 * Settling: what a worker found out becomes the truth. Every statement is fenced by the worker's epoch, so a
 * worker that was paused for so long that its rows went to another one cannot settle them any more.
 */
import { type Sql, sql } from '../database/sql.ts';
import type { DeliveryKey } from './states.ts';

interface KeyRow {
  email_id: string;
  position: number;
}

const removeFinal = sql<KeyRow>(
  'outbox.remove_final',
  `DELETE FROM outbox USING unnest($2::uuid[], $3::smallint[]) AS done(email_id, position)
   WHERE outbox.email_id = done.email_id AND outbox.position = done.position AND outbox.worker = $1
   RETURNING outbox.email_id, outbox.position`,
);

const putBack = sql<KeyRow>(
  'outbox.put_back',
  `UPDATE outbox SET worker = NULL, due_at = to_timestamp(later.due / 1000.0)
   FROM unnest($2::uuid[], $3::smallint[], $4::float8[]) AS later(email_id, position, due)
   WHERE outbox.email_id = later.email_id AND outbox.position = later.position AND outbox.worker = $1
   RETURNING outbox.email_id, outbox.position`,
);

const releaseUntried = sql(
  'outbox.release',
  `UPDATE outbox SET worker = NULL, attempt = attempt - 1
   FROM unnest($2::uuid[], $3::smallint[]) AS untried(email_id, position)
   WHERE outbox.email_id = untried.email_id AND outbox.position = untried.position AND outbox.worker = $1`,
);

export interface Deferred extends DeliveryKey {
  readonly dueAtMs: number;
}

/** Removes deliveries that are final. Returns the keys that were still this worker's to settle. */
export async function settleFinal(
  tx: Sql,
  epoch: number,
  done: readonly DeliveryKey[],
): Promise<Set<string>> {
  if (done.length === 0) return new Set();
  return keysOf(await tx.many(removeFinal, [epoch, ...keyColumns(done)]));
}

/** Puts deferred deliveries back, to be due later. Returns the keys that were still this worker's. */
export async function settleDeferred(
  tx: Sql,
  epoch: number,
  later: readonly Deferred[],
): Promise<Set<string>> {
  if (later.length === 0) return new Set();
  return keysOf(await tx.many(putBack, [epoch, ...keyColumns(later), later.map((one) => one.dueAtMs)]));
}

/** Gives back what was claimed and not tried: a worker that stops leaves nothing waiting for its lease. */
export async function release(db: Sql, epoch: number, untried: readonly DeliveryKey[]): Promise<void> {
  if (untried.length > 0) await db.exec(releaseUntried, [epoch, ...keyColumns(untried)]);
}

export function keyText(key: { readonly emailId: string; readonly position: number }): string {
  return `${key.emailId}/${key.position}`;
}

function keyColumns(keys: readonly DeliveryKey[]): [string[], number[]] {
  return [keys.map((one) => one.emailId), keys.map((one) => one.position)];
}

function keysOf(rows: readonly KeyRow[]): Set<string> {
  return new Set(rows.map((row) => keyText({ emailId: row.email_id, position: row.position })));
}
