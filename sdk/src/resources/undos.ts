/** A provider had a bad hour: what bounced because of it, and taking that back. */
import type { Answer, Body, Data, Item, Query, RequestOptions } from '../operation.ts';
import { itemsOfPages, MAX_PER_PAGE } from '../pages.ts';
import type { Transport } from '../transport.ts';

export class Undos {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  /** What bounced in a window of time, and what an undo would do. Changes nothing. */
  preview(
    body: Body<'POST /undos/preview'>,
    options: RequestOptions = {},
  ): Promise<Data<'POST /undos/preview'>> {
    return this.#api.data('POST /undos/preview', { body }, options);
  }

  /** Lifts the suppressions that came from those bounces, and queues the mail again, in the background. */
  create(body: Body<'POST /undos'>, options: RequestOptions = {}): Promise<Data<'POST /undos'>> {
    return this.#api.data('POST /undos', { body }, options);
  }

  /** How far it has come. */
  get(id: string, options: RequestOptions = {}): Promise<Data<'GET /undos/{id}'>> {
    return this.#api.data('GET /undos/{id}', { params: { id } }, options);
  }

  /** One page, the newest first. */
  list(query: Query<'GET /undos'> = {}, options: RequestOptions = {}): Promise<Answer<'GET /undos'>> {
    return this.#api.answer('GET /undos', { query }, options);
  }

  /** All of them, page by page as you read on. */
  all(
    query: Omit<Query<'GET /undos'>, 'page'> = {},
    options: RequestOptions = {},
  ): AsyncGenerator<Item<'GET /undos'>, void, undefined> {
    return itemsOfPages(
      (page) => this.list({ limit: MAX_PER_PAGE, ...query, page }, options),
      (one) => one.id,
    );
  }
}
