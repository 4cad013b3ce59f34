/**
 * The customers' domains below which this installation receives mail: verified domains whose SPF records publicly name this
 * host, so that a probe reveals nothing new.
 *
 * It owns a cache of recent lookups, which evicts the oldest first.
 */

import type { Database } from '../../database/database.ts';
import { isInAnyCell } from '../../database/per-cell.ts';
import { isVerifiedAnywhere } from '../../domains/verified.ts';
import type { FoundReceiver, Receiver } from '../../received/receivers.ts';
import { MINUTE_MS } from '../../runtime/durations.ts';
import { TtlCache } from '../../runtime/ttl-cache.ts';
import type { FindMailbox, FoundMailbox, OpenMailbox } from './mailboxes.ts';

type Reached =
  | Exclude<FoundMailbox, { kind: 'delegated' }>
  | { readonly kind: 'received'; readonly receiver: Receiver }
  | { readonly kind: 'unsure' };
export type ReachMailbox = (address: string) => Promise<Reached>;

const KEEP_MS = MINUTE_MS;
const MAX_DOMAINS = 5_000;

/** `receive`: finds the receiver of an address. */
export function createServedMailboxes(
  find: FindMailbox,
  db: Database,
  nowMs: () => number,
  receive: (address: string) => Promise<FoundReceiver>,
): ReachMailbox {
  const served = new ServedDomains(db, nowMs);
  return async (address) => {
    const found = find(address);
    try {
      if (found.kind === 'unknown' || found.kind === 'elsewhere')
        return reached(await receive(address), found);
      if (found.kind !== 'delegated') return found;
      if (await served.has(found.domain)) return { kind: 'open', name: found.name };
      return { kind: 'elsewhere' };
    } catch {
      return { kind: 'unsure' };
    }
  };
}

function reached(found: FoundReceiver, otherwise: Reached): Reached {
  if (found.kind === 'elsewhere') return otherwise;
  if (found.kind === 'received') return found;
  // Every mail host has these addresses. Without a route of their own they go to the operator.
  const name = EVERYWHERE.find((one) => one === found.local);
  return name === undefined ? { kind: 'unknown' } : { kind: 'open', name };
}

const EVERYWHERE: readonly OpenMailbox[] = ['postmaster', 'abuse'];

class ServedDomains {
  readonly #db: Database;
  readonly #known: TtlCache<boolean>;

  constructor(db: Database, nowMs: () => number) {
    this.#db = db;
    this.#known = new TtlCache({ keepMs: KEEP_MS, max: MAX_DOMAINS, clock: { nowMs } });
  }

  async has(domain: string): Promise<boolean> {
    const known = this.#known.get(domain);
    if (known !== undefined) return known;
    const served = await isInAnyCell(this.#db, (cell) => isVerifiedAnywhere(cell, domain));
    this.#known.set(domain, served);
    return served;
  }
}
