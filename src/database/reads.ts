/**
 * Limits the connections that lists, searches, statistics and exports may hold, so that reads cannot starve other work.
 *
 * An expensive read waits for a slot of its organization and for a global slot. OF_ONE keeps an organization from holding what
 * others need; IN_ALL leaves the rest of the pool to sending. Waiting reads are served in turns by organization, so an
 * organization with a thousand reads waits behind itself. The number of waiting reads and their waiting time are bounded;
 * beyond that the caller is told to retry later.
 *
 * If several processes read, OF_ONE applies to all of them together: each statement also takes one of the organization's slots
 * in the database, in its own transaction and without another round trip. If none is free, it retries a moment later.
 *
 * It owns the running and waiting reads. A slot is released when PostgreSQL has answered and not when the caller has left: an
 * aborted request holds its connection until then, for READ_TIMEOUT_MS at most.
 */

import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { GrowingPause } from '../runtime/growing-pause.ts';
import { ServiceError } from '../runtime/service-error.ts';
import type { Database } from './database.ts';
import { isReadSlotTaken, isStatementTimeout } from './errors.ts';
import type { Replica } from './replica.ts';
import type { Sql, Statement } from './sql.ts';

export interface ReadLimits {
  readonly ofOne: number;
  readonly inAll: number;
  readonly waitingOfOne: number;
  readonly waitMs: number;
}

export const READ_TIMEOUT_MS = 5_000;
/** Out of the pool's ten connections. A page of the dashboard sends seven queries at once. */
const LIMITS: ReadLimits = { ofOne: 3, inAll: 6, waitingOfOne: 50, waitMs: 5_000 };

/** The first pause before an occupied slot is tried again. */
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 200;

const COME_BACK_SECONDS = 1;
const BUSY = 'This organization has too many lists and searches in progress. Send fewer at a time.';
const TOO_SLOW = `The search took longer than ${READ_TIMEOUT_MS / 1_000} seconds. Try again, or narrow it down, for example with from_date and to_date.`;

interface Waiting {
  readonly go: () => void;
}

interface Organization {
  running: number;
  readonly waiting: Set<Waiting>;
}

type Source = Pick<Database, 'reading'> & Partial<Pick<Database, 'of' | 'cells' | 'located'>>;
interface Where {
  readonly cell?: Source;
  readonly timeoutMs?: number | undefined;
}

type Run = <T>(statement: (db: Sql) => Promise<T>) => Promise<T>;

interface ReadsOptions {
  readonly replica?: Pick<Replica, 'standby' | 'beforeReading' | 'rest'> | undefined;
  readonly limits?: ReadLimits;
}

export class Reads {
  readonly #db: Source;
  readonly #replica: ReadsOptions['replica'];
  readonly #alone: Sql;
  readonly #limits: ReadLimits;
  /** Organizations with running or waiting reads; the last served one is at the end. */
  readonly #organizations = new Map<string, Organization>();
  #running = 0;
  #hasOthers = false;

  constructor(db: Source, { replica, limits = LIMITS }: ReadsOptions = {}) {
    this.#db = db;
    this.#replica = replica;
    this.#alone = db.reading(READ_TIMEOUT_MS);
    this.#limits = limits;
  }

  setOthers(others: number): void {
    this.#hasOthers = others > 0;
  }

