/**
 * The cell of each organization, cached in a process. An organization without an entry is in the first cell. The directory
 * polls control for changes several times a second, and its data is valid for one second after a poll. A change therefore waits
 * that long (`NOTICED_MS`), after which no process acts on old data. A process that slept, or that cannot reach control, has no
 * valid data until its next poll.
 *
 * States: unread or expired (every lookup fails and is to be retried); valid.
 */
import { MAIN_CELL } from '../database/database.ts';
import { MOVED_AWAY, noteCell } from '../database/errors.ts';
import type { Sql } from '../database/sql.ts';
import type { Service } from '../runtime/lifecycle.ts';
import type { Log } from '../runtime/log.ts';
import { changedSince } from './store.ts';

const CHECK_INTERVAL_MS = 200;
const GOOD_FOR_MS = 1_000;
const ASK_TIMES = 3;
/** This long after a change was committed, no process acts on the old data. */
export const NOTICED_MS = GOOD_FOR_MS + 100;

export interface DirectoryOptions {
  /** The control database. */
  readonly db: Sql;
  readonly log: Log;
  /** Set only by tests. */
  readonly nowMs?: () => readonly [steady: number, wall: number];
}

/**
 * The monotonic clock stops while a machine sleeps, and the wall clock may be set. The one that shows more elapsed time counts.
 */
const bothClocks = () => [performance.now(), Date.now()] as const;

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
      throw new UnknownPlaceError('It is not known just now which organization is in which cell.');
    if (this.#moving.size > 0 && this.#moving.has(organizationId))
      throw new MovedAwayError('The organization is being moved to another cell.');
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
        this.#options.log.debug({ err: error }, 'could not ask who is in which cell'),
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
