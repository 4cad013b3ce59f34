/**
 * Which organization is in which cell, in the memory of a process. An organization that nothing is known of is in the first
 * cell. It asks control for what has changed, several times a second, and what it knows is good for a second after it asked: whoever
 * changes it waits that long (`NOTICED_MS`), and then nobody acts on what was before. A process that slept, or that cannot reach
 * control, knows nothing until it has asked again.
 *
 * States: unread or out of date (nobody is anywhere, and whoever asks is told to come back); good.
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
/** So long after a change was committed nobody acts on what was before. */
export const NOTICED_MS = GOOD_FOR_MS + 100;

export interface DirectoryOptions {
  /** Control. */
  readonly db: Sql;
  readonly log: Log;
  /** Only tests give one. */
  readonly nowMs?: () => readonly [steady: number, wall: number];
}

/** The steady clock stands still while a machine sleeps; the other one may be set. Whichever says that more time has passed is believed. */
const bothClocks = () => [performance.now(), Date.now()] as const;

export class CellDirectory implements Service {
  readonly name = 'cell directory';
  readonly #options: DirectoryOptions;
  readonly #now: NonNullable<DirectoryOptions['nowMs']>;
  readonly #cells = new Map<string, string>();
  readonly #moving = new Set<string>();
  /** Names are kept once, however many organizations are there. */
  readonly #names = new Map<string, string>();
  #askedAt: readonly [steady: number, wall: number] = [Number.NEGATIVE_INFINITY, 0];
  #version = 0;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | null = null;

  constructor(options: DirectoryOptions) {
    this.#options = options;
    this.#now = options.nowMs ?? bothClocks;
  }

  /** Control may be away: then it is asked again. */
  async start(): Promise<void> {
    await this.#look();
    this.#timer ??= setInterval(() => void this.#look(), CHECK_INTERVAL_MS).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    await this.#looking;
  }

  /** How many organizations are elsewhere than in the first. */
  get size(): number {
    return this.#cells.size;
  }

  /** The name of its cell. */
  cellOf(organizationId: string): string {
    if (!this.#isGood())
      throw new UnknownPlaceError('It is not known just now which organization is in which cell.');
    if (this.#moving.size > 0 && this.#moving.has(organizationId))
      throw new MovedAwayError('The organization is being moved to another cell.');
    return this.#cells.get(organizationId) ?? MAIN_CELL;
  }

  /** Undefined where it can be asked now; otherwise it is once this has resolved, unless control is away. */
  located(): Promise<void> | undefined {
    return this.#isGood() ? undefined : this.#findOut();
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

  /** On a busy machine an answer may take longer than it is good for. */
  async #findOut(): Promise<void> {
    for (let times = 0; times < ASK_TIMES && !this.#isGood(); times += 1) {
      const askedAt = this.#askedAt;
      await this.#look();
      if (this.#askedAt === askedAt) return; // control is away
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

/** Nobody can say just now where an organization's mail is: as good as a database that is away. */
export class UnknownPlaceError extends Error {
  /** PostgreSQL's own word for it: a connection cannot be established. */
  readonly code = '08001';

  /** `cell`: the one that cannot be asked, where it is known. */
  constructor(message: string, cell?: string) {
    super(message);
    if (cell !== undefined) noteCell(this, cell);
  }
}

/** One organization is not, or no longer, where it was found to be; nothing was run. Others that were to be written with it are still there. */
export class MovedAwayError extends Error {
  readonly code = MOVED_AWAY;
}
