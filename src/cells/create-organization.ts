/** Creates an organization in a chosen cell. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, MAIN_CELL } from '../database/database.ts';
import type { Sql } from '../database/sql.ts';
import { copyOrganization, insertOrganization, type OrganizationRow } from '../organizations/store.ts';
import { NOTICED_MS } from './directory.ts';
import { assignCell } from './store.ts';

/**
 * Writes to the cell first: an organization that only its cell knows does no harm, but one that its cell does not know could
 * not work. Resolves when no process takes it to be in the first cell any more. `besides`: part of the transaction that creates
 * it in control.
 */
export async function createInCell(
  db: Database,
  cell: string,
  row: OrganizationRow,
  besides: (tx: Sql) => Promise<unknown> = async () => undefined,
): Promise<void> {
  const isElsewhere = cell !== MAIN_CELL;
  if (isElsewhere) await copyOrganization(cellNamed(db, cell), row);
  await db.transaction(async (tx) => {
    await insertOrganization(tx, row);
    if (isElsewhere) await assignCell(tx, row.id, cell);
    await besides(tx);
  });
  if (isElsewhere) await sleep(NOTICED_MS);
}

function cellNamed(db: Database, name: string): Database {
  const cell = db.cells.find((one) => one.name === name);
  if (cell === undefined)
    throw new Error(`There is no cell ${name}: there are ${db.cells.map((one) => one.name).join(', ')}.`);
  return cell.db;
}
