/**
 * Which address gets much more mail than usual from one organization: a loop that sends the same alert again and again. Pure. What
 * is usual for the address is asked of the database by whoever is told: it knows more than the last minutes.
 */
import { BoundedMap } from '../../kit/runtime/bounded-map.ts';
import { MINUTE_MS } from '../../kit/runtime/durations.ts';

interface Window {
  sinceMs: number;
  count: number;
}

export const BURST = { mails: 100, withinMs: 10 * MINUTE_MS };
const MAX_ADDRESSES = 50_000;

export class RecipientWatch {
  readonly #windows = new BoundedMap<string, Window>(MAX_ADDRESSES);

  /** Whether this is the mail that makes it a burst. It is counted from zero then. */
  note(organizationId: string, address: string, atMs: number): boolean {
    const key = `${organizationId} ${address}`;
    const known = this.#windows.get(key);
    if (known === undefined || atMs - known.sinceMs > BURST.withinMs) {
      this.#windows.set(key, { sinceMs: atMs, count: 1 });
      return false;
    }
    known.count += 1;
    if (known.count < BURST.mails) return false;
    this.#windows.delete(key);
    return true;
  }
}
