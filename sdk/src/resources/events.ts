/** The events of all emails. */
import { follow, readConnection } from '../follow.ts';
import type { Answer, Item, Query, RequestOptions } from '../operation.ts';
import { itemsOfCursor, MAX_PER_PAGE } from '../pages.ts';
import type { Transport } from '../transport.ts';

export interface EventChanges {
  readonly types: readonly Item<'GET /events'>['type'][];
}

export class Events {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  /** Lists one page, newest first. */
  list(query: Query<'GET /events'> = {}, options: RequestOptions = {}): Promise<Answer<'GET /events'>> {
    return this.#api.answer('GET /events', { query }, options);
  }

  /** Iterates over all entries. Fetches the next page when you have read the previous one. */
  all(
    query: Omit<Query<'GET /events'>, 'cursor'> = {},
    options: RequestOptions = {},
  ): AsyncGenerator<Item<'GET /events'>, void, undefined> {
    return itemsOfCursor((cursor) => this.list({ limit: MAX_PER_PAGE, ...query, cursor }, options));
  }

  /**
   * Yields events as they happen, until you stop reading or abort. Reconnects when the connection breaks, and misses no
   * event. The client applies the filter, because every event shows the position in the stream.
   */
  async *follow(
    filter: Query<'GET /events/stream'> = {},
    options: RequestOptions = {},
  ): AsyncGenerator<Item<'GET /events'>, void, undefined> {
    // The server begins a few seconds earlier, so that no event is missed.
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

  /**
   * Yields the types of events that happen, at most once a second. Starts with the types of the last ten seconds, and ends with the
   * connection, after ten minutes at most. Needs a session, not an API key.
   */
  async *changes(options: RequestOptions = {}): AsyncGenerator<EventChanges, void, undefined> {
    const open = (signal: AbortSignal) => this.#api.stream('GET /events/changes', {}, { ...options, signal });
    for await (const { data } of readConnection(open, options.signal))
      if (data !== null) yield JSON.parse(data) as EventChanges;
  }
}
