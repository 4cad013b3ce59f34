/** The one writer of `organization_moves`, in control: the progress of an organization's move between cells. */
import { type Sql, sql } from '../database/sql.ts';
import { newId } from '../runtime/ids.ts';

/** How rows are copied: while the organization is in use, or while it is offline. */
type MoveMethod = 'replicated' | 'offline';

/** The current step. Each step can be restarted. From `settling` on, the organization lives in the new cell. */
export type MoveStep = 'preparing' | 'copying' | 'quieting' | 'moving' | 'settling' | 'clearing' | 'ended';

export interface MoveRow {
  readonly organization_id: string;
  readonly id: string;
  readonly from_cell: string;
  readonly to_cell: string;
  readonly way: MoveMethod;
  readonly step: MoveStep;
  readonly started_by: string;
  readonly started_at: Date;
}

export interface KnownMove extends Pick<MoveRow, 'organization_id' | 'id' | 'from_cell' | 'to_cell'> {
  readonly is_open: boolean;
}

const COLUMNS = 'organization_id, id, from_cell, to_cell, way, step, started_by, started_at';

const insert = sql<MoveRow>(
  'organization_moves.insert',
  `INSERT INTO organization_moves (organization_id, id, from_cell, to_cell, way, step, started_by)
   VALUES ($1, $2, $3, $4, $5, 'preparing', $6) RETURNING ${COLUMNS}`,
  { home: 'control' },
);

const selectOpen = sql<MoveRow>(
  'organization_moves.open',
  `SELECT ${COLUMNS} FROM organization_moves WHERE organization_id = $1 AND outcome IS NULL`,
  { home: 'control' },
);

const selectAll = sql<KnownMove>(
  'organization_moves.all',
  'SELECT organization_id, id, from_cell, to_cell, outcome IS NULL AS is_open FROM organization_moves',
  { home: 'control' },
);

const setStep = sql(
  'organization_moves.set_step',
  'UPDATE organization_moves SET step = $3, step_at = now() WHERE organization_id = $1 AND id = $2',
  { home: 'control' },
);

/** Not if the organization already lives in the new cell: one transaction decides that, and this statement waits for it. */
const setBack = sql(
  'organization_moves.call_off',
  `UPDATE organization_moves SET step = 'quieting', step_at = now()
   WHERE organization_id = $1 AND id = $2 AND step IN ('preparing', 'copying', 'quieting', 'moving')`,
  { home: 'control' },
);

const setMarked = sql<{ at: string }>(
  'organization_moves.mark',
  `UPDATE organization_moves SET step = 'moving', step_at = clock_timestamp()
   WHERE organization_id = $1 AND id = $2 RETURNING step_at::text AS at`,
  { home: 'control' },
);

/** Fenced by the time of the mark, so that an abandoned run cannot use the mark of the next run. */
const setLived = sql(
  'organization_moves.arrive',
  `UPDATE organization_moves SET step = 'settling', step_at = now()
   WHERE organization_id = $1 AND id = $2 AND step = 'moving' AND step_at = $3::text::timestamptz`,
  { home: 'control' },
);

const setEnded = sql(
  'organization_moves.end',
  `UPDATE organization_moves SET step = 'ended', outcome = $3, step_at = now()
   WHERE organization_id = $1 AND id = $2`,
  { home: 'control' },
);

interface NewMove {
  readonly organizationId: string;
  readonly from: string;
  readonly to: string;
  readonly way: MoveMethod;
  readonly by: string;
}

export function beginMove(db: Sql, { organizationId, from, to, way, by }: NewMove): Promise<MoveRow> {
  return db.one(insert, [organizationId, newId('move'), from, to, way, by]);
}

/** All moves, including those that have ended. */
export function allMoves(db: Sql): Promise<KnownMove[]> {
  return db.many(selectAll);
}

/** The move in progress. */
export function openMove(db: Sql, organizationId: string): Promise<MoveRow | undefined> {
  return db.maybeOne(selectOpen, [organizationId]);
}

export async function recordStep(db: Sql, { organization_id, id }: MoveRow, step: MoveStep): Promise<void> {
  await db.exec(setStep, [organization_id, id, step]);
}

/** Records the step `moving`. Pass the result to `recordArrival` of the same run. */
export async function recordMarked(tx: Sql, { organization_id, id }: MoveRow): Promise<string> {
  return (await tx.one(setMarked, [organization_id, id])).at;
}

/**
 * Part of the transaction that places the organization in the new cell. False if the move was cancelled, or if another run has
 * marked it since.
 */
export async function recordArrival(
  tx: Sql,
  { organization_id, id }: MoveRow,
  markedAt: string,
): Promise<boolean> {
  return (await tx.exec(setLived, [organization_id, id, markedAt])) === 1;
}

/** Part of the transaction that leaves the organization in its old cell. False if it already lives in the new one. */
export async function recordReturn(tx: Sql, { organization_id, id }: MoveRow): Promise<boolean> {
  return (await tx.exec(setBack, [organization_id, id])) === 1;
}

export async function endMove(
  db: Sql,
  { organization_id, id }: MoveRow,
  outcome: 'moved' | 'abandoned',
): Promise<void> {
  await db.exec(setEnded, [organization_id, id, outcome]);
}
