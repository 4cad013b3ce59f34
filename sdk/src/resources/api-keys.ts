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

  /** Lists one page, newest first. */
  list(query: Query<'GET /api-keys'> = {}, options: RequestOptions = {}): Promise<Answer<'GET /api-keys'>> {
    return this.#api.answer('GET /api-keys', { query }, options);
  }

  /** Iterates over all entries. Fetches the next page when you have read the previous one. */
  all(
    query: Omit<Query<'GET /api-keys'>, 'page'> = {},
    options: RequestOptions = {},
  ): AsyncGenerator<Item<'GET /api-keys'>, void, undefined> {
    return itemsOfPages(
      (page) => this.list({ limit: MAX_PER_PAGE, ...query, page }, options),
      (one) => one.id,
    );
  }

  /** Creates a key. The key itself is only in this response. */
  create(body: Body<'POST /api-keys'>, options: RequestOptions = {}): Promise<Data<'POST /api-keys'>> {
    return this.#api.data('POST /api-keys', { body }, options);
  }

  /** Gets the calling key, with its rights and the used part of its budget. */
  current(options: RequestOptions = {}): Promise<Data<'GET /api-keys/current'>> {
    return this.#api.data('GET /api-keys/current', {}, options);
  }

  /** Changes the policy of a key; null removes it. */
  update(
    id: string,
    body: Body<'PATCH /api-keys/{id}'>,
    options: RequestOptions = {},
  ): Promise<Data<'PATCH /api-keys/{id}'>> {
    return this.#api.data('PATCH /api-keys/{id}', { params: { id }, body }, options);
  }

  /** Revokes a key. `mail` decides what happens to its queued mail: `leave`, `hold` or `withdraw`. */
  revoke(id: string, { mail, ...options }: RevokeOptions = {}): Promise<Data<'DELETE /api-keys/{id}'>> {
    const query = mail === undefined ? {} : { mail };
    return this.#api.data('DELETE /api-keys/{id}', { params: { id }, query }, options);
  }

  /** Replaces a key by a new one, which is only in this response. The old key works until `old_works_until`, by default for a day. */
  rotate(
    id: string,
    body: Body<'POST /api-keys/{id}/rotate'> = {},
    options: RequestOptions = {},
  ): Promise<Data<'POST /api-keys/{id}/rotate'>> {
    return this.#api.data('POST /api-keys/{id}/rotate', { params: { id }, body }, options);
  }

  /** Gets the daily usage of a key. */
  usage(
    id: string,
    query: Query<'GET /api-keys/{id}/usage'> = {},
    options: RequestOptions = {},
  ): Promise<Data<'GET /api-keys/{id}/usage'>> {
    return this.#api.data('GET /api-keys/{id}/usage', { params: { id }, query }, options);
  }
}
