/**
 * The one writer of `cell_identity`, with which every database identifies its installation and its cell. Addresses cannot do
 * this: two of them may lead to the same database, and one with a wrong host to another installation's.
 */
import { type Cell, type Database, MAIN_CELL } from '../database/database.ts';
import { isUnavailable, isUndefinedTable } from '../database/errors.ts';
import { type Sql, sql } from '../database/sql.ts';

export interface CellIdentity {
  readonly installation_id: string;
  readonly cell: string;
}

const select = sql<CellIdentity>('cell_identity.read', 'SELECT installation_id, cell FROM cell_identity', {
  home: 'either',
});

const insert = sql(
  'cell_identity.write',
  `INSERT INTO cell_identity (installation_id, cell) VALUES (coalesce($1::uuid, gen_random_uuid()), $2)
   ON CONFLICT DO NOTHING`,
  { home: 'either' },
);

/** A database with an installation's keys has been its control, even before databases stored their identity. */
const hasBeenControl = sql<{ found: boolean }>(
  'secret_keys.is_any',
  'SELECT EXISTS (SELECT FROM secret_keys) AS found',
  { home: 'control' },
);

/** The database is not the one that the configuration names. Nothing was changed. */
export class OtherCellError extends Error {
  override readonly name = 'OtherCellError';
}

/** Undefined if none is stored yet, or if the schema predates the table. */
export function identityOf(db: Sql): Promise<CellIdentity | undefined> {
  return orWithoutTable(db.maybeOne(select));
}

async function isControlOfOld(db: Sql): Promise<boolean> {
  const asked = await orWithoutTable(db.maybeOne(hasBeenControl));
  return asked?.found === true;
}

function orWithoutTable<T>(asked: Promise<T>): Promise<T | undefined> {
  return asked.catch((error: unknown) => {
    if (isUndefinedTable(error)) return undefined;
    throw error;
  });
}

/** The database of `DATABASE_URL`. Creates the installation's id if it has none. */
export async function claimMain(db: Database): Promise<CellIdentity> {
  await db.exec(insert, [null, MAIN_CELL]);
  const own = (await identityOf(db)) as CellIdentity;
  refuseAsMain(own);
  return own;
}

/**
 * Runs before any change to the cell. `db`: the cell's own database, not a routed one, because control's tables are looked for
 * in it.
 */
export async function refuseOtherCell(db: Database, name: string, main: CellIdentity): Promise<void> {
  const known = await identityOf(db);
  if (known !== undefined) return refuseOther(known, name, main);
  if (await isControlOfOld(db)) throw new OtherCellError(otherInstallation(name));
}

/** Runs after the cell's tables were created. */
export async function claimCell(db: Database, name: string, main: CellIdentity): Promise<void> {
  await db.exec(insert, [main.installation_id, name]);
  refuseOther((await identityOf(db)) as CellIdentity, name, main);
}

/** Checks databases that were migrated before. If control is down, each cell's name is all that is checked. */
export async function checkIdentities(
  cells: readonly Cell[],
  onAway: (cell: Cell, error: unknown) => void,
): Promise<void> {
  let main: CellIdentity | undefined;
  for (const cell of cells) {
    try {
      const own = await identityOf(cell.db);
      if (cell.name === MAIN_CELL) main = own;
      refuseUnlike(own, cell.name, main);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      onAway(cell, error);
    }
  }
}

function refuseUnlike(own: CellIdentity | undefined, name: string, main: CellIdentity | undefined): void {
  if (name === MAIN_CELL) {
    if (own !== undefined) refuseAsMain(own);
    return;
  }
  if (own === undefined)
    throw new OtherCellError(
      `The cell ${name} is not set up as a cell of this installation. Run \`npx postrider migrate\`.`,
    );
  refuseOther(own, name, main ?? own);
}

function refuseAsMain({ cell }: CellIdentity): void {
  if (cell !== MAIN_CELL)
    throw new OtherCellError(
      `DATABASE_URL names the cell ${cell} of an installation. Set DATABASE_URL to the first database of the installation, and name this cell in POSTRIDER_CELLS.`,
    );
}

function refuseOther(own: CellIdentity, name: string, main: CellIdentity): void {
  if (own.installation_id !== main.installation_id) throw new OtherCellError(otherInstallation(name));
  if (own.cell === name) return;
  const what = own.cell === MAIN_CELL ? 'the database of DATABASE_URL' : `the cell ${own.cell}`;
  throw new OtherCellError(
    `The address of the cell ${name} in POSTRIDER_CELLS leads to ${what}. Give each cell its own database or schema, and keep its name.`,
  );
}

function otherInstallation(name: string): string {
  return `The address of the cell ${name} in POSTRIDER_CELLS leads to the database of another installation. Correct the address, or give the cell an empty database.`;
}
