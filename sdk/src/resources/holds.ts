/** Holds: mail that is accepted and not sent until the hold is released or discarded. */
import type { Answer, Body, Data, Item, Query, RequestOptions } from '../operation.ts';
import { itemsOfPages, MAX_PER_PAGE } from '../pages.ts';
import type { Transport } from '../transport.ts';

export class Holds {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  /** Lists one page, active holds first. Operators see the holds of the installation with `view: 'installation'`. */
  list(query: Query<'GET /holds'> = {}, options: RequestOptions = {}): Promise<Answer<'GET /holds'>> {
    return this.#api.answer('GET /holds', { query }, options);
  }

  /** Iterates over all entries. Fetches the next page when you have read the previous one. */
  all(
    query: Omit<Query<'GET /holds'>, 'page'> = {},
    options: RequestOptions = {},
  ): AsyncGenerator<Item<'GET /holds'>, void, undefined> {
    return itemsOfPages(
      (page) => this.list({ limit: MAX_PER_PAGE, ...query, page }, options),
      (one) => one.id,
    );
  }

  /** Places a hold: the mail is accepted and not sent, starting now. */
  create(body: Body<'POST /holds'>, options: RequestOptions = {}): Promise<Data<'POST /holds'>> {
    return this.#api.data('POST /holds', { body }, options);
  }

  /** Gets a hold with the amount and the age of its mail. */
  get(id: string, options: RequestOptions = {}): Promise<Data<'GET /holds/{id}'>> {
    return this.#api.data('GET /holds/{id}', { params: { id } }, options);
  }

  /** Releases a hold: its mail is sent. */
  release(id: string, options: RequestOptions = {}): Promise<Data<'POST /holds/{id}/release'>> {
    return this.#api.data('POST /holds/{id}/release', { params: { id } }, options);
  }

  /** Discards a hold: its mail is never sent and ends as `failed`. */
  discard(
    id: string,
    body: Body<'POST /holds/{id}/discard'>,
    options: RequestOptions = {},
  ): Promise<Data<'POST /holds/{id}/discard'>> {
    return this.#api.data('POST /holds/{id}/discard', { params: { id }, body }, options);
  }

  /** Releases up to 100 holds. Each has a result of its own. */
  releaseMany(ids: string[], options: RequestOptions = {}): Promise<Data<'POST /holds/release'>> {
    return this.#api.data('POST /holds/release', { body: { ids } }, options);
  }

  /** Discards up to 100 holds. Each has a result of its own. */
  discardMany(
    body: Body<'POST /holds/discard'>,
    options: RequestOptions = {},
  ): Promise<Data<'POST /holds/discard'>> {
    return this.#api.data('POST /holds/discard', { body }, options);
  }
}
