/** Runs work per cell, or queries all cells: a cell that is down does not delay the others. */
import type { Cell, Database } from './database.ts';

/** One object per cell, created at its first use. */
export function perCell<T>(db: Database, create: (db: Database) => T): (organizationId: string) => T {
  const made = new Map<Database, T>();
  return (organizationId) => {
    const cell = db.of(organizationId);
    const known = made.get(cell);
    if (known !== undefined) return known;
    const one = create(cell);
    made.set(cell, one);
    return one;
  };
}

const NOT_THERE = new Error('It is not in this cell.');

/**
 * The answer of the first cell that has one, without waiting for the others. If none has, but a cell could not be reached, that
 * cell might have it, so its error is thrown.
 */
export async function firstOfCells<T>(
  { cells }: Database,
  ask: (db: Database, cell: Cell) => Promise<T | undefined>,
): Promise<T | undefined> {
  const asking = cells.map((cell) => ask(cell.db, cell));
  const found = asking.map(async (one) => {
    const answer = await one;
    if (answer === undefined) throw NOT_THERE;
    return answer;
  });
  return Promise.any(found).catch(async () => {
    await Promise.all(asking);
    return undefined;
  });
}

export async function isInAnyCell(db: Database, ask: (cell: Database) => Promise<boolean>): Promise<boolean> {
  return (await firstOfCells(db, async (cell) => ((await ask(cell)) ? true : undefined))) ?? false;
}

/** The answers of all cells, one after the other. */
export async function ofAllCells<T>(
  { cells }: Database,
  ask: (cell: Database) => Promise<readonly T[]>,
): Promise<T[]> {
  return (await Promise.all(cells.map(({ db }) => ask(db)))).flat();
}

export async function sumOfCells(
  { cells }: Database,
  count: (cell: Database) => Promise<number>,
): Promise<number> {
  const counts = await Promise.all(cells.map(({ db }) => count(db)));
  return counts.reduce((sum, one) => sum + one, 0);
}
