/** The inbox of the sandbox, where every mail ends up that would have been delivered. Sandbox mode only. */
import type { Answer, Body, Data, Item, Query, RequestOptions } from '../operation.ts';
import { itemsOfPages, MAX_PER_PAGE } from '../pages.ts';
import { type ReceivedMail, receivedMail } from '../received-mail.ts';
import type { Transport } from '../transport.ts';
import { type WaitForMailOptions, type WantedMail, waitForMail } from '../wait-for-mail.ts';

export class Sandbox {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  /** One page, the newest first. */
  list(
    query: Query<'GET /sandbox/messages'> = {},
    options: RequestOptions = {},
  ): Promise<Answer<'GET /sandbox/messages'>> {
    return this.#api.answer('GET /sandbox/messages', { query }, options);
  }

  /** All of them, page by page as you read on. */
  all(
    query: Omit<Query<'GET /sandbox/messages'>, 'page'> = {},
    options: RequestOptions = {},
  ): AsyncGenerator<Item<'GET /sandbox/messages'>, void, undefined> {
    return itemsOfPages(
      (page) => this.list({ limit: MAX_PER_PAGE, ...query, page }, options),
      (one) => one.id,
    );
  }

  get(id: string, options: RequestOptions = {}): Promise<Data<'GET /sandbox/messages/{id}'>> {
    return this.#api.data('GET /sandbox/messages/{id}', { params: { id } }, options);
  }

  /**
   * The newest message that matches, as soon as there is one: with its `codes`, `links` and `attachments`, and with
   * what its recipient may do (`open`, `click`, `unsubscribe`, `bounce`, `complain`, `reply`).
   */
  async waitFor(wanted: WantedMail, options: WaitForMailOptions = {}): Promise<ReceivedMail> {
    return receivedMail(this, await waitForMail({ sandbox: this, api: this.#api }, wanted, options));
  }

  /** The newest that matches, waited for up to `wait` seconds; null where there is none. `waitFor` goes on asking. */
  latest(
    query: Query<'GET /sandbox/messages/latest'> = {},
    options: RequestOptions = {},
  ): Promise<Data<'GET /sandbox/messages/latest'>> {
    return this.#api.data('GET /sandbox/messages/latest', { query }, options);
  }

  /** As its recipient: what `waitFor` gives has a method for each. */
  act(
    id: string,
    body: Body<'POST /sandbox/messages/{id}/actions'>,
    options: RequestOptions = {},
  ): Promise<Data<'POST /sandbox/messages/{id}/actions'>> {
    return this.#api.data('POST /sandbox/messages/{id}/actions', { params: { id }, body }, options);
  }

  /** The message as it went over the wire. */
  raw(id: string, options: RequestOptions = {}): Promise<Answer<'GET /sandbox/messages/{id}/raw'>> {
    return this.#api.answer('GET /sandbox/messages/{id}/raw', { params: { id } }, options);
  }

  /** What mail clients make of its HTML, its links, its size, and what filters dislike. */
  checks(id: string, options: RequestOptions = {}): Promise<Data<'GET /sandbox/messages/{id}/checks'>> {
    return this.#api.data('GET /sandbox/messages/{id}/checks', { params: { id } }, options);
  }

  /** Asks where its links lead. */
  checkLinks(
    id: string,
    options: RequestOptions = {},
  ): Promise<Data<'POST /sandbox/messages/{id}/links/check'>> {
    return this.#api.data('POST /sandbox/messages/{id}/links/check', { params: { id } }, options);
  }

  /** Lets sample DMARC and TLS reports about a domain arrive by mail. */
  sampleReports(
    domainId: string,
    options: RequestOptions = {},
  ): Promise<Data<'POST /sandbox/domains/{id}/reports'>> {
    return this.#api.data('POST /sandbox/domains/{id}/reports', { params: { id: domainId } }, options);
  }

  /** For one run of tests. `Postrider.throwAway` gives a client for it. */
  createOrganization(
    body: Body<'POST /sandbox/organizations'> = {},
    options: RequestOptions = {},
  ): Promise<Data<'POST /sandbox/organizations'>> {
    return this.#api.data('POST /sandbox/organizations', { body }, options);
  }

  /** The one that this client's key belongs to, if it was made for a run of tests. */
  deleteOrganization(options: RequestOptions = {}): Promise<Data<'DELETE /sandbox/organization'>> {
    return this.#api.data('DELETE /sandbox/organization', {}, options);
  }

  /** As read, or as unread again. */
  mark(
    id: string,
    isRead: boolean,
    options: RequestOptions = {},
  ): Promise<Data<'PATCH /sandbox/messages/{id}'>> {
    const body = { is_read: isRead };
    return this.#api.data('PATCH /sandbox/messages/{id}', { params: { id }, body }, options);
  }

  markAll(isRead: boolean, options: RequestOptions = {}): Promise<Data<'PATCH /sandbox/messages'>> {
    return this.#api.data('PATCH /sandbox/messages', { body: { is_read: isRead } }, options);
  }

  delete(id: string, options: RequestOptions = {}): Promise<Data<'DELETE /sandbox/messages/{id}'>> {
    return this.#api.data('DELETE /sandbox/messages/{id}', { params: { id } }, options);
  }

  clear(options: RequestOptions = {}): Promise<Data<'DELETE /sandbox/messages'>> {
    return this.#api.data('DELETE /sandbox/messages', {}, options);
  }
}
