/**
 * Backs up an installation with several cells: one file each, the first database before the others. A new
 * organization is created in its cell first, so every organization in the first file is also in its cell's
 * file. An organization moved meanwhile may be in neither file or in both, which invalidates the backup.
 */
import { allMoves, type KnownMove } from '../cells/move-store.ts';
import { changedSince, type PlacedOrganization } from '../cells/store.ts';
import { type Database, MAIN_CELL } from '../database/database.ts';
import { isUnavailable } from '../database/errors.ts';
import { listOrganizations } from '../organizations/store.ts';
import { journalHome } from '../processes/data-folders.ts';
import type { Config } from '../runtime/config.ts';
import { CliError, EXIT_USAGE } from './command.ts';
import { directUrl, reason } from './installation.ts';

export interface CellToSave {
  readonly name: string;
  readonly url: string;
  /** The folder with the journals of the cell's workers on this machine. */
  readonly dataDir: string;
  readonly file: string;
}

/** `only` is the requested cell. */
export async function cellsToSave(
  config: Config,
  file: string,
  only: string | undefined,
): Promise<readonly CellToSave[]> {
  const { dataDir } = config;
  const all: CellToSave[] = [
    { name: MAIN_CELL, url: await directUrl(config), dataDir, file },
    ...config.cells.map(({ name, url }) => ({
      ...{ name, url, dataDir: journalHome({ dataDir, cell: name }) },
      file: only === undefined ? fileOfCell(file, name) : file,
    })),
  ];
  const wanted = all.filter(({ name }) => only === undefined || name === only);
  if (wanted.length > 0) return wanted;
  throw new CliError(
    `There is no cell ${only}. There are: ${all.map(({ name }) => name).join(', ')}`,
    EXIT_USAGE,
  );
}

/** `today.tar` for the first, `today.two.tar` for another. */
function fileOfCell(file: string, cell: string): string {
  return file.endsWith('.tar') ? `${file.slice(0, -'.tar'.length)}.${cell}.tar` : `${file}.${cell}`;
}

export interface Places {
  readonly placed: ReadonlyMap<string, PlacedOrganization>;
  readonly moves: ReadonlySet<string>;
}

/**
 * The cell of every organization, to compare after the backup. During a move, a cell has rows of an
 * organization that lives elsewhere; a restore would refuse them, because their mail would be sent twice.
 * `cells` are those being saved.
 */
export async function placesBefore(db: Database, cells: readonly CellToSave[]): Promise<Places> {
  const [placed, moves] = await Promise.all([changedSince(db, 0), movesOf(db, cells)]);
  const open = moves.filter(({ is_open }) => is_open).map(({ organization_id }) => organization_id);
  const moving = placed.filter(({ is_moving }) => is_moving).map(({ organization_id }) => organization_id);
  const onTheWay = [...new Set([...open, ...moving])];
  if (onTheWay.length > 0)
    throw new CliError(`${onTheWay.join(', ')} on the way to another cell. Back up when that is done.`);
  return {
    placed: new Map(placed.map((one) => [one.organization_id, one])),
    moves: new Set(moves.map(({ id }) => id)),
  };
}

/** Organizations that were, are, or were about to be in another cell than when the backup began. */
export async function movedMeanwhile(
  db: Database,
  cells: readonly CellToSave[],
  before: Places,
  begunAt: Date,
): Promise<readonly string[]> {
  const begun = (await movesOf(db, cells)).filter(({ id }) => !before.moves.has(id));
  // A single file is one snapshot, regardless of later moves.
  if (cells.length === 1) return begun.map(({ organization_id }) => organization_id);
  const fresh = new Set(
    (await listOrganizations(db)).filter((one) => one.created_at >= begunAt).map(({ id }) => id),
  );
  const placed = (await changedSince(db, 0)).filter(
    ({ organization_id: id, version }) => before.placed.get(id)?.version !== version && !fresh.has(id),
  );
  return [...new Set([...begun, ...placed].map(({ organization_id }) => organization_id))];
}

async function movesOf(db: Database, cells: readonly CellToSave[]): Promise<readonly KnownMove[]> {
  const names = new Set(cells.map(({ name }) => name));
  return (await allMoves(db)).filter((one) => names.has(one.from_cell) || names.has(one.to_cell));
}

/** Null, or the reason why a cell is missing. The first cell is required. */
export async function orAway(name: string, save: Promise<unknown>): Promise<string | null> {
  try {
    await save;
    return null;
  } catch (error) {
    if (name === MAIN_CELL || !isUnavailable(error)) throw error;
    return `The cell ${name} is not in this backup, because it does not answer (${reason(error)}).`;
  }
}
