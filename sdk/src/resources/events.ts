/** Everything that happens, as one stream. */
import { follow } from '../follow.ts';
import type { Answer, Item, Query, RequestOptions } from '../operation.ts';
import { itemsOfCursor, MAX_PER_PAGE } from '../pages.ts';
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
    return itemsOfCursor((cursor) => this.list({ limit: MAX_PER_PAGE, ...query, cursor }, options));
  }

  /**
   * What happens from now on, as it happens, until you stop reading or abort. Connections that break are made anew,
   * and nothing is missed in between. The filter is applied here: an event that is left out still says how far we are.
   */
  async *follow(
    filter: Query<'GET /events/stream'> = {},
    options: RequestOptions = {},
  ): AsyncGenerator<Item<'GET /events'>, void, undefined> {
    // The server begins a few seconds before what it is told, lest something be missed.
    const before = await this.list({ limit: MAX_PER_PAGE }, options);
    const events = follow<Item<'GET /events'>>({
      connect: (lastId, signal) =>
        this.#api.stream(
          'GET /events/stream',
          {},
          { ...options, signal, headers: lastId === undefined ? {} : { 'last-event-id': lastId } },
        ),
      known: before.data.map(({ id }) => id),
      signal: options.signal,
    });
    const recipient = filter.recipient?.toLowerCase();
    for await (const event of events) {
      if (filter.type !== undefined && event.type !== filter.type) continue;
      if (recipient === undefined || event.recipient.toLowerCase() === recipient) yield event;
    }
  }
}
