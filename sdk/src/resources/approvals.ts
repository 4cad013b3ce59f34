/** Mail that waits for approval. API keys can read approvals; only signed-in members can decide. */
import type { Answer, Body, Data, Item, Query, RequestOptions } from '../operation.ts';
import { itemsOfPages, MAX_PER_PAGE } from '../pages.ts';
import type { Transport } from '../transport.ts';

export class Approvals {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  /** Lists one page of emails that wait for approval, or with `state: 'decided'` of past decisions. */
  list(query: Query<'GET /approvals'> = {}, options: RequestOptions = {}): Promise<Answer<'GET /approvals'>> {
    return this.#api.answer('GET /approvals', { query }, options);
  }

  /** Iterates over all entries. Fetches the next page when you have read the previous one. */
  all(
    query: Omit<Query<'GET /approvals'>, 'page'> = {},
    options: RequestOptions = {},
  ): AsyncGenerator<Item<'GET /approvals'>, void, undefined> {
    return itemsOfPages(
      (page) => this.list({ limit: MAX_PER_PAGE, ...query, page }, options),
      (one) => one.id,
    );
  }

  /** Gets an approval by the id of the email. */
  get(id: string, options: RequestOptions = {}): Promise<Data<'GET /approvals/{id}'>> {
    return this.#api.data('GET /approvals/{id}', { params: { id } }, options);
  }

  /** Gets the complete message: header fields, every part, tracked links. */
  message(id: string, options: RequestOptions = {}): Promise<Data<'GET /approvals/{id}/message'>> {
    return this.#api.data('GET /approvals/{id}/message', { params: { id } }, options);
  }

  /** Gets one part of the message by its `number`. */
  part(
    id: string,
    number: number,
    options: RequestOptions = {},
  ): Promise<Data<'GET /approvals/{id}/parts/{number}'>> {
    const params = { id, number: String(number) };
    return this.#api.data('GET /approvals/{id}/parts/{number}', { params }, options);
  }

  /** Gets the source of the message. */
  raw(id: string, options: RequestOptions = {}): Promise<Answer<'GET /approvals/{id}/raw'>> {
    return this.#api.answer('GET /approvals/{id}/raw', { params: { id } }, options);
  }

  /** Approves the email and sends it. Not with an API key. */
  approve(id: string, options: RequestOptions = {}): Promise<Data<'POST /approvals/{id}/approve'>> {
    return this.#api.data('POST /approvals/{id}/approve', { params: { id } }, options);
  }

  /** Rejects the email, which is then never sent. Not with an API key. */
  reject(
    id: string,
    body: Body<'POST /approvals/{id}/reject'>,
    options: RequestOptions = {},
  ): Promise<Data<'POST /approvals/{id}/reject'>> {
    return this.#api.data('POST /approvals/{id}/reject', { params: { id }, body }, options);
  }
}
