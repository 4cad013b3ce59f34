/**
 * A backup of an installation with several cells: a file for each, the first database before the others. Whoever is made meanwhile is told to its
 * cell first, so every organization that the first file knows is in the file of its cell. One that is moved meanwhile might be in none
 * of them, or in two: then they are no backup.
 */
import { changedSince, type PlacedOrganization } from '../../cells/store.ts';
import { type Database, MAIN_CELL } from '../../kit/database/database.ts';
import { isUnavailable } from '../../kit/database/errors.ts';
import type { Config } from '../../kit/runtime/config.ts';
import { listOrganizations } from '../../organizations/store.ts';
import { journalHome } from '../data-folders.ts';
import { CliError, EXIT_USAGE } from './command.ts';
import { directUrl, reason } from './installation.ts';

export interface CellToSave {
  readonly name: string;
  readonly url: string;
  /** Where its workers on this machine keep their journals. */
  readonly dataDir: string;
  readonly file: string;
}

/** `only`: the one that was asked for. */
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

/** `today.tar` of the first, `today.two.tar` of another. */
function fileOfCell(file: string, cell: string): string {
  return file.endsWith('.tar') ? `${file.slice(0, -'.tar'.length)}.${cell}.tar` : `${file}.${cell}`;
}

/** Where everybody is, to be compared afterwards. */
export async function placesBefore(db: Database): Promise<ReadonlyMap<string, PlacedOrganization>> {
  const placed = await changedSince(db, 0);
  const moving = placed.filter(({ is_moving }) => is_moving);
  if (moving.length > 0)
    throw new CliError(
      `${moving.map((one) => one.organization_id).join(', ')} on the way to another cell. Back up when that is done.`,
    );
  return new Map(placed.map((one) => [one.organization_id, one]));
}

/** Those that were there when it began and are, or are about to be, elsewhere. */
export async function movedMeanwhile(
  db: Database,
  before: ReadonlyMap<string, PlacedOrganization>,
  begunAt: Date,
): Promise<readonly string[]> {
  const fresh = new Set(
    (await listOrganizations(db)).filter((one) => one.created_at >= begunAt).map(({ id }) => id),
  );
  return (await changedSince(db, 0))
    .filter(({ organization_id: id, version }) => before.get(id)?.version !== version && !fresh.has(id))
    .map(({ organization_id }) => organization_id);
}

/** Null, or what is missing: the first has to be there. */
export async function orAway(name: string, save: Promise<unknown>): Promise<string | null> {
  try {
    await save;
    return null;
  } catch (error) {
    if (name === MAIN_CELL || !isUnavailable(error)) throw error;
    return `The cell ${name} is not in this backup, because it does not answer (${reason(error)}).`;
  }
}
