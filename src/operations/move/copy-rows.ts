/** Copies an organization's rows from one cell to another through this process, so that neither cell has to reach the other. */
import { copyIn, copyOut } from '../../database/copy.ts';
import { adHoc } from '../../database/sql.ts';
import { quotedName } from '../backup/catalog.ts';
import { type CellEnd, inTransaction } from './cell-end.ts';
import { type MovingTable, quotedList } from './moving-tables.ts';

export interface CopyRun {
  readonly source: CellEnd;
  readonly target: CellEnd;
  readonly organizationId: string;
}

/** In one transaction of the target: all rows or none. */
export function copyTables(
  { source, target, organizationId }: CopyRun,
  tables: readonly MovingTable[],
  onTable: (name: string, rows: number) => void,
): Promise<void> {
  return inTransaction(target, async () => {
    for (const { name, columns } of tables) {
      const list = quotedList(columns);
      const theirs = `SELECT ${list} FROM ${quotedName(name)} WHERE organization_id = ${literal(organizationId)}`;
      const rows = copyOut(source.client, `COPY (${theirs}) TO STDOUT`);
      onTable(name, await copyIn(target.client, `COPY ${quotedName(name)} (${list}) FROM STDIN`, rows));
    }
  });
}

export async function countRows(
  end: CellEnd,
  { name }: MovingTable,
  organizationId: string,
): Promise<number> {
  const text = `SELECT count(*) AS count FROM ${quotedName(name)} WHERE organization_id = $1`;
  return (await end.db.one(adHoc<{ count: number }>(text), [organizationId])).count;
}

/** COPY, publications and subscriptions take no parameters. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
