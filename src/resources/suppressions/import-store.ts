/**
 * The one writer of `suppression_imports`.
 *
 *   waiting  uploaded; nobody works on it
 *   running  a process works on it, for as long as its lease is fresh
 *   done     every line was dealt with
 *   failed   something of ours went wrong; what was added until then stays
 *
 * Where an import stands (`processed`) is also what fences it: it moves only from the place its worker started the
 * chunk at, so a worker that was taken for dead and comes back cannot add a chunk a second time.
 */
import { patternInJson, patternOf, type RenamedAddress } from '../../database/renamed-address.ts';
import { type Sql, sql } from '../../database/sql.ts';
import type { ListFormat, ListProblem } from './import-list.ts';
import type { Reason } from './suppression.ts';

export const LEASE_SECONDS = 15;
/** More problems than this are counted, not listed. */
export const MOST_ERRORS = 100;
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
);

const byId = sql<ImportRow>(
  'suppression_imports.by_id',
  `SELECT ${COLUMNS} FROM suppression_imports WHERE organization_id = $1 AND id = $2`,
);

const countOpen = sql<{ count: number }>(
  'suppression_imports.open',
  'SELECT count(*) AS count FROM suppression_imports WHERE organization_id = $1 AND finished_at IS NULL',
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
}

const claim = sql<ClaimedImport>(
  'suppression_imports.claim',
  `UPDATE suppression_imports SET state = 'running', lease_until = now() + ${LEASE_SECONDS} * interval '1 second'
   WHERE (organization_id, id) = (
     SELECT organization_id, id FROM suppression_imports
     WHERE finished_at IS NULL AND (lease_until IS NULL OR lease_until < now())
     ORDER BY created_at LIMIT 1 FOR UPDATE SKIP LOCKED
   )
   RETURNING organization_id, id, format, reason, payload, total, processed, errors`,
);

const advance = sql(
  'suppression_imports.advance',
  `UPDATE suppression_imports SET
     processed = $3::int + $4::int + $5::int + $6::int, added = added + $4::int, existing = existing + $5::int,
     invalid = invalid + $6::int, errors = $7, lease_until = now() + ${LEASE_SECONDS} * interval '1 second'
   WHERE organization_id = $1 AND id = $2 AND processed = $3::int AND finished_at IS NULL`,
);

const finish = sql(
  'suppression_imports.finish',
  `UPDATE suppression_imports SET state = $3, payload = NULL, lease_until = NULL,
     finished_at = to_timestamp($4::float8 / 1000.0)
   WHERE organization_id = $1 AND id = $2 AND finished_at IS NULL`,
);

const giveUp = sql(
  'suppression_imports.give_back',
  `UPDATE suppression_imports SET state = 'waiting', lease_until = NULL
   WHERE organization_id = $1 AND id = $2 AND processed = $3 AND finished_at IS NULL`,
);

const forget = sql(
  'suppression_imports.forget',
  `DELETE FROM suppression_imports WHERE finished_at < to_timestamp($1::float8 / 1000.0) - interval '${HISTORY}'`,
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

/** Part of the transaction that adds the chunk. False when another worker has it now: roll back. */
export async function advanceImport(
  tx: Sql,
  { organization_id, id }: ImportName,
  by: Progress,
): Promise<boolean> {
  const { from, added, existing, invalid } = by;
  const errors = JSON.stringify(by.errors.slice(0, MOST_ERRORS));
  return (await tx.exec(advance, [organization_id, id, from, added, existing, invalid, errors])) === 1;
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
export async function giveBackImport(
  db: Sql,
  { organization_id, id }: ImportName,
  processed: number,
): Promise<void> {
  await db.exec(giveUp, [organization_id, id, processed]);
}

export async function forgetOldImports(db: Sql, nowMs: number): Promise<void> {
  await db.exec(forget, [nowMs]);
}

const erase = sql(
  'suppression_imports.erase',
  `UPDATE suppression_imports SET payload = regexp_replace(payload, $2, $4, 'gi'),
     errors = regexp_replace(errors::text, $3, $4, 'gi')::jsonb
   WHERE organization_id = $1 AND (payload ~* $2 OR errors::text ~* $3)`,
);

/** Lists that wait to be worked off, and what was wrong with lines of others. */
export async function eraseFromImports(
  tx: Sql,
  organizationId: string,
  renamed: RenamedAddress,
): Promise<void> {
  await tx.exec(erase, [organizationId, patternOf(renamed), patternInJson(renamed), renamed.shownAs]);
}
