/**
 * Below which domains of customers we receive mail: those that are verified, whose SPF records name us for all to see, so
 * that asking tells strangers nothing new.
 *
 * It owns what was found lately, the oldest out first.
 */

import { isVerifiedAnywhere } from '../../domains/verified.ts';
import type { Sql } from '../../kit/database/sql.ts';
import { MINUTE_MS } from '../../kit/runtime/durations.ts';
import { ShortMemory } from '../../kit/runtime/short-memory.ts';
import type { FindMailbox, FoundMailbox } from './mailboxes.ts';

export type Reached = Exclude<FoundMailbox, { kind: 'delegated' }> | { readonly kind: 'unsure' };
export type ReachMailbox = (address: string) => Promise<Reached>;

const KEEP_MS = MINUTE_MS;
const MAX_DOMAINS = 5_000;

export function createServedMailboxes(find: FindMailbox, db: Sql, nowMs: () => number): ReachMailbox {
  const served = new ServedDomains(db, nowMs);
  return async (address) => {
    const found = find(address);
    if (found.kind !== 'delegated') return found;
    try {
      if (await served.has(found.domain)) return { kind: 'open', name: found.name };
      return { kind: 'elsewhere' };
    } catch {
      return { kind: 'unsure' };
    }
  };
}

class ServedDomains {
  readonly #db: Sql;
  readonly #known: ShortMemory<boolean>;

  constructor(db: Sql, nowMs: () => number) {
    this.#db = db;
    this.#known = new ShortMemory({ keepMs: KEEP_MS, max: MAX_DOMAINS, clock: { nowMs } });
  }

  async has(domain: string): Promise<boolean> {
    const known = this.#known.get(domain);
    if (known !== undefined) return known;
    const served = await isVerifiedAnywhere(this.#db, domain);
    this.#known.set(domain, served);
    return served;
  }
}
