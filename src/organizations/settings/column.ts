/** Settings stored as columns of `organizations`. Only this file reads and writes those columns. */
import { type Sql, type Statement, sql } from '../../database/sql.ts';
import type { Clock } from '../../runtime/clock.ts';
import { TtlCache } from '../../runtime/ttl-cache.ts';

const REMEMBERED = { keepMs: 1_000, max: 10_000 };

interface Column<Value> {
  readonly select: Statement<{ readonly value: Value }>;
  readonly update: Statement<unknown>;
  /** The value for an organization that was deleted. */
  readonly unset: Value;
}

export function columnOf<Value>(name: string, unset: Value): Column<Value> {
  return {
    select: sql(`organizations.${name}`, `SELECT ${name} AS value FROM organizations WHERE id = $1`, {
      home: 'control',
    }),
    update: sql(`organizations.set_${name}`, `UPDATE organizations SET ${name} = $2 WHERE id = $1`, {
      home: 'control',
    }),
    unset,
  };
}

/**
 * Every send reads the setting, so it is cached briefly. A change takes effect in all processes when their caches
 * expire.
 */
export class ColumnSetting<Value> {
  readonly #column: Column<Value>;
  readonly #db: Sql;
  readonly #clock: Clock;
  readonly #remembered: TtlCache<Value>;
  readonly #pending = new Map<string, Promise<Value>>();

  constructor(column: Column<Value>, { db, clock }: { readonly db: Sql; readonly clock: Clock }) {
    this.#column = column;
    this.#db = db;
    this.#clock = clock;
    this.#remembered = new TtlCache({ ...REMEMBERED, clock });
  }

  async of(organizationId: string): Promise<Value> {
    const known = this.#remembered.get(organizationId);
    return known === undefined ? this.#readOnce(organizationId) : known;
  }

  /** Takes effect in this process at once. */
  async set(organizationId: string, value: Value): Promise<void> {
    await this.#db.exec(this.#column.update, [organizationId, value]);
    this.#remembered.delete(organizationId);
    this.#pending.delete(organizationId);
  }

  /** Concurrent requests after an expiry share one query. */
  #readOnce(organizationId: string): Promise<Value> {
    const running = this.#pending.get(organizationId);
    if (running !== undefined) return running;
    const reading = this.#read(organizationId).finally(() => {
      if (this.#pending.get(organizationId) === reading) this.#pending.delete(organizationId);
    });
    this.#pending.set(organizationId, reading);
    return reading;
  }

  async #read(organizationId: string): Promise<Value> {
    const readAtMs = this.#clock.nowMs();
    const row = await this.#db.maybeOne(this.#column.select, [organizationId]);
    const value = row === undefined ? this.#column.unset : row.value;
    this.#remembered.set(organizationId, value, readAtMs);
    return value;
  }
}
