/**
 * The cell of each organization, cached in a process. An organization without an entry is in the first cell. The directory
 * polls control for changes several times a second, and its data is valid for one second after a poll. A change therefore waits
 * that long (`NOTICED_MS`), after which no process acts on old data. A process that slept, or that cannot reach control, has no
 * valid data until its next poll.
 *
 * States: unread or expired (every lookup fails and is to be retried); valid.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, MAIN_CELL } from '../database/database.ts';
import { MOVED_AWAY, noteCell } from '../database/errors.ts';
import type { Sql } from '../database/sql.ts';
import { copyOrganization, insertOrganization, type OrganizationRow } from '../organizations/store.ts';
import { readClocks } from '../runtime/clock.ts';
import type { Service } from '../runtime/lifecycle.ts';
import type { Log } from '../runtime/log.ts';
import { OtherCellError } from './identity.ts';
import { assignCell, changedSince } from './store.ts';

const CHECK_INTERVAL_MS = 200;
const GOOD_FOR_MS = 1_000;
const ASK_TIMES = 3;
/** This long after a change was committed, no process acts on the old data. */
export const NOTICED_MS = GOOD_FOR_MS + 100;

interface DirectoryOptions {
  /** The control database. */
  readonly db: Sql;
  readonly log: Log;
  /** Set only by tests. */
  readonly nowMs?: () => readonly [steady: number, wall: number];
}

/**
 * The monotonic clock stops while a machine sleeps, and the wall clock may be set. The one that shows more elapsed time counts.
 */
function bothClocks() {
  const { steadyMs, wallMs } = readClocks();
  return [steadyMs, wallMs] as const;
}

export class CellDirectory implements Service {
  readonly name = 'cell directory';
  readonly #options: DirectoryOptions;
  readonly #now: NonNullable<DirectoryOptions['nowMs']>;
  readonly #cells = new Map<string, string>();
  readonly #moving = new Set<string>();
  /** Each name is stored once, however many organizations there are. */
  readonly #names = new Map<string, string>();
  #askedAt: readonly [steady: number, wall: number] = [Number.NEGATIVE_INFINITY, 0];
  #version = 0;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | null = null;

  constructor(options: DirectoryOptions) {
    this.#options = options;
    this.#now = options.nowMs ?? bothClocks;
  }

  /** Control may be down, in which case it is polled again. */
  async start(): Promise<void> {
    await this.#look();
    this.#timer ??= setInterval(() => void this.#look(), CHECK_INTERVAL_MS).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    await this.#looking;
  }

  /** The number of organizations outside the first cell. */
  get size(): number {
    return this.#cells.size;
  }

  cellOf(organizationId: string): string {
    if (!this.#isGood())
      throw new UnknownPlaceError(
        'The list of organizations and their cells cannot be read at the moment. Try again shortly.',
      );
    if (this.#moving.size > 0 && this.#moving.has(organizationId))
      throw new MovedAwayError('The organization is being moved to another cell. Try again shortly.');
    return this.#cells.get(organizationId) ?? MAIN_CELL;
  }

  /** Undefined if the data is valid now. Otherwise resolves when it is, unless control is down. */
  located(): Promise<void> | undefined {
    return this.#isGood() ? undefined : this.#refreshNow();
  }

  async refresh(): Promise<void> {
    const askedAt = this.#now();
    for (const { organization_id, cell, is_moving, version } of await changedSince(
      this.#options.db,
      this.#version,
    )) {
      if (cell === MAIN_CELL) this.#cells.delete(organization_id);
      else this.#cells.set(organization_id, this.#nameOf(cell));
      if (is_moving) this.#moving.add(organization_id);
      else this.#moving.delete(organization_id);
      this.#version = Math.max(this.#version, version);
    }
    this.#askedAt = askedAt;
  }

  /** On a busy machine an answer may take longer than it is valid. */
  async #refreshNow(): Promise<void> {
    for (let times = 0; times < ASK_TIMES && !this.#isGood(); times += 1) {
      const askedAt = this.#askedAt;
      await this.#look();
      if (this.#askedAt === askedAt) return; // control is down
    }
  }

  #isGood(): boolean {
    const [steady, wall] = this.#now();
    const [askedSteady, askedWall] = this.#askedAt;
    return Math.max(steady - askedSteady, wall - askedWall) < GOOD_FOR_MS;
  }

  #look(): Promise<void> {
    this.#looking ??= this.refresh()
      .catch((error: unknown) =>
        this.#options.log.debug({ err: error }, 'could not read the cells of organizations'),
      )
      .finally(() => {
        this.#looking = null;
      });
    return this.#looking;
  }

  #nameOf(cell: string): string {
    const known = this.#names.get(cell);
    if (known !== undefined) return known;
    this.#names.set(cell, cell);
    return cell;
  }
}

/** The location of an organization's mail is currently unknown: equivalent to a database that is down. */
export class UnknownPlaceError extends Error {
  /** PostgreSQL's code for a failed connection. */
  readonly code = '08001';

  /** `cell`: the unreachable cell, if known. */
  constructor(message: string, cell?: string) {
    super(message);
    if (cell !== undefined) noteCell(this, cell);
  }
}

/**
 * One organization is no longer in the cell where it was found, and nothing was executed. The others of the same write are
 * still there.
 */
export class MovedAwayError extends Error {
  readonly code = MOVED_AWAY;
}

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

/** Describes the existing ones; null if every cell is named. */
export async function unconfiguredCells(db: Database): Promise<string | null> {
  const named = new Set(db.cells.map(({ name }) => name));
  const placed = (await changedSince(db.cells[0]?.db ?? db, 0)).map(({ cell }) => cell);
  const unnamed = [...new Set(placed)].filter((cell) => !named.has(cell));
  if (unnamed.length === 0) return null;
  const words = `Organizations are in the cell ${unnamed.join(', ')}, which POSTRIDER_CELLS does not name.`;
  if (named.size > 1)
    return `${words} Requests of these organizations are answered with 503 until POSTRIDER_CELLS names the cell.`;
  throw new OtherCellError(`${words} Set POSTRIDER_CELLS to the same value as on every other host.`);
}
