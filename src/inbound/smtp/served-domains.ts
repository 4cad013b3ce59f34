/**
 * Below which domains of customers we receive mail: those that are verified, whose SPF records name us for all to see, so
 * that asking tells strangers nothing new.
 *
 * It owns what was found lately, the oldest out first.
 */

import { isVerifiedAnywhere } from '../../domains/verified.ts';
import type { Sql } from '../../kit/database/sql.ts';
import type { FindMailbox, Found } from './mailboxes.ts';

export type Reached = Exclude<Found, { kind: 'delegated' }> | { readonly kind: 'unsure' };
export type ReachMailbox = (address: string) => Promise<Reached>;

const KEEP_MS = 60_000;
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
  readonly #nowMs: () => number;
  readonly #known = new Map<string, { readonly served: boolean; readonly untilMs: number }>();

  constructor(db: Sql, nowMs: () => number) {
    this.#db = db;
    this.#nowMs = nowMs;
  }

  async has(domain: string): Promise<boolean> {
    const nowMs = this.#nowMs();
    const known = this.#known.get(domain);
    if (known !== undefined && known.untilMs > nowMs) return known.served;
    const served = await isVerifiedAnywhere(this.#db, domain);
    this.#known.delete(domain);
    this.#known.set(domain, { served, untilMs: nowMs + KEEP_MS });
    if (this.#known.size > MAX_DOMAINS) this.#known.delete(this.#known.keys().next().value as string);
    return served;
  }
}
