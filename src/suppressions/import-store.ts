/**
 * The one writer of `suppression_imports`.
 *
 *   waiting  uploaded; nobody works on it
 *   running  a process works on it, for as long as its lease is fresh
 *   done     every line was dealt with
 *   failed   something of ours went wrong; what was added until then stays
 *
 * Where an import stands (`processed`) and its lease are also what fences it: it moves only from the place its worker
 * started the chunk at, and under the lease it has, so a worker that was taken for dead and comes back cannot add a chunk
 * a second time, and one that read a list before an address in it was erased adds nothing more of it.
 */

import { notMigrating } from '../database/organization-freezes.ts';
import { renameIn } from '../database/renamed-address.ts';
import { type Sql, sql } from '../database/sql.ts';
import type { ListFormat, ListProblem } from './import-list.ts';
import type { Reason } from './suppression.ts';

export const LEASE_SECONDS = 15;
/** More problems than this are counted, not listed. */
export const MAX_ERRORS = 100;
const HISTORY = '30 days';

export type ImportState = 'waiting' | 'running' | 'done' | 'failed';
export type ImportError = Pick<ListProblem, 'line' | 'field' | 'message'>;

export interface ImportRow {
  readonly id: string;
  readonly state: ImportState;
  readonly total: number;
  readonly processed: number;
  readonly added: number;
  readonly existing: number;
  readonly invalid: number;
  readonly errors: ImportError[];
  readonly created_at: Date;
  readonly finished_at: Date | null;
}

const COLUMNS = 'id, state, total, processed, added, existing, invalid, errors, created_at, finished_at';

const insert = sql<ImportRow>(
  'suppression_imports.insert',
  `INSERT INTO suppression_imports (organization_id, id, state, format, reason, payload, total, created_at)
   VALUES ($1, $2, 'waiting', $3, $4, $5, $6, $7) RETURNING ${COLUMNS}`,
  { home: 'cell', organization: '$1' },
);

const byId = sql<ImportRow>(
  'suppression_imports.by_id',
  `SELECT ${COLUMNS} FROM suppression_imports WHERE organization_id = $1 AND id = $2`,
  { home: 'cell', organization: '$1' },
);

const countOpen = sql<{ count: number }>(
  'suppression_imports.open',
  'SELECT count(*) AS count FROM suppression_imports WHERE organization_id = $1 AND finished_at IS NULL',
  { home: 'cell', organization: '$1' },
);

export interface ClaimedImport {
  readonly organization_id: string;
  readonly id: string;
  readonly format: ListFormat;
  readonly reason: Reason | null;
  readonly payload: string;
  readonly total: number;
  readonly processed: number;
  readonly errors: ImportError[];
  /** The lease it was claimed under. */
  readonly lease: string;
}

/** To the microsecond, which a Date has no room for. */
const LEASE = `extract(epoch FROM lease_until AT TIME ZONE 'UTC')::text`;

const claim = sql<ClaimedImport>(
  'suppression_imports.claim',
  `UPDATE suppression_imports SET state = 'running', lease_until = now() + ${LEASE_SECONDS} * interval '1 second'
   WHERE (organization_id, id) = (
     SELECT organization_id, id FROM suppression_imports
     WHERE finished_at IS NULL AND ${notMigrating()}
       -- One that ends later than any lease can was given before the clock was set back.
       AND (lease_until IS NULL OR lease_until NOT BETWEEN now() AND now() + ${LEASE_SECONDS} * interval '1 second')
     ORDER BY created_at LIMIT 1 FOR UPDATE SKIP LOCKED
   )
   RETURNING organization_id, id, format, reason, payload, total, processed, errors, ${LEASE} AS lease`,
  { home: 'cell' },
);

/** The row first, then the entries: the order in which an address is erased. */
const hold = sql<{ id: string }>(
  'suppression_imports.hold',
  `SELECT id FROM suppression_imports
   WHERE organization_id = $1 AND id = $2 AND processed = $3 AND ${LEASE} = $4 AND finished_at IS NULL
   FOR UPDATE`,
  { home: 'cell', organization: '$1' },
);

const advance = sql<{ lease: string }>(
  'suppression_imports.advance',
  `UPDATE suppression_imports SET
     processed = $3::int + $4::int + $5::int + $6::int, added = added + $4::int, existing = existing + $5::int,
     invalid = invalid + $6::int, errors = $7, lease_until = now() + ${LEASE_SECONDS} * interval '1 second'
   WHERE organization_id = $1 AND id = $2 AND processed = $3::int AND finished_at IS NULL
   RETURNING ${LEASE} AS lease`,
  { home: 'cell', organization: '$1' },
);

const finish = sql(
  'suppression_imports.finish',
  `UPDATE suppression_imports SET state = $3, payload = NULL, lease_until = NULL,
     finished_at = to_timestamp($4::float8 / 1000.0)
   WHERE organization_id = $1 AND id = $2 AND finished_at IS NULL`,
  { home: 'cell', organization: '$1' },
);

const giveUp = sql(
  'suppression_imports.give_back',
  `UPDATE suppression_imports SET state = 'waiting', lease_until = NULL
   WHERE organization_id = $1 AND id = $2 AND processed = $3 AND finished_at IS NULL`,
  { home: 'cell', organization: '$1' },
);

