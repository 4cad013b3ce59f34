/** The audit log. For owners. */
import type { Answer, Item, Query, RequestOptions } from '../operation.ts';
import { itemsOfCursor, MAX_PER_PAGE } from '../pages.ts';
import type { Transport } from '../transport.ts';

export class AuditLog {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  /** Lists one page, newest first. */
  list(query: Query<'GET /audit-log'> = {}, options: RequestOptions = {}): Promise<Answer<'GET /audit-log'>> {
    return this.#api.answer('GET /audit-log', { query }, options);
  }

  /** Iterates over all entries. Fetches the next page when you have read the previous one. */
  all(
    query: Omit<Query<'GET /audit-log'>, 'cursor'> = {},
    options: RequestOptions = {},
  ): AsyncGenerator<Item<'GET /audit-log'>, void, undefined> {
    return itemsOfCursor((cursor) => this.list({ limit: MAX_PER_PAGE, ...query, cursor }, options));
  }
}
