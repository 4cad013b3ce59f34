/** Mail that waits for approval. Keys can look; people decide, who are signed in. */
import type { Answer, Body, Data, Item, Query, RequestOptions } from '../operation.ts';
import { itemsOfPages, MAX_PER_PAGE } from '../pages.ts';
import type { Transport } from '../transport.ts';

export class Approvals {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  /** One page: what waits, or with `state: 'decided'` what was decided. */
  list(query: Query<'GET /approvals'> = {}, options: RequestOptions = {}): Promise<Answer<'GET /approvals'>> {
    return this.#api.answer('GET /approvals', { query }, options);
  }

  /** All of them, page by page as you read on. */
  all(
    query: Omit<Query<'GET /approvals'>, 'page'> = {},
    options: RequestOptions = {},
  ): AsyncGenerator<Item<'GET /approvals'>, void, undefined> {
    return itemsOfPages(
      (page) => this.list({ limit: MAX_PER_PAGE, ...query, page }, options),
      (one) => one.id,
    );
  }

  /** By the id of the email. */
  get(id: string, options: RequestOptions = {}): Promise<Data<'GET /approvals/{id}'>> {
    return this.#api.data('GET /approvals/{id}', { params: { id } }, options);
  }

  /** Everything that leaves: header fields, every part, tracked links. */
  message(id: string, options: RequestOptions = {}): Promise<Data<'GET /approvals/{id}/message'>> {
    return this.#api.data('GET /approvals/{id}/message', { params: { id } }, options);
  }

  /** One part of the message, by its `number`. */
  part(
    id: string,
    number: number,
    options: RequestOptions = {},
  ): Promise<Data<'GET /approvals/{id}/parts/{number}'>> {
    const params = { id, number: String(number) };
    return this.#api.data('GET /approvals/{id}/parts/{number}', { params }, options);
  }

  /** The source of the message. */
  raw(id: string, options: RequestOptions = {}): Promise<Answer<'GET /approvals/{id}/raw'>> {
    return this.#api.answer('GET /approvals/{id}/raw', { params: { id } }, options);
  }

  /** It is sent. Not with an API key. */
  approve(id: string, options: RequestOptions = {}): Promise<Data<'POST /approvals/{id}/approve'>> {
    return this.#api.data('POST /approvals/{id}/approve', { params: { id } }, options);
  }

  /** It is never sent. Not with an API key. */
  reject(
    id: string,
    body: Body<'POST /approvals/{id}/reject'>,
    options: RequestOptions = {},
  ): Promise<Data<'POST /approvals/{id}/reject'>> {
    return this.#api.data('POST /approvals/{id}/reject', { params: { id }, body }, options);
  }
}
