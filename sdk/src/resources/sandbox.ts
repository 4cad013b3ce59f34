/** The sandbox inbox, which captures all mail. Sandbox mode only. */
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

  /** Lists one page, newest first. */
  list(
    query: Query<'GET /sandbox/messages'> = {},
    options: RequestOptions = {},
  ): Promise<Answer<'GET /sandbox/messages'>> {
    return this.#api.answer('GET /sandbox/messages', { query }, options);
  }

  /** Iterates over all entries. Fetches the next page when you have read the previous one. */
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
   * Returns the newest matching message as soon as it arrives, with its `codes`, `links` and `attachments`, and with
   * the actions of its recipient (`open`, `click`, `unsubscribe`, `bounce`, `complain`, `reply`).
   */
  async waitFor(wanted: WantedMail, options: WaitForMailOptions = {}): Promise<ReceivedMail> {
    return receivedMail(this, await waitForMail({ sandbox: this, api: this.#api }, wanted, options));
  }

  /** Gets the newest matching message, and waits for it for up to `wait` seconds. Null if there is none. `waitFor` repeats the request. */
  latest(
    query: Query<'GET /sandbox/messages/latest'> = {},
    options: RequestOptions = {},
  ): Promise<Data<'GET /sandbox/messages/latest'>> {
    return this.#api.data('GET /sandbox/messages/latest', { query }, options);
  }

  /** Simulates an action of the recipient. The result of `waitFor` has a method for each action. */
  act(
    id: string,
    body: Body<'POST /sandbox/messages/{id}/actions'>,
    options: RequestOptions = {},
  ): Promise<Data<'POST /sandbox/messages/{id}/actions'>> {
    return this.#api.data('POST /sandbox/messages/{id}/actions', { params: { id }, body }, options);
  }

  /** Gets the source of a message. */
  raw(id: string, options: RequestOptions = {}): Promise<Answer<'GET /sandbox/messages/{id}/raw'>> {
    return this.#api.answer('GET /sandbox/messages/{id}/raw', { params: { id } }, options);
  }

  /** Checks a message: support of its html by mail clients, links, size, and problems for spam filters. */
  checks(id: string, options: RequestOptions = {}): Promise<Data<'GET /sandbox/messages/{id}/checks'>> {
    return this.#api.data('GET /sandbox/messages/{id}/checks', { params: { id } }, options);
  }

  /** Checks where the links of a message lead. */
  checkLinks(
    id: string,
    options: RequestOptions = {},
  ): Promise<Data<'POST /sandbox/messages/{id}/links/check'>> {
    return this.#api.data('POST /sandbox/messages/{id}/links/check', { params: { id } }, options);
  }

  /** Sends sample DMARC and TLS reports about a domain by mail. */
  sampleReports(
    domainId: string,
    options: RequestOptions = {},
  ): Promise<Data<'POST /sandbox/domains/{id}/reports'>> {
    return this.#api.data('POST /sandbox/domains/{id}/reports', { params: { id: domainId } }, options);
  }

  /** Creates an organization for one test run. `Postrider.throwAway` also returns a client for it. */
  createOrganization(
    body: Body<'POST /sandbox/organizations'> = {},
    options: RequestOptions = {},
  ): Promise<Data<'POST /sandbox/organizations'>> {
    return this.#api.data('POST /sandbox/organizations', { body }, options);
  }

  /** Deletes the organization of this client's key, if it was created for a test run. */
  deleteOrganization(options: RequestOptions = {}): Promise<Data<'DELETE /sandbox/organization'>> {
    return this.#api.data('DELETE /sandbox/organization', {}, options);
  }

  /** Marks a message as read or unread. */
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
