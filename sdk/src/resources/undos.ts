/** Undos: after an incident at a provider, remove its suppressions and send the bounced mail again. */
import type { Answer, Body, Data, Item, Query, RequestOptions } from '../operation.ts';
import { itemsOfPages, MAX_PER_PAGE } from '../pages.ts';
import type { Transport } from '../transport.ts';

export class Undos {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  /** Lists the bounces in a period, and the changes that an undo would make. Changes nothing. */
  preview(
    body: Body<'POST /undos/preview'>,
    options: RequestOptions = {},
  ): Promise<Data<'POST /undos/preview'>> {
    return this.#api.data('POST /undos/preview', { body }, options);
  }

  /** Removes the suppressions that the bounces caused, and queues the mail again, in the background. */
  create(body: Body<'POST /undos'>, options: RequestOptions = {}): Promise<Data<'POST /undos'>> {
    return this.#api.data('POST /undos', { body }, options);
  }

  /** Gets the progress of an undo. */
  get(id: string, options: RequestOptions = {}): Promise<Data<'GET /undos/{id}'>> {
    return this.#api.data('GET /undos/{id}', { params: { id } }, options);
  }

  /** Lists one page, newest first. */
  list(query: Query<'GET /undos'> = {}, options: RequestOptions = {}): Promise<Answer<'GET /undos'>> {
    return this.#api.answer('GET /undos', { query }, options);
  }

  /** Iterates over all entries. Fetches the next page when you have read the previous one. */
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
