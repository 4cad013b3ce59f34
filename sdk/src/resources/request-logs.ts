/** Refused requests of the last 7 days. */
import type { Answer, Data, Item, Query, RequestOptions } from '../operation.ts';
import { itemsOfPages, MAX_PER_PAGE } from '../pages.ts';
import type { Transport } from '../transport.ts';

export class RequestLogs {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  /** Lists one page, newest first. */
  list(
    query: Query<'GET /request-logs'> = {},
    options: RequestOptions = {},
  ): Promise<Answer<'GET /request-logs'>> {
    return this.#api.answer('GET /request-logs', { query }, options);
  }

  /** Iterates over all entries. Fetches the next page when you have read the previous one. */
  all(
    query: Omit<Query<'GET /request-logs'>, 'page'> = {},
    options: RequestOptions = {},
  ): AsyncGenerator<Item<'GET /request-logs'>, void, undefined> {
    return itemsOfPages(
      (page) => this.list({ limit: MAX_PER_PAGE, ...query, page }, options),
      (one) => one.id,
    );
  }

  get(id: string, options: RequestOptions = {}): Promise<Data<'GET /request-logs/{id}'>> {
    return this.#api.data('GET /request-logs/{id}', { params: { id } }, options);
  }
}
