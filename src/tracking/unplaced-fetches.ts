/**
 * Fetches of organizations that are being moved to another cell, or whose cell is unknown at the moment. Owns the
 * waiting fetches: one per key, as in the queues, and no more than one queue holds.
 */
import type { Fetched } from '../emails/opens.ts';
import { MAX_WAITING, replaces } from './fetch-queue.ts';

export class UnplacedFetches<Item extends Fetched> {
  readonly #keyOf: (item: Item) => string;
  readonly #max: number;
  readonly #items = new Map<string, Map<string, Item>>();
  #size = 0;

  constructor(keyOf: (item: Item) => string, max = MAX_WAITING) {
    this.#keyOf = keyOf;
    this.#max = max;
  }

  get size(): number {
    return this.#size;
  }

  /** False when full. */
  add(item: Item): boolean {
    const own = this.#items.get(item.organizationId) ?? new Map<string, Item>();
    const key = this.#keyOf(item);
    const known = own.get(key);
    if (known !== undefined && !replaces(item, known)) return true;
    if (known === undefined && this.#size >= this.#max) return false;
    if (known === undefined) this.#size += 1;
    own.set(key, item);
    this.#items.set(item.organizationId, own);
    return true;
  }

  byOrganization(): (readonly [organizationId: string, items: readonly Item[]])[] {
    return [...this.#items].map(([organizationId, own]) => [organizationId, [...own.values()]]);
  }

  remove(organizationId: string): void {
    this.#size -= this.#items.get(organizationId)?.size ?? 0;
    this.#items.delete(organizationId);
  }

  /** Returns the number of removed fetches. */
  clear(): number {
    const size = this.#size;
    this.#items.clear();
    this.#size = 0;
    return size;
  }
}
