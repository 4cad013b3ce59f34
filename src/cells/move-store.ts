/** The one writer of `organization_moves`, in control: how far an organization is on its way from one cell to another. */
import { type Sql, sql } from '../database/sql.ts';
import { newId } from '../runtime/ids.ts';

/** How its rows go over: while it is in use, or while nobody may use it. */
export type MoveMethod = 'replicated' | 'offline';

/** What is being done. Each may be begun again from its start. From `settling` on it lives in the other cell. */
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

/** Not where it lives in the other cell already: that is decided in one transaction, which this one waits for. */
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

/** Fenced by when it was marked: a run that was left behind must not use the mark of the next one. */
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

export interface NewMove {
  readonly organizationId: string;
  readonly from: string;
  readonly to: string;
  readonly way: MoveMethod;
  readonly by: string;
}

export function beginMove(db: Sql, { organizationId, from, to, way, by }: NewMove): Promise<MoveRow> {
  return db.one(insert, [organizationId, newId('move'), from, to, way, by]);
}

/** Those that have ended, too. */
export function allMoves(db: Sql): Promise<KnownMove[]> {
  return db.many(selectAll);
}

/** The one that is under way. */
export function openMove(db: Sql, organizationId: string): Promise<MoveRow | undefined> {
  return db.maybeOne(selectOpen, [organizationId]);
}

export async function recordStep(db: Sql, { organization_id, id }: MoveRow, step: MoveStep): Promise<void> {
  await db.exec(setStep, [organization_id, id, step]);
}

/** Records the step `moving`. The result is for `recordArrival` of the same run. */
export async function recordMarked(tx: Sql, { organization_id, id }: MoveRow): Promise<string> {
  return (await tx.one(setMarked, [organization_id, id])).at;
}

/**
 * Part of the transaction that places it in the other cell. False where it is not to be placed there any more, or another run has marked
 * it since.
 */
export async function recordArrival(
  tx: Sql,
  { organization_id, id }: MoveRow,
  markedAt: string,
): Promise<boolean> {
  return (await tx.exec(setLived, [organization_id, id, markedAt])) === 1;
}

/** Part of the transaction that leaves it where it was. False where it lives in the other cell already. */
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
