/**
 * The names that customers' tracking hosts have, as requests ask about them: whether a name is one, and whether DNS leads from it to us.
 * What was found is remembered for a while, also that there is nothing: anybody may ask about any name.
 */
import type { Sql } from '../../kit/database/sql.ts';
import type { Clock } from '../../kit/runtime/clock.ts';
import { ShortMemory } from '../../kit/runtime/short-memory.ts';
import { pointingOf } from './store.ts';

const REMEMBERED = { keepMs: 10_000, max: 10_000 };
const MAX_NAME_CHARS = 253;

type Known = 'nobodys' | 'claimed' | 'pointing';

export class TrackingHosts {
  readonly #db: Sql;
  readonly #clock: Clock;
  readonly #remembered: ShortMemory<Known>;

  constructor(db: Sql, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
    this.#remembered = new ShortMemory({ ...REMEMBERED, clock });
  }

  /** Somebody has named it, whether or not it leads here. */
  async isOne(host: string): Promise<boolean> {
    return (await this.#find(host)) !== 'nobodys';
  }

  /** It may have a certificate. */
  async pointsHere(host: string): Promise<boolean> {
    return (await this.#find(host)) === 'pointing';
  }

  async #find(host: string): Promise<Known> {
    if (host === '' || host.length > MAX_NAME_CHARS) return 'nobodys';
    const name = host.toLowerCase();
    const known = this.#remembered.get(name);
    if (known !== undefined) return known;
    const askedMs = this.#clock.nowMs();
    const points = await pointingOf(this.#db, name);
    const found = points === undefined ? 'nobodys' : points ? 'pointing' : 'claimed';
    this.#remembered.set(name, found, askedMs);
    return found;
  }
}
