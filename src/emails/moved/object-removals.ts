/**
 * Lists objects without references. A row is written before an object is uploaded, and together with the removal of a
 * reference. So every object in the bucket is either in use or listed here, wherever a process is killed. The one writer of
 * `object_removals`.
 *
 *   putting ──► (gone: in use)        in the transaction that stores the reference
 *      └──► removing ──► (gone)       after the timeout, or if the content was removed meanwhile
 */

import { notMigrating } from '../../database/organization-freezes.ts';
import { type Sql, sql } from '../../database/sql.ts';
import { HOUR_MS, MINUTE_MS } from '../../runtime/durations.ts';

const announce = sql(
  'object_removals.announce',
  `INSERT INTO object_removals (organization_id, object, state, due_at)
   SELECT $1, object, 'putting', $3 FROM unnest($2::text[]) AS object`,
  { home: 'cell', organization: '$1' },
);

const take = sql<{ object: string }>(
  'object_removals.take',
  `DELETE FROM object_removals WHERE organization_id = $1 AND object = ANY ($2::text[]) AND state = 'putting'
   RETURNING object`,
  { home: 'cell', organization: '$1' },
);

const add = sql(
  'object_removals.add',
  `INSERT INTO object_removals (organization_id, object, state, due_at)
   SELECT $1, object, 'removing', $3 FROM unnest($2::text[]) AS object
   ON CONFLICT (organization_id, object) DO UPDATE SET state = 'removing', due_at = excluded.due_at`,
  { home: 'cell', organization: '$1' },
);

/** A claimed object can no longer be taken into use. */
const claim = sql<ClaimedRemoval>(
  'object_removals.claim',
  `UPDATE object_removals r SET state = 'removing', due_at = $2, tries = least(r.tries + 1, 1000)
   FROM (SELECT organization_id, object FROM object_removals WHERE due_at <= $1 AND ${notMigrating()}
         ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED) AS due
   WHERE r.organization_id = due.organization_id AND r.object = due.object
   RETURNING r.organization_id, r.object, r.tries`,
  { home: 'cell' },
);

const done = sql(
  'object_removals.done',
  `DELETE FROM object_removals r USING unnest($1::text[], $2::text[]) AS done(organization_id, object)
   WHERE r.organization_id = done.organization_id AND r.object = done.object`,
  { home: 'cell', organization: '$1' },
);

const later = sql(
  'object_removals.later',
  'UPDATE object_removals SET due_at = $3 WHERE organization_id = $1 AND object = $2',
  { home: 'cell', organization: '$1' },
);

const count = sql<{ count: number; oldest: Date | null }>(
  'object_removals.count',
  `SELECT count(*), min(due_at) AS oldest FROM object_removals WHERE state = 'removing'`,
  { home: 'cell' },
);

export interface ClaimedRemoval {
  readonly organization_id: string;
  readonly object: string;
  readonly tries: number;
}

/** Many times the time that uploading a batch of objects takes. */
const PUT_WITHIN_MS = HOUR_MS;
/** A claim expires after this, so that a killed worker does not block the removal for longer. */
const CLAIMED_MS = 5 * MINUTE_MS;

/** Call before the upload. */
export async function announceObjects(
  db: Sql,
  organizationId: string,
  names: readonly string[],
  nowMs: number,
): Promise<void> {
  await db.exec(announce, [organizationId, names, new Date(nowMs + PUT_WITHIN_MS)]);
}

/** Part of the transaction that stores the references. Returns the objects whose removal has not begun. */
export async function takeObjects(
  tx: Sql,
  organizationId: string,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  return new Set((await tx.many(take, [organizationId, names])).map(({ object }) => object));
}

/** Part of the transaction that removes the last reference. A name that ends with a slash is a prefix. */
export async function removeObjects(
  tx: Sql,
  organizationId: string,
  names: readonly string[],
  nowMs: number,
): Promise<void> {
  if (names.length > 0) await tx.exec(add, [organizationId, names, new Date(nowMs)]);
}

export function claimRemovals(db: Sql, nowMs: number, limit: number): Promise<ClaimedRemoval[]> {
  return db.many(claim, [new Date(nowMs), new Date(nowMs + CLAIMED_MS), limit]);
}

export async function removalsDone(db: Sql, removals: readonly ClaimedRemoval[]): Promise<void> {
  const params = [removals.map((one) => one.organization_id), removals.map((one) => one.object)];
  if (removals.length > 0) await db.exec(done, params);
}

export async function removalLater(db: Sql, removal: ClaimedRemoval, dueAtMs: number): Promise<void> {
  await db.exec(later, [removal.organization_id, removal.object, new Date(dueAtMs)]);
}

interface WaitingRemovals {
  readonly count: number;
  /** A lower bound for the age of the oldest. */
  readonly oldest: Date | null;
}

export function waitingRemovals(db: Sql): Promise<WaitingRemovals> {
  return db.one(count);
}
