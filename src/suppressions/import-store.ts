/**
 * The one writer of `suppression_imports`.
 *
 *   waiting  uploaded; no worker has it
 *   running  a worker has it while its lease is valid
 *   done     every line was processed
 *   failed   a server error occurred; entries added until then stay
 *
 * An import's position (`processed`) and lease fence it. It advances only from the position at which the worker began
 * the chunk, and only under that worker's lease. So a worker that lost its lease cannot add a chunk twice, and a
 * worker that read a list before an address in it was erased adds nothing more from it.
 */

import { notMigrating } from '../database/organization-freezes.ts';
import { renameIn } from '../database/renamed-address.ts';
import { type Sql, sql } from '../database/sql.ts';
import type { EmailAddress } from '../protocols/message/address.ts';
import { type ErasedEntry, listedAs } from './erased-entry.ts';
import { type ListFormat, type ListProblem, renameInList } from './import-list.ts';
import type { AddressOf, Reason } from './suppression.ts';

const LEASE_SECONDS = 15;
/** Further errors are counted but not listed. */
const MAX_ERRORS = 100;
const HISTORY = '30 days';

type ImportState = 'waiting' | 'running' | 'done' | 'failed';
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
  /** The lease under which the worker claimed the import. */
  readonly lease: string;
}

/** To the microsecond; a JavaScript Date has only milliseconds. */
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

/** Locks the import before its entries, in the same order as an erasure does. */
const lockAtPosition = sql<{ id: string }>(
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

const release = sql(
  'suppression_imports.release',
  `UPDATE suppression_imports SET state = 'waiting', lease_until = NULL
   WHERE organization_id = $1 AND id = $2 AND processed = $3 AND finished_at IS NULL`,
  { home: 'cell', organization: '$1' },
);

const forget = sql(
  'suppression_imports.delete',
  `DELETE FROM suppression_imports WHERE finished_at < to_timestamp($1::float8 / 1000.0) - interval '${HISTORY}'`,
  { home: 'cell' },
);

interface NewImport {
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

/** The oldest import without a valid lease. */
export function claimImport(db: Sql): Promise<ClaimedImport | undefined> {
  return db.maybeOne(claim);
}

type ImportName = Pick<ClaimedImport, 'organization_id' | 'id'>;

interface Progress {
  readonly from: number;
  readonly added: number;
  readonly existing: number;
  readonly invalid: number;
  readonly errors: readonly ImportError[];
}

/**
 * Locks the import at the start of a chunk's transaction. False when another worker claimed it or its list was
 * changed.
 */
export async function lockImport(
  tx: Sql,
  { organization_id, id }: ImportName,
  processed: number,
  lease: string,
): Promise<boolean> {
  return (await tx.maybeOne(lockAtPosition, [organization_id, id, processed, lease])) !== undefined;
}

/** Advances the import at the end of a chunk's transaction. Returns the new lease, or null when it stood elsewhere. */
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

/** Another worker may continue at once. */
export async function releaseImport(
  db: Sql,
  { organization_id, id }: ImportName,
  processed: number,
): Promise<void> {
  await db.exec(release, [organization_id, id, processed]);
}

export async function deleteOldImports(db: Sql, nowMs: number): Promise<void> {
  await db.exec(forget, [nowMs]);
}

/** Invalidates the worker's lease, so that the changed list is read again. */
const INVALIDATE_LEASE = `state = CASE WHEN finished_at IS NULL THEN 'waiting' ELSE state END, lease_until = NULL`;

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
  `UPDATE suppression_imports SET payload = $3, ${INVALIDATE_LEASE} WHERE organization_id = $1 AND id = $2`,
  { home: 'cell', organization: '$1' },
);

/** Blocks unfinished imports from adding lines until the transaction ends; waits for a chunk in progress. */
async function lockOpenImports(tx: Sql, organizationId: string): Promise<string[]> {
  return (await tx.many(lockOpen, [organizationId])).map(({ id }) => id);
}

/** One list at a time, because each may have 20 MiB. */
function listOf(
  tx: Sql,
  organizationId: string,
  id: string,
): Promise<Pick<ClaimedImport, 'format' | 'payload'>> {
  return tx.one(selectPayload, [organizationId, id]);
}

async function replaceList(tx: Sql, organizationId: string, id: string, payload: string): Promise<void> {
  await tx.exec(setPayload, [organizationId, id, payload]);
}

/** Renames the address elsewhere in lists, and in the error messages about other lines. */
const renameInImports = renameIn('cell', 'suppression_imports', 'payload', 'errors', INVALIDATE_LEASE);

const takeLeases = sql(
  'suppression_imports.take_leases',
  'UPDATE suppression_imports SET lease_until = NULL WHERE organization_id = $1 AND finished_at IS NULL',
  { home: 'cell', organization: '$1' },
);

/** Stops the organization's import after the current chunk; another worker resumes it. */
export async function interruptImports(db: Sql, organizationId: string): Promise<void> {
  await db.exec(takeLeases, [organizationId]);
}

/** Matches every spelling that the import would read as this address. True when a list contained it. */
export async function eraseFromImports(
  tx: Sql,
  { organizationId, key, email }: AddressOf & { readonly email: EmailAddress },
  entry: ErasedEntry,
): Promise<boolean> {
  let stood = false;
  for (const id of await lockOpenImports(tx, organizationId)) {
    const { payload, format } = await listOf(tx, organizationId, id);
    const renamed = await renameInList(payload, format, key, listedAs(entry));
    if (renamed === payload) continue;
    stood = true;
    await replaceList(tx, organizationId, id, renamed);
  }
  await renameInImports(tx, organizationId, { email, shownAs: entry.email });
  return stood;
}
