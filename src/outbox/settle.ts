/**
 * Settling writes the outcomes of claimed deliveries. Every statement is fenced by the worker's epoch and the number of the
 * attempt, so a worker that was paused until another took its rows can no longer settle them, and a repeated settlement counts
 * once.
 *
 * An acceptance by a server is a fact, whichever worker reports it. It is settled even if the delivery was taken away from this
 * worker and waits. Only after another worker has claimed the delivery is it too late.
 */
import { type Sql, sql } from '../database/sql.ts';
import { type DeliveryKey, isDelivery } from './states.ts';

interface KeyRow {
  email_id: string;
  position: number;
}

const removeAccepted = sql<KeyRow>(
  'outbox.remove_accepted',
  `DELETE FROM outbox USING unnest($2::text[], $3::uuid[], $4::smallint[]) AS done(organization_id, email_id, position)
   WHERE ${isDelivery('outbox', 'done')} AND (outbox.worker = $1 OR outbox.worker IS NULL)
   RETURNING outbox.email_id, outbox.position`,
  { home: 'cell', organization: '$2' },
);

const removeFinal = sql<KeyRow>(
  'outbox.remove_final',
  `DELETE FROM outbox USING unnest($2::text[], $3::uuid[], $4::smallint[], $5::smallint[])
        AS done(organization_id, email_id, position, attempt)
   WHERE ${isDelivery('outbox', 'done')} AND outbox.worker = $1 AND outbox.attempt = done.attempt
   RETURNING outbox.email_id, outbox.position`,
  { home: 'cell', organization: '$2' },
);

const putBack = sql<KeyRow>(
  'outbox.put_back',
  `UPDATE outbox SET worker = NULL, due_at = to_timestamp(later.due / 1000.0)
   FROM unnest($2::text[], $3::uuid[], $4::smallint[], $5::smallint[], $6::float8[])
        AS later(organization_id, email_id, position, attempt, due)
   WHERE ${isDelivery('outbox', 'later')} AND outbox.worker = $1 AND outbox.attempt = later.attempt
   RETURNING outbox.email_id, outbox.position`,
  { home: 'cell', organization: '$2' },
);

const selectInHand = sql<KeyRow>(
  'outbox.in_hand',
  `SELECT outbox.email_id, outbox.position
   FROM unnest($2::text[], $3::uuid[], $4::smallint[], $5::smallint[])
        AS tried(organization_id, email_id, position, attempt)
   JOIN outbox ON ${isDelivery('outbox', 'tried')}
   WHERE outbox.worker = $1 AND outbox.attempt = tried.attempt`,
  { home: 'cell', organization: '$2' },
);

const releaseUntried = sql(
  'outbox.release',
  `UPDATE outbox SET worker = NULL, attempt = outbox.attempt - CASE WHEN untried.begun THEN 0 ELSE 1 END
   FROM unnest($2::text[], $3::uuid[], $4::smallint[], $5::smallint[], $6::bool[])
        AS untried(organization_id, email_id, position, attempt, begun)
   WHERE ${isDelivery('outbox', 'untried')} AND outbox.worker = $1 AND outbox.attempt = untried.attempt`,
  { home: 'cell', organization: '$2' },
);

const releaseUntil = sql(
  'outbox.put_off',
  `UPDATE outbox SET worker = NULL, attempt = outbox.attempt - CASE WHEN untried.begun THEN 0 ELSE 1 END,
     due_at = to_timestamp(untried.due / 1000.0)
   FROM unnest($2::text[], $3::uuid[], $4::smallint[], $5::smallint[], $6::bool[], $7::float8[])
        AS untried(organization_id, email_id, position, attempt, begun, due)
   WHERE ${isDelivery('outbox', 'untried')} AND outbox.worker = $1 AND outbox.attempt = untried.attempt`,
  { home: 'cell', organization: '$2' },
);

const releaseOrphaned = sql(
  'outbox.release_orphaned',
  `UPDATE outbox SET worker = NULL, attempt = outbox.attempt - 1
   WHERE worker = $1 AND NOT EXISTS (
     SELECT FROM unnest($2::text[], $3::uuid[], $4::smallint[]) AS held(organization_id, email_id, position)
     WHERE ${isDelivery('held', 'outbox')})`,
  { home: 'cell', organization: '$2' },
);

