/** Everything that happens, as one stream. */
import type { Answer, Item, Query, RequestOptions } from '../operation.ts';
import { itemsOfCursor, MOST_PER_PAGE } from '../pages.ts';
import type { Transport } from '../transport.ts';

export class Events {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  /** One page, the newest first. */
  list(query: Query<'GET /events'> = {}, options: RequestOptions = {}): Promise<Answer<'GET /events'>> {
    return this.#api.answer('GET /events', { query }, options);
  }

  /** All of them, page by page as you read on. */
  all(
    query: Omit<Query<'GET /events'>, 'cursor'> = {},
    options: RequestOptions = {},
  ): AsyncGenerator<Item<'GET /events'>, void, undefined> {
    return itemsOfCursor((cursor) => this.list({ limit: MOST_PER_PAGE, ...query, cursor }, options));
  }
}
