/** The state of each cell, and of all together. */

import type { Database } from '../database/database.ts';
import { type SchemaVersions, schemaVersions } from '../database/migrate.ts';
import { countKept } from '../inbound/kept-mail.ts';
import { type HoldInForce, holdName } from '../interventions/holds/hold.ts';
import { holdsInForce } from '../interventions/holds/store.ts';
import { type QueueStatus, queueStatus, type WorkerStatus, workerStatus } from '../outbox/status.ts';
import { type CellAway, queryEachCell, sum } from './each-cell.ts';

export interface CellStatus {
  readonly cell: string;
  readonly schema: SchemaVersions;
  readonly queue: QueueStatus;
  readonly workers: readonly WorkerStatus[];
  /** Messages to postmaster@ and the like. */
  readonly kept: number;
  readonly holds: readonly HoldInForce[];
}

export interface CellsStatus {
  /** Always includes the first cell. */
  readonly cells: readonly CellStatus[];
  readonly away: readonly CellAway[];
}

export async function statusOfCells(db: Database): Promise<CellsStatus> {
  const { answers, away } = await queryEachCell(db, statusOfCell);
  return { cells: answers.map(({ value }) => value), away };
}

async function statusOfCell(db: Database, cell: string): Promise<CellStatus> {
  const schema = await schemaVersions(db);
  const [queue, workers, kept, holds] = await Promise.all([
    queueStatus(db),
    workerStatus(db),
    countKept(db),
    holdsInForce(db),
  ]);
  return { cell, schema, queue, workers, kept, holds };
}

export function queueOfAll(cells: readonly CellStatus[]): QueueStatus {
  const of = (name: 'waiting' | 'due' | 'claimed') => sum(cells.map(({ queue }) => queue[name]));
  const ages = cells.map(({ queue }) => queue.oldestDueSeconds).filter((age) => age !== null);
  return {
    ...{ waiting: of('waiting'), due: of('due'), claimed: of('claimed') },
    oldestDueSeconds: ages.length === 0 ? null : Math.max(...ages),
  };
}

/** Lists a hold once that is in force in several cells. */
export function holdsOfAll(cells: readonly CellStatus[]): readonly HoldInForce[] {
  const byName = new Map(
    cells.flatMap(({ holds }) => holds.map((one) => [holdName(one, one.organizationId), one] as const)),
  );
  return [...byName.values()];
}

/** During an upgrade, processes of two versions may share the schema. */
export function isSchemaUsable({ version, needs, known }: SchemaVersions): boolean {
  return version >= known && needs <= known;
}

/** Every cell must answer and have workers. */
export function areWell({ cells, away }: CellsStatus): boolean {
  const isWell = ({ schema, workers }: CellStatus) =>
    isSchemaUsable(schema) && workers.some((worker) => worker.alive);
  return away.length === 0 && cells.every(isWell);
}
