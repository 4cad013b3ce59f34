/**
 * What was fetched of organizations that are on their way to another cell, or while nobody can say where they are. Owns what waits: one of each key, as in
 * the queues, and no more than one of those takes.
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

  /** False where there is no room. */
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

  /** Returns how many there were. */
  clear(): number {
    const size = this.#size;
    this.#items.clear();
    this.#size = 0;
    return size;
  }
}
