/** The one writer of `undos`. Rows are kept: they record who undid what, and why. */

import { notMigrating } from '../../database/organization-freezes.ts';
import { type Sql, sql } from '../../database/sql.ts';
import { newId } from '../../runtime/ids.ts';
import type { Incident, LeftAlone, UndoStage } from './undo.ts';

export interface UndoRow {
  readonly id: string;
  readonly organization_id: string;
  readonly from_at: Date;
  readonly to_at: Date;
  readonly template_id: string | null;
  readonly tag: string | null;
  readonly provider: string | null;
  readonly reply: string | null;
  readonly reason: string;
  readonly requested_by: string;
  readonly requested_at: Date;
  readonly stage: UndoStage;
  readonly at_event: string | null;
  readonly requeued: number;
  readonly unsuppressed: number;
  readonly left_alone: Readonly<Partial<Record<LeftAlone, number>>>;
  readonly ended_at: Date | null;
}

const COLUMNS = `id, organization_id, from_at, to_at, template_id, tag, provider, reply, reason, requested_by, requested_at,
   stage, at_event, requeued, unsuppressed, left_alone, ended_at`;

const insert = sql<UndoRow>(
  'undos.insert',
  `INSERT INTO undos (id, organization_id, from_at, to_at, template_id, tag, provider, reply, reason, requested_by,
                      requested_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, now()) RETURNING ${COLUMNS}`,
  { home: 'cell', organization: '$2' },
);

const lock = sql<UndoRow>(
  'undos.lock',
  `SELECT ${COLUMNS} FROM undos WHERE id = $1 AND ended_at IS NULL AND ${notMigrating()} FOR UPDATE`,
  { home: 'cell' },
);

const advance = sql(
  'undos.advance',
  `UPDATE undos SET stage = coalesce($3, stage), at_event = $4, requeued = requeued + $5, unsuppressed = unsuppressed + $6,
     left_alone = $7, ended_at = CASE WHEN $3::text IS NULL THEN clock.now END
   FROM (SELECT now() AS now) AS clock WHERE organization_id = $1 AND id = $2`,
  { home: 'cell', organization: '$1' },
);

const selectOne = sql<UndoRow>(
  'undos.one',
  `SELECT ${COLUMNS} FROM undos WHERE id = $1 AND ($2::text IS NULL OR organization_id = $2)`,
  { home: 'cell', organization: '$2' },
);

const selectOpen = sql<{ id: string }>(
  'undos.open',
  `SELECT id FROM undos WHERE ended_at IS NULL AND ${notMigrating()} ORDER BY requested_at`,
  { home: 'cell' },
);

const selectPage = sql<UndoRow>(
  'undos.page',
  `SELECT ${COLUMNS} FROM undos WHERE organization_id = $1 ORDER BY requested_at DESC, id LIMIT $2 OFFSET $3`,
  { home: 'cell', organization: '$1' },
);

const countOf = sql<{ count: number }>(
  'undos.count',
  'SELECT count(*) FROM undos WHERE organization_id = $1',
  { home: 'cell', organization: '$1' },
);

export function requestUndo(
  db: Sql,
  { organizationId, from, to, templateId, tag, provider, reply }: Incident,
  { reason, by }: { readonly reason: string; readonly by: string },
): Promise<UndoRow> {
  const filter = [from, to, templateId, tag, provider, reply];
  return db.one(insert, [newId('undo'), organizationId, ...filter, reason, by]);
}

/** For a step. Undefined when the undo is complete. */
export function lockUndo(tx: Sql, id: string): Promise<UndoRow | undefined> {
  return tx.maybeOne(lock, [id]);
}

export interface UndoStep {
  /** Null means nothing is left to do. */
  readonly nextStage: UndoStage | null;
  /** The last event of that stage that was processed; null at its start. */
  readonly atEvent: string | null;
  readonly requeued: number;
  readonly unsuppressed: number;
  readonly leftAlone: Readonly<Partial<Record<LeftAlone, number>>>;
}

/** The caller has locked the undo. */
export async function advanceUndo(tx: Sql, undo: UndoRow, step: UndoStep): Promise<void> {
  const { organization_id, id } = undo;
  const leftAlone: Record<string, number> = { ...undo.left_alone };
  for (const [why, count] of Object.entries(step.leftAlone)) leftAlone[why] = (leftAlone[why] ?? 0) + count;
  const { nextStage, atEvent, requeued, unsuppressed } = step;
  const moved = [nextStage, atEvent, requeued, unsuppressed, JSON.stringify(leftAlone)];
  await tx.exec(advance, [organization_id, id, ...moved]);
}

/** Of one organization, or of any if null. */
export function findUndo(db: Sql, id: string, organizationId: string | null): Promise<UndoRow | undefined> {
  return db.maybeOne(selectOne, [id, organizationId]);
}

export async function openUndos(db: Sql): Promise<string[]> {
  return (await db.many(selectOpen)).map(({ id }) => id);
}

export async function listUndos(
  db: Sql,
  organizationId: string,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ rows: UndoRow[]; total: number }> {
  const rows = await db.many(selectPage, [organizationId, limit, offset]);
  return { rows, total: (await db.one(countOf, [organizationId])).count };
}