  /** `timeoutMs`: for reads that have to answer sooner than others. */
  of(organizationId: string, timeoutMs = READ_TIMEOUT_MS): Sql {
    return running((statement) => this.#hold(organizationId, statement, { timeoutMs }));
  }

  /** For reads of one organization's cell by another organization: an operator's. */
  ofCell(organizationId: string, reader: string): Sql {
    return this.#in(this.#db.of?.(organizationId) ?? this.#db, reader);
  }

  ofAllCells(reader: string): readonly Sql[] {
    return (this.#db.cells ?? [{ db: this.#db }]).map(({ db }) => this.#in(db, reader));
  }

  /**
   * Like `of`, but for lists, statistics and events: reads from a standby if it has every answered commit. If the standby
   * fails, this and all later reads use the primary, because a list must not go back in time.
   */
  lately(organizationId: string): Sql {
    const replica = this.#replica;
    if (replica === undefined || !this.#isInFirstCell(organizationId)) return this.of(organizationId);
    let asked: Promise<string | null> | undefined;
    return running((statement) =>
      this.#hold(organizationId, async (db) => {
        asked ??= replica.beforeReading();
        const first = await asked;
        if (first === null) return statement(db);
        return statement(this.#readingFrom(replica.standby, organizationId, { first })).catch(
          (error: unknown) => {
            if (isStatementTimeout(error) || isReadSlotTaken(error)) throw error;
            replica.rest(error);
            asked = Promise.resolve(null);
            return statement(db);
          },
        );
      }),
    );
  }

  get size(): number {
    return this.#organizations.size;
  }

  #in(cell: Source, reader: string): Sql {
    return running((statement) => this.#hold(reader, statement, { cell }));
  }

  async #hold<T>(organizationId: string, statement: (db: Sql) => Promise<T>, where: Where = {}): Promise<T> {
    const untilMs = performance.now() + this.#limits.waitMs;
    const pause = new GrowingPause(FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
    for (;;) {
      try {
        return await this.#holdOnce(organizationId, statement, where);
      } catch (error) {
        if (!isReadSlotTaken(error)) throw error;
        if (performance.now() >= untilMs) throw busy();
      }
      await sleep(pause.next());
    }
  }

  async #holdOnce<T>(
    organizationId: string,
    statement: (db: Sql) => Promise<T>,
    { cell = this.#db, timeoutMs }: Where,
  ): Promise<T> {
    await this.#enter(organizationId);
    try {
      await this.#db.located?.();
      return await statement(this.#readingFrom(cell, organizationId, { timeoutMs }));
    } catch (error) {
      throw isStatementTimeout(error)
        ? new ServiceError('UNAVAILABLE', TOO_SLOW, { cause: error, retryAfterSeconds: 5 })
        : error;
    } finally {
      this.#leave(organizationId);
    }
  }

  #readingFrom(
    from: Source,
    organizationId: string,
    { first = '', timeoutMs = READ_TIMEOUT_MS }: { first?: string; timeoutMs?: number | undefined } = {},
  ): Sql {
    const source = from.of?.(organizationId) ?? from;
    if (!this.#hasOthers && source === this.#db && timeoutMs === READ_TIMEOUT_MS) return this.#alone;
    return source.reading(timeoutMs, `${first};${this.#hasOthers ? this.#slotOf(organizationId) : ''}`);
  }

  #slotOf(organizationId: string): string {
    const owner = createHash('sha256').update(organizationId).digest().readInt32BE();
    return `SELECT hold_read_slot(${owner}, ${this.#limits.ofOne})`;
  }

  /** The standby belongs to the first cell. */
  #isInFirstCell(organizationId: string): boolean {
    return this.#db.of?.(organizationId) === this.#db.cells?.[0]?.residents;
  }

  #enter(organizationId: string): Promise<void> {
    const organization = this.#organizations.get(organizationId) ?? { running: 0, waiting: new Set() };
    this.#organizations.set(organizationId, organization);
    if (organization.waiting.size === 0 && this.#mayRun(organization)) {
      this.#begin(organizationId, organization);
      return Promise.resolve();
    }
    if (organization.waiting.size >= this.#limits.waitingOfOne) return Promise.reject(busy());
    return this.#wait(organizationId, organization);
  }

  #wait(organizationId: string, organization: Organization): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        organization.waiting.delete(one);
        this.#forgetIdle(organizationId, organization);
        reject(busy());
      }, this.#limits.waitMs);
      const one: Waiting = {
        go: () => {
          clearTimeout(timer);
          organization.waiting.delete(one);
          this.#begin(organizationId, organization);
          resolve();
        },
      };
      organization.waiting.add(one);
    });
  }

  #mayRun({ running }: Organization): boolean {
    return this.#running < this.#limits.inAll && running < this.#limits.ofOne;
  }

  #begin(organizationId: string, organization: Organization): void {
    organization.running += 1;
    this.#running += 1;
    // Moves the organization behind the others, which have waited longer.
    this.#organizations.delete(organizationId);
    this.#organizations.set(organizationId, organization);
  }

  #leave(organizationId: string): void {
    const organization = this.#organizations.get(organizationId);
    if (organization === undefined) throw new Error('A read ended that had never begun.');
    organization.running -= 1;
    this.#running -= 1;
    this.#forgetIdle(organizationId, organization);
    this.#next()?.go();
  }

  /** The first waiting read of the organization with the fewest running reads; among equals, of the one served longest ago. */
  #next(): Waiting | undefined {
    let next: Organization | undefined;
    for (const organization of this.#organizations.values()) {
      if (organization.waiting.size === 0 || !this.#mayRun(organization)) continue;
      if (next === undefined || organization.running < next.running) next = organization;
    }
    return next?.waiting.values().next().value;
  }

  #forgetIdle(organizationId: string, { running, waiting }: Organization): void {
    if (running === 0 && waiting.size === 0) this.#organizations.delete(organizationId);
  }
}

function running(run: Run): Sql {
  return {
    many: <Row>(statement: Statement<Row>, params?: readonly unknown[]) =>
      run((db) => db.many(statement, params)),
    maybeOne: <Row>(statement: Statement<Row>, params?: readonly unknown[]) =>
      run((db) => db.maybeOne(statement, params)),
    one: <Row>(statement: Statement<Row>, params?: readonly unknown[]) =>
      run((db) => db.one(statement, params)),
    exec: (statement, params) => run((db) => db.exec(statement, params)),
  };
}

function busy(): ServiceError {
  return new ServiceError('RATE_LIMITED', BUSY, { retryAfterSeconds: COME_BACK_SECONDS });
}
