/**
 * The settings of streams, as accepting mail reads them. Cached briefly. An unknown name is looked up every time, so
 * that a new stream works at once.
 */
import type { Sql } from '../database/sql.ts';
import type { Clock } from '../runtime/clock.ts';
import { TtlCache } from '../runtime/ttl-cache.ts';
import { findStream, listStreams } from './store.ts';
import { BUILT_IN, builtIn, type Stream } from './stream.ts';

const REMEMBERED = { keepMs: 1_000, max: 10_000 };

export class KnownStreams {
  readonly #db: Sql;
  readonly #remembered: TtlCache<Stream>;

  constructor(db: Sql, clock: Clock) {
    this.#db = db;
    this.#remembered = new TtlCache({ ...REMEMBERED, clock });
  }

  /** Undefined when the organization has no stream of that name. */
  async of(organizationId: string, name: string): Promise<Stream | undefined> {
    const key = `${organizationId} ${name}`;
    const known = this.#remembered.get(key);
    if (known !== undefined) return known;
    const found = (await findStream(this.#db, organizationId, name)) ?? builtIn(name);
    if (found !== undefined) this.#remembered.set(key, found);
    return found;
  }

  /** The names for the error about an unknown stream. */
  async names(organizationId: string): Promise<string[]> {
    const made = (await listStreams(this.#db, organizationId)).map(({ name }) => name);
    return [...new Set([...BUILT_IN.map(({ name }) => name), ...made])];
  }
}
