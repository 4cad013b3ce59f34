/**
 * Limits how often one network address may do something per minute.
 *
 * Owns the counts of each address (for IPv6, of each /64 network) in the current minute. At most MAX_COUNTS
 * entries are kept; the most recently counted stay. Each process counts separately: unauthenticated clients
 * must not cause database work.
 */
import { BoundedMap } from './bounded-map.ts';
import { callerOfAddress } from './caller-address.ts';
import { MINUTE_MS } from './durations.ts';

interface AddressQuotasOptions<Counted extends string> {
  /** Per address and minute. */
  readonly limits: Readonly<Record<Counted, number>>;
  readonly nowMs: () => number;
  readonly exempt?: ((address: string, what: Counted) => boolean) | undefined;
}

const MAX_COUNTS = 50_000;

/** Undefined when the client has already disconnected. */
type Peer = string | undefined;

export class AddressQuotas<Counted extends string> {
  readonly #options: AddressQuotasOptions<Counted>;
  readonly #counts = new BoundedMap<string, number>(MAX_COUNTS);
  #minute = 0;

  constructor(options: AddressQuotasOptions<Counted>) {
    this.#options = options;
  }

  allows(address: Peer, what: Counted): boolean {
    if (this.#isExempt(address, what)) return true;
    const key = this.#keyOf(address, what);
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return count <= this.#options.limits[what];
  }

  /** Whether the limit is already reached. */
  isOver(address: Peer, what: Counted): boolean {
    if (this.#isExempt(address, what)) return false;
    return (this.#counts.get(this.#keyOf(address, what)) ?? 0) > this.#options.limits[what];
  }

  /** Takes back one count that was no misuse. */
  giveBack(address: Peer, what: Counted): void {
    const key = this.#keyOf(address, what);
    const count = this.#counts.get(key);
    if (count !== undefined && count > 0) this.#counts.set(key, count - 1);
  }

  /** Time until the counts start over. */
  get resetSeconds(): number {
    return Math.max(1, Math.ceil((MINUTE_MS - (this.#options.nowMs() % MINUTE_MS)) / 1_000));
  }

  #isExempt(address: Peer, what: Counted): boolean {
    return address !== undefined && this.#options.exempt?.(address, what) === true;
  }

  #keyOf(address: Peer, what: Counted): string {
    const minute = Math.floor(this.#options.nowMs() / MINUTE_MS);
    if (minute !== this.#minute) this.#counts.clear();
    this.#minute = minute;
    return `${what} ${callerOfAddress(address)}`;
  }
}
