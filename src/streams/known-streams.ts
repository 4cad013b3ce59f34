/**
 * What is set for the stream of a mail, as accepting asks for it. Remembered for a moment; one that is not known is asked for
 * every time, so that a new stream can be used at once.
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

  /** Undefined where the organization has none of that name. */
  async of(organizationId: string, name: string): Promise<Stream | undefined> {
    const key = `${organizationId} ${name}`;
    const known = this.#remembered.get(key);
    if (known !== undefined) return known;
    const found = (await findStream(this.#db, organizationId, name)) ?? builtIn(name);
    if (found !== undefined) this.#remembered.set(key, found);
    return found;
  }

  /** For whoever named one that is not there. */
  async names(organizationId: string): Promise<string[]> {
    const made = (await listStreams(this.#db, organizationId)).map(({ name }) => name);
    return [...new Set([...BUILT_IN.map(({ name }) => name), ...made])];
  }
}