interface TriedDelivery extends DeliveryKey {
  readonly attempt: number;
}

export interface UntriedDelivery extends TriedDelivery {
  /** The attempt counts and keeps its number, although no message was handed over. */
  readonly isBegun?: boolean;
}

export interface PutOffDelivery extends UntriedDelivery {
  readonly dueAtMs: number;
}

interface DeferredDelivery extends TriedDelivery {
  readonly dueAtMs: number;
}

/** Removes deliveries that a server accepted. Returns the keys that no other worker has claimed. */
export async function settleAccepted(
  tx: Sql,
  epoch: number,
  accepted: readonly DeliveryKey[],
): Promise<Set<string>> {
  if (accepted.length === 0) return new Set();
  return keysOf(await tx.many(removeAccepted, [epoch, ...keyColumns(accepted)]));
}

/** Removes deliveries with any other final outcome. Returns the keys that this worker still owned. */
export async function settleFinal(
  tx: Sql,
  epoch: number,
  done: readonly TriedDelivery[],
): Promise<Set<string>> {
  if (done.length === 0) return new Set();
  return keysOf(await tx.many(removeFinal, [epoch, ...triedColumns(done)]));
}

/** Puts deferred deliveries back with a later due time. Returns the keys that this worker still owned. */
export async function settleDeferred(
  tx: Sql,
  epoch: number,
  later: readonly DeferredDelivery[],
): Promise<Set<string>> {
  if (later.length === 0) return new Set();
  return keysOf(await tx.many(putBack, [epoch, ...triedColumns(later), later.map((one) => one.dueAtMs)]));
}

/** The attempts that this worker still owns: no other worker settled them or took them over. */
export async function inHand(db: Sql, epoch: number, tries: readonly TriedDelivery[]): Promise<Set<string>> {
  if (tries.length === 0) return new Set();
  return keysOf(await db.many(selectInHand, [epoch, ...triedColumns(tries)]));
}

/** Releases claimed and untried deliveries, so that no mail of a stopping worker waits for its lease to expire. */
export async function release(db: Sql, epoch: number, untried: readonly UntriedDelivery[]): Promise<void> {
  if (untried.length === 0) return;
  const begun = untried.map(({ isBegun = false }) => isBegun);
  await db.exec(releaseUntried, [epoch, ...triedColumns(untried), begun]);
}

/** Releases them with a later due time, so that no worker tries them before. */
export async function putOff(tx: Sql, epoch: number, untried: readonly PutOffDelivery[]): Promise<void> {
  if (untried.length === 0) return;
  const begun = untried.map(({ isBegun = false }) => isBegun);
  const due = untried.map(({ dueAtMs }) => dueAtMs);
  await tx.exec(releaseUntil, [epoch, ...triedColumns(untried), begun, due]);
}

/**
 * Releases claims under this epoch that are not among `held`: the answer to a claim was lost, so no worker would try them.
 * Returns how many. No claim may be in progress.
 */
export function releaseOrphanedClaims(db: Sql, epoch: number, held: readonly DeliveryKey[]): Promise<number> {
  return db.exec(releaseOrphaned, [epoch, ...keyColumns(held)]);
}

export function keyText(key: { readonly emailId: string; readonly position: number }): string {
  return `${key.emailId}/${key.position}`;
}

function keyColumns(keys: readonly DeliveryKey[]): [string[], string[], number[]] {
  return [
    keys.map((one) => one.organizationId),
    keys.map((one) => one.emailId),
    keys.map((one) => one.position),
  ];
}

export function triedColumns(tries: readonly TriedDelivery[]): [string[], string[], number[], number[]] {
  return [...keyColumns(tries), tries.map((one) => one.attempt)];
}

function keysOf(rows: readonly KeyRow[]): Set<string> {
  return new Set(rows.map((row) => keyText({ emailId: row.email_id, position: row.position })));
}