const forget = sql(
  'suppression_imports.forget',
  `DELETE FROM suppression_imports WHERE finished_at < to_timestamp($1::float8 / 1000.0) - interval '${HISTORY}'`,
  { home: 'cell' },
);

export interface NewImport {
  readonly organizationId: string;
  readonly id: string;
  readonly format: ListFormat;
  readonly reason: Reason | null;
  readonly payload: string;
  readonly total: number;
  readonly createdAt: Date;
}

export function insertImport(db: Sql, one: NewImport): Promise<ImportRow> {
  const { organizationId, id, format, reason, payload, total, createdAt } = one;
  return db.one(insert, [organizationId, id, format, reason, payload, total, createdAt]);
}

export function findImport(db: Sql, organizationId: string, id: string): Promise<ImportRow | undefined> {
  return db.maybeOne(byId, [organizationId, id]);
}

export async function countOpenImports(db: Sql, organizationId: string): Promise<number> {
  return (await db.one(countOpen, [organizationId])).count;
}

/** The oldest that nobody works on. */
export function claimImport(db: Sql): Promise<ClaimedImport | undefined> {
  return db.maybeOne(claim);
}

export type ImportName = Pick<ClaimedImport, 'organization_id' | 'id'>;

export interface Progress {
  readonly from: number;
  readonly added: number;
  readonly existing: number;
  readonly invalid: number;
  readonly errors: readonly ImportError[];
}

/** Begins the transaction that adds a chunk. False when it is no longer ours, or another list than was read. */
export async function lockImport(
  tx: Sql,
  { organization_id, id }: ImportName,
  processed: number,
  lease: string,
): Promise<boolean> {
  return (await tx.maybeOne(hold, [organization_id, id, processed, lease])) !== undefined;
}

/** Ends it. Returns the lease from now on, or null when it did not stand there. */
export async function advanceImport(
  tx: Sql,
  { organization_id, id }: ImportName,
  by: Progress,
): Promise<string | null> {
  const { from, added, existing, invalid } = by;
  const errors = JSON.stringify(by.errors.slice(0, MAX_ERRORS));
  const row = await tx.maybeOne(advance, [organization_id, id, from, added, existing, invalid, errors]);
  return row?.lease ?? null;
}

export async function finishImport(
  db: Sql,
  { organization_id, id }: ImportName,
  state: 'done' | 'failed',
  nowMs: number,
): Promise<void> {
  await db.exec(finish, [organization_id, id, state, nowMs]);
}

/** Somebody else may go on at once. */
export async function releaseImport(
  db: Sql,
  { organization_id, id }: ImportName,
  processed: number,
): Promise<void> {
  await db.exec(giveUp, [organization_id, id, processed]);
}

export async function deleteOldImports(db: Sql, nowMs: number): Promise<void> {
  await db.exec(forget, [nowMs]);
}

/** Whoever works on it has to take it up again, because what it read is not what stands there now. */
const TAKEN_AWAY = `state = CASE WHEN finished_at IS NULL THEN 'waiting' ELSE state END, lease_until = NULL`;

const lockOpen = sql<{ id: string }>(
  'suppression_imports.lock_open',
  `SELECT id FROM suppression_imports WHERE organization_id = $1 AND finished_at IS NULL ORDER BY id FOR UPDATE`,
  { home: 'cell', organization: '$1' },
);

const selectPayload = sql<Pick<ClaimedImport, 'format' | 'payload'>>(
  'suppression_imports.payload',
  'SELECT format, payload FROM suppression_imports WHERE organization_id = $1 AND id = $2',
  { home: 'cell', organization: '$1' },
);

const setPayload = sql(
  'suppression_imports.set_payload',
  `UPDATE suppression_imports SET payload = $3, ${TAKEN_AWAY} WHERE organization_id = $1 AND id = $2`,
  { home: 'cell', organization: '$1' },
);

/** Until the transaction ends nobody adds lines of an import that is not done; one that is being added is waited for. */
export async function lockOpenImports(tx: Sql, organizationId: string): Promise<string[]> {
  return (await tx.many(lockOpen, [organizationId])).map(({ id }) => id);
}

/** One list at a time: each may have 20 MiB. */
export function listOf(
  tx: Sql,
  organizationId: string,
  id: string,
): Promise<Pick<ClaimedImport, 'format' | 'payload'>> {
  return tx.one(selectPayload, [organizationId, id]);
}

export async function replaceList(
  tx: Sql,
  organizationId: string,
  id: string,
  payload: string,
): Promise<void> {
  await tx.exec(setPayload, [organizationId, id, payload]);
}

/** Wherever else in a list the address stands, and what was said about lines of others. */
export const renameInImports = renameIn('cell', 'suppression_imports', 'payload', 'errors', TAKEN_AWAY);

const takeLeases = sql(
  'suppression_imports.take_leases',
  'UPDATE suppression_imports SET lease_until = NULL WHERE organization_id = $1 AND finished_at IS NULL',
  { home: 'cell', organization: '$1' },
);

/** Whoever imports for this organization stops after the chunk in hand, and somebody else goes on from there. */
export async function interruptImports(db: Sql, organizationId: string): Promise<void> {
  await db.exec(takeLeases, [organizationId]);
}
