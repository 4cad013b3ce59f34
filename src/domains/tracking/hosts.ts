/**
 * Looks up whether a name is a customer's tracking host. Results are cached briefly, negative ones too. Anyone can
 * send any name, so lookups per network address and minute are limited.
 */
import type { Database } from '../../database/database.ts';
import { isInAnyCell } from '../../database/per-cell.ts';
import type { Clock } from '../../runtime/clock.ts';
import { TtlCache } from '../../runtime/ttl-cache.ts';
import { isTrackingHost } from './store.ts';

/** Short, because a proxy asks within seconds after a host was verified. */
const REMEMBERED = { keepMs: 2_000, max: 10_000 };
const MAX_NAME_CHARS = 253;

/** Called for every query caused by an address; throws above the address's limit. */
type CountLookUp = (address: string) => void;

export class TrackingHosts {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #count: CountLookUp;
  readonly #remembered: TtlCache<boolean>;

  constructor(db: Database, clock: Clock, count: CountLookUp) {
    this.#db = db;
    this.#count = count;
    this.#clock = clock;
    this.#remembered = new TtlCache({ ...REMEMBERED, clock });
  }

  async has(host: string, address: string): Promise<boolean> {
    if (host === '' || host.length > MAX_NAME_CHARS) return false;
    const name = host.toLowerCase();
    const known = this.#remembered.get(name);
    if (known !== undefined) return known;
    this.#count(address);
    const askedMs = this.#clock.nowMs();
    const found = await isInAnyCell(this.#db, (cell) => isTrackingHost(cell, name));
    this.#remembered.set(name, found, askedMs);
    return found;
  }
}
