/**
 * Holds in an installation with several cells. A hold of one organization is in its cell. A hold of all mail is in every cell
 * under the same id, and each cell carries it out on its own. Cells are written one after the other, and an interrupted write
 * may be repeated.
 */
import type { Database } from '../../database/database.ts';
import { ofAllCells } from '../../database/per-cell.ts';
import type { Sql } from '../../database/sql.ts';
import { figuresOf, type HoldFigures } from './coverage.ts';
import type { HoldEnding } from './hold.ts';
import {
  endHold,
  findHold,
  type HoldPage,
  type HoldRow,
  listHolds,
  type NewHold,
  openHoldLike,
  placeHold,
} from './store.ts';

/** Undefined if every cell already has an identical hold. */
export async function placeInCells(db: Database, hold: NewHold): Promise<HoldRow | undefined> {
  const { organizationId = null } = hold;
  if (organizationId !== null) return db.of(organizationId).transaction((tx) => placeHold(tx, hold));
  if (db.cells.length === 1) return db.transaction((tx) => placeHold(tx, hold));
  // An earlier interrupted call may have reached some of the cells.
  const known = (await ofAllCells(db, async (cell) => [await openHoldLike(cell, hold)])).find(
    (id) => id !== undefined,
  );
  let placed: HoldRow | undefined;
  for (const cell of db.cells) {
    const id = placed?.id ?? known;
    const row = await cell.db.transaction((tx) => placeHold(tx, id === undefined ? hold : { ...hold, id }));
    placed ??= row;
  }
  return placed;
}

export async function findInCells(db: Database, id: string): Promise<HoldRow | undefined> {
  return together(await ofAllCells(db, async (cell) => asList(await findHold(cell, id))))[0];
}

/** Undefined if an ending was decided before. */
export async function endInCells(
  db: Database,
  hold: Pick<HoldRow, 'id' | 'organization_id' | 'scope'>,
  ending: { readonly how: HoldEnding; readonly reason: string | null; readonly by: string },
): Promise<HoldRow | undefined> {
  const { organization_id } = hold;
  if (organization_id !== null) return db.of(organization_id).transaction((tx) => endHold(tx, hold, ending));
  const rows: HoldRow[] = [];
  for (const cell of db.cells)
    rows.push(...asList(await cell.db.transaction((tx) => endHold(tx, hold, ending))));
  return together(rows)[0];
}

/** Lists the holds that operators placed, or all holds. */
export async function listInCells(
  cells: readonly Sql[],
  whose: 'operators' | 'everybody',
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<HoldPage> {
  const [only, ...others] = cells;
  if (only !== undefined && others.length === 0) return listHolds(only, whose, { limit, offset });
  const pages = await Promise.all(cells.map((cell) => listHolds(cell, whose, { limit: MOST, offset: 0 })));
  const rows = together(pages.flatMap((page) => page.rows)).sort(openFirst);
  const open = rows.filter(({ lifted_at }) => lifted_at === null).length;
  return { rows: rows.slice(offset, offset + limit), total: rows.length, open };
}

export async function figuresInCells(cells: readonly Sql[], id: string): Promise<HoldFigures> {
  const [first, ...others] = await Promise.all(cells.map((cell) => figuresOf(cell, id)));
  return others.reduce(added, first as HoldFigures);
}

/** Per cell: at most a hundred are in force, and users place them by hand. */
const MOST = 10_000;

function asList<T>(one: T | undefined): readonly T[] {
  return one === undefined ? [] : [one];
}

/** Rows with the same id are one hold. It is over when it is over in every cell. */
function together(rows: readonly HoldRow[]): HoldRow[] {
  const holds = new Map<string, HoldRow>();
  for (const row of rows) {
    const known = holds.get(row.id);
    holds.set(row.id, known === undefined ? row : joined(known, row));
  }
  return [...holds.values()];
}

function joined(one: HoldRow, other: HoldRow): HoldRow {
  return {
    ...one,
    ending: one.ending === null || other.ending === null ? null : one.ending,
    lifted_at: laterOf(one.lifted_at, other.lifted_at),
    ended_at: laterOf(one.ended_at, other.ended_at),
    released: one.released + other.released,
    discarded: one.discarded + other.discarded,
  };
}

/** Null if either is null. */
function laterOf(one: Date | null, other: Date | null): Date | null {
  return one === null || other === null ? null : one > other ? one : other;
}

function openFirst(one: HoldRow, other: HoldRow): number {
  return (
    Number(one.ending !== null) - Number(other.ending !== null) ||
    other.placed_at.getTime() - one.placed_at.getTime() ||
    (one.id < other.id ? -1 : 1)
  );
}

function added(sum: HoldFigures, one: HoldFigures): HoldFigures {
  const ages = [sum.oldestAt, one.oldestAt].filter((at) => at !== null);
  return {
    held: sum.held + one.held,
    expired: sum.expired + one.expired,
    later: sum.later + one.later,
    oldestAt: ages.length === 0 ? null : new Date(Math.min(...ages.map((at) => at.getTime()))),
  };
}
