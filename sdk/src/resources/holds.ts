/** Mail that is accepted and not sent, until somebody decides what is to become of it. */
import type { Answer, Body, Data, Item, Query, RequestOptions } from '../operation.ts';
import { itemsOfPages, MAX_PER_PAGE } from '../pages.ts';
import type { Transport } from '../transport.ts';

export class Holds {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  /** One page, those in force first; for operators everybody's, with `view: 'installation'`. */
  list(query: Query<'GET /holds'> = {}, options: RequestOptions = {}): Promise<Answer<'GET /holds'>> {
    return this.#api.answer('GET /holds', { query }, options);
  }

  /** All of them, page by page as you read on. */
  all(
    query: Omit<Query<'GET /holds'>, 'page'> = {},
    options: RequestOptions = {},
  ): AsyncGenerator<Item<'GET /holds'>, void, undefined> {
    return itemsOfPages(
      (page) => this.list({ limit: MAX_PER_PAGE, ...query, page }, options),
      (one) => one.id,
    );
  }

  /** Stops the sending of mail at once, and goes on accepting it. */
  create(body: Body<'POST /holds'>, options: RequestOptions = {}): Promise<Data<'POST /holds'>> {
    return this.#api.data('POST /holds', { body }, options);
  }

  /** With how much mail it holds, and how old that is. */
  get(id: string, options: RequestOptions = {}): Promise<Data<'GET /holds/{id}'>> {
    return this.#api.data('GET /holds/{id}', { params: { id } }, options);
  }

  /** Its mail is sent. */
  release(id: string, options: RequestOptions = {}): Promise<Data<'POST /holds/{id}/release'>> {
    return this.#api.data('POST /holds/{id}/release', { params: { id } }, options);
  }

  /** Its mail is never sent, and ends as failed. */
  discard(
    id: string,
    body: Body<'POST /holds/{id}/discard'>,
    options: RequestOptions = {},
  ): Promise<Data<'POST /holds/{id}/discard'>> {
    return this.#api.data('POST /holds/{id}/discard', { params: { id }, body }, options);
  }
}
