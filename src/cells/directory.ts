/**
 * Which organization is in which cell, in the memory of a process. An organization that nothing is known of is in the first
 * cell. Once a second it asks control for what has changed; `NOTICED_MS` after a change was committed every process that reaches
 * control knows of it.
 *
 * States: unread (nobody knows anything, and whoever asks is told to come back); read.
 */
import { MAIN_CELL } from '../kit/database/database.ts';
import type { Sql } from '../kit/database/sql.ts';
import type { Service } from '../kit/runtime/lifecycle.ts';
import type { Log } from '../kit/runtime/log.ts';
import { changedSince } from './store.ts';

const LOOK_EVERY_MS = 1_000;
/** Whoever places an organization waits so long before anybody can act for it. */
export const NOTICED_MS = 2_000;

export interface DirectoryOptions {
  /** Control. */
  readonly db: Sql;
  readonly log: Log;
}

export class CellDirectory implements Service {
  readonly name = 'cell directory';
  readonly #options: DirectoryOptions;
  readonly #cells = new Map<string, string>();
  /** Names are kept once, however many organizations are there. */
  readonly #names = new Map<string, string>();
  #isRead = false;
  #version = 0;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | null = null;

  constructor(options: DirectoryOptions) {
    this.#options = options;
  }

  /** Control may be away: then it is asked again. */
  async start(): Promise<void> {
    await this.#look();
    this.#timer ??= setInterval(() => void this.#look(), LOOK_EVERY_MS).unref();
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
    if (!this.#isRead) throw new UnreadDirectoryError();
    return this.#cells.get(organizationId) ?? MAIN_CELL;
  }

  async refresh(): Promise<void> {
    for (const { organization_id, cell, version } of await changedSince(this.#options.db, this.#version)) {
      if (cell === MAIN_CELL) this.#cells.delete(organization_id);
      else this.#cells.set(organization_id, this.#nameOf(cell));
      this.#version = Math.max(this.#version, version);
    }
    this.#isRead = true;
  }

  #look(): Promise<void> {
    this.#looking ??= this.refresh()
      .catch((error: unknown) => this.#options.log.debug({ err: error }, 'could not ask who is in which cell'))
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

/** Nobody knows yet where anybody is: as good as a database that is away. */
export class UnreadDirectoryError extends Error {
  /** PostgreSQL's own word for it: a connection cannot be established. */
  readonly code = '08001';

  constructor() {
    super('It is not known yet which organization is in which cell.');
  }
}
