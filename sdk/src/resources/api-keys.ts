/** API keys. */
import type { Answer, Body, Data, Item, Query, RequestOptions } from '../operation.ts';
import { itemsOfPages, MAX_PER_PAGE } from '../pages.ts';
import type { Transport } from '../transport.ts';

export type RevokeOptions = RequestOptions & Query<'DELETE /api-keys/{id}'>;

export class ApiKeys {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  /** One page, the newest first. */
  list(query: Query<'GET /api-keys'> = {}, options: RequestOptions = {}): Promise<Answer<'GET /api-keys'>> {
    return this.#api.answer('GET /api-keys', { query }, options);
  }

  /** All of them, page by page as you read on. */
  all(
    query: Omit<Query<'GET /api-keys'>, 'page'> = {},
    options: RequestOptions = {},
  ): AsyncGenerator<Item<'GET /api-keys'>, void, undefined> {
    return itemsOfPages(
      (page) => this.list({ limit: MAX_PER_PAGE, ...query, page }, options),
      (one) => one.id,
    );
  }

  /** The key is in this answer only. */
  create(body: Body<'POST /api-keys'>, options: RequestOptions = {}): Promise<Data<'POST /api-keys'>> {
    return this.#api.data('POST /api-keys', { body }, options);
  }

  /** The key that is calling: what it may do, and what is used of its budget. */
  current(options: RequestOptions = {}): Promise<Data<'GET /api-keys/current'>> {
    return this.#api.data('GET /api-keys/current', {}, options);
  }

  /** What it may send; null lifts its policy. */
  update(
    id: string,
    body: Body<'PATCH /api-keys/{id}'>,
    options: RequestOptions = {},
  ): Promise<Data<'PATCH /api-keys/{id}'>> {
    return this.#api.data('PATCH /api-keys/{id}', { params: { id }, body }, options);
  }

  /** `mail` says what becomes of the mail that it has queued: left alone, held, or withdrawn for good. */
  revoke(id: string, { mail, ...options }: RevokeOptions = {}): Promise<Data<'DELETE /api-keys/{id}'>> {
    const query = mail === undefined ? {} : { mail };
    return this.#api.data('DELETE /api-keys/{id}', { params: { id }, query }, options);
  }

  /** A new key takes its place, and is in this answer only. The old one works until `old_works_until`, or for a day. */
  rotate(
    id: string,
    body: Body<'POST /api-keys/{id}/rotate'> = {},
    options: RequestOptions = {},
  ): Promise<Data<'POST /api-keys/{id}/rotate'>> {
    return this.#api.data('POST /api-keys/{id}/rotate', { params: { id }, body }, options);
  }

  /** What it was used for, day by day. */
  usage(
    id: string,
    query: Query<'GET /api-keys/{id}/usage'> = {},
    options: RequestOptions = {},
  ): Promise<Data<'GET /api-keys/{id}/usage'>> {
    return this.#api.data('GET /api-keys/{id}/usage', { params: { id }, query }, options);
  }
}
