/**
 * Organizations whose cell the configuration does not name. If it names other cells, their requests are refused automatically.
 * If it names none, no cell is looked up, and their mail would be stored and searched in the wrong place, so the server must
 * not start.
 */
import type { Database } from '../database/database.ts';
import { OtherCellError } from './identity.ts';
import { changedSince } from './store.ts';

/** Describes the existing ones; null if every cell is named. */
export async function unconfiguredCells(db: Database): Promise<string | null> {
  const named = new Set(db.cells.map(({ name }) => name));
  const placed = (await changedSince(db.cells[0]?.db ?? db, 0)).map(({ cell }) => cell);
  const unnamed = [...new Set(placed)].filter((cell) => !named.has(cell));
  if (unnamed.length === 0) return null;
  const words = `Organizations are in the cell ${unnamed.join(', ')}, which POSTRIDER_CELLS does not name.`;
  if (named.size > 1) return `${words} Their requests are answered with 503 until it does.`;
  throw new OtherCellError(`${words} Set it as it is on every other host.`);
}
