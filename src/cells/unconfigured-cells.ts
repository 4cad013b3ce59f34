/**
 * Organizations whose cell the configuration does not name. Where it names others, their requests are refused by themselves. Where it names
 * none, nothing is looked up at all, and their mail would be taken and looked for where it is not: nothing may work then.
 */
import type { Database } from '../database/database.ts';
import { OtherCellError } from './identity.ts';
import { changedSince } from './store.ts';

/** Of those that there are, in words; null where all are named. */
export async function unconfiguredCells(db: Database): Promise<string | null> {
  const named = new Set(db.cells.map(({ name }) => name));
  const placed = (await changedSince(db.cells[0]?.db ?? db, 0)).map(({ cell }) => cell);
  const unnamed = [...new Set(placed)].filter((cell) => !named.has(cell));
  if (unnamed.length === 0) return null;
  const words = `Organizations are in the cell ${unnamed.join(', ')}, which POSTRIDER_CELLS does not name.`;
  if (named.size > 1) return `${words} Their requests are answered with 503 until it does.`;
  throw new OtherCellError(`${words} Set it as it is on every other host.`);
}
