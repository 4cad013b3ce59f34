/** Compares an organization's rows in two cells by count and a sum of their text, without transferring rows. */
import { adHoc } from '../../database/sql.ts';
import { quotedName } from '../backup/catalog.ts';
import type { CellEnd } from './cell-end.ts';
import type { CopyRun } from './copy-rows.ts';
import { type MovingTable, quotedList } from './moving-tables.ts';

export interface Compared {
  readonly table: MovingTable;
  readonly rows: number;
  readonly isSame: boolean;
  readonly tookMs: number;
}

/** `since`: of a weekly table, compare only rows of emails from this one on. */
export async function compareTable(
  { source, target, organizationId }: CopyRun,
  table: MovingTable,
  since: string | null = null,
): Promise<Compared> {
  const began = performance.now();
  const [here, there] = await Promise.all([
    sumOf(source, table, organizationId, since),
    sumOf(target, table, organizationId, since),
  ]);
  const isSame = here.count === there.count && here.sum === there.sum;
  return { table, rows: here.count, isSame, tookMs: performance.now() - began };
}

interface Sum {
  readonly count: number;
  readonly sum: string;
}

/** A sum does not depend on the order of rows. */
function sumOf(
  { db }: CellEnd,
  { name, columns, weeklyBy }: MovingTable,
  organizationId: string,
  since: string | null,
): Promise<Sum> {
  const isPart = since !== null && weeklyBy !== null;
  const text = `
    SELECT count(*) AS count, coalesce(sum(hashtextextended(one::text, 0)), 0)::text AS sum
    FROM (SELECT ${quotedList(columns)} FROM ${quotedName(name)}
          WHERE organization_id = $1${isPart ? ` AND ${weeklyBy} >= $2::uuid` : ''}) AS one`;
  return db.one(adHoc<Sum>(text), isPart ? [organizationId, since] : [organizationId]);
}
