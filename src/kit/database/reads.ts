/**
 * Reading that cannot starve anybody: the connections that lists, searches, statistics and exports may hold.
 *
 * A statement that reads much waits for a slot of its organization and for one of all. OF_ONE keeps an organization from
 * holding what others need; IN_ALL leaves the rest of the pool to those who send. Who waits is served in turns by
 * organization, so one that asks a thousand times waits behind itself. How many may wait, and for how long, is bounded:
 * beyond that the caller is told to come back.
 *
 * It owns who runs and who waits. A slot is given back when PostgreSQL has answered and not when the caller has left:
 * a request that was broken off goes on holding its connection until then, for READ_TIMEOUT_MS at most.
 */

import { ServiceError } from '../service-error.ts';
import type { Database } from './database.ts';
import { isStatementTimeout } from './errors.ts';
import type { Sql, Statement } from './sql.ts';

export interface ReadLimits {
  readonly ofOne: number;
  readonly inAll: number;
  readonly waitingOfOne: number;
  readonly waitMs: number;
}

export const READ_TIMEOUT_MS = 5_000;
/** Of the pool's ten connections. A page of the dashboard asks seven things at once. */
const LIMITS: ReadLimits = { ofOne: 3, inAll: 6, waitingOfOne: 50, waitMs: 5_000 };

const COME_BACK_SECONDS = 1;
const BUSY = 'This organization has too many lists and searches in progress. Send fewer at a time.';
const TOO_SLOW = `This took longer than ${READ_TIMEOUT_MS / 1_000} seconds. Try again, or narrow it down, for example with from_date and to_date.`;

interface Waiting {
  readonly go: () => void;
}

interface Organization {
  running: number;
  readonly waiting: Set<Waiting>;
}

export class Reads {
  readonly #db: Sql;
  readonly #limits: ReadLimits;
  /** Those that have something running or waiting; the one that was served last is at the end. */
  readonly #organizations = new Map<string, Organization>();
  #running = 0;

  constructor(db: Pick<Database, 'reading'>, limits: ReadLimits = LIMITS) {
    this.#db = db.reading(READ_TIMEOUT_MS);
    this.#limits = limits;
  }

  /** For what is read on behalf of an organization. */
  of(organizationId: string): Sql {
    const run = <T>(statement: (db: Sql) => Promise<T>) => this.#hold(organizationId, statement);
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

  /** How many organizations have something under way. */
  get size(): number {
    return this.#organizations.size;
  }

  async #hold<T>(organizationId: string, statement: (db: Sql) => Promise<T>): Promise<T> {
    await this.#enter(organizationId);
    try {
      return await statement(this.#db);
    } catch (error) {
      throw isStatementTimeout(error)
        ? new ServiceError('UNAVAILABLE', TOO_SLOW, { cause: error, retryAfterSeconds: 5 })
        : error;
    } finally {
      this.#leave(organizationId);
    }
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
    // Behind the others: they have waited for longer.
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

  /** The first to wait of the organization that has the least running, and of those, was served the longest ago. */
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

function busy(): ServiceError {
  return new ServiceError('RATE_LIMITED', BUSY, { retryAfterSeconds: COME_BACK_SECONDS });
}
