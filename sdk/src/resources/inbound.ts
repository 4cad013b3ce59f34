/** Received mail, and the domains and addresses that receive it. */
import type { Answer, Body, Data, Item, Query, RequestOptions } from '../operation.ts';
import { itemsOfCursor, MAX_PER_PAGE } from '../pages.ts';
import type { Transport } from '../transport.ts';

/** Domains that you receive mail at. */
export class InboundDomains {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  list(options: RequestOptions = {}): Promise<Data<'GET /inbound/domains'>> {
    return this.#api.data('GET /inbound/domains', {}, options);
  }

  /** The domain must be one of your verified domains, or a name below one. The response contains the MX record to publish. */
  add(domain: string, options: RequestOptions = {}): Promise<Data<'POST /inbound/domains'>> {
    return this.#api.data('POST /inbound/domains', { body: { domain } }, options);
  }

  /** Checks the MX record now. */
  verify(
    domain: string,
    options: RequestOptions = {},
  ): Promise<Data<'GET /inbound/domains/{domain}/verify'>> {
    return this.#api.data('GET /inbound/domains/{domain}/verify', { params: { domain } }, options);
  }

  /** Removes a receiving domain with its routes. */
  remove(domain: string, options: RequestOptions = {}): Promise<Data<'DELETE /inbound/domains/{domain}'>> {
    return this.#api.data('DELETE /inbound/domains/{domain}', { params: { domain } }, options);
  }
}

/** Addresses that you receive mail at. */
export class InboundRoutes {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  list(options: RequestOptions = {}): Promise<Data<'GET /inbound/routes'>> {
    return this.#api.data('GET /inbound/routes', {}, options);
  }

  get(id: string, options: RequestOptions = {}): Promise<Data<'GET /inbound/routes/{id}'>> {
    return this.#api.data('GET /inbound/routes/{id}', { params: { id } }, options);
  }

  /** Receives mail at an address: `support@example.org`, or `*@example.org` for all addresses without a route. */
  create(
    body: Body<'POST /inbound/routes'>,
    options: RequestOptions = {},
  ): Promise<Data<'POST /inbound/routes'>> {
    return this.#api.data('POST /inbound/routes', { body }, options);
  }

  update(
    id: string,
    body: Body<'PATCH /inbound/routes/{id}'>,
    options: RequestOptions = {},
  ): Promise<Data<'PATCH /inbound/routes/{id}'>> {
    return this.#api.data('PATCH /inbound/routes/{id}', { params: { id }, body }, options);
  }

  delete(id: string, options: RequestOptions = {}): Promise<Data<'DELETE /inbound/routes/{id}'>> {
    return this.#api.data('DELETE /inbound/routes/{id}', { params: { id } }, options);
  }
}

export class Inbound {
  readonly domains: InboundDomains;
  readonly routes: InboundRoutes;
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
    this.domains = new InboundDomains(api);
    this.routes = new InboundRoutes(api);
  }

  /** Lists one page, newest first. */
  list(query: Query<'GET /inbound'> = {}, options: RequestOptions = {}): Promise<Answer<'GET /inbound'>> {
    return this.#api.answer('GET /inbound', { query }, options);
  }

  /** Iterates over all entries. Fetches the next page when you have read the previous one. */
  all(
    query: Omit<Query<'GET /inbound'>, 'cursor'> = {},
    options: RequestOptions = {},
  ): AsyncGenerator<Item<'GET /inbound'>, void, undefined> {
    return itemsOfCursor((cursor) => this.list({ limit: MAX_PER_PAGE, ...query, cursor }, options));
  }

  get(id: string, options: RequestOptions = {}): Promise<Data<'GET /inbound/{id}'>> {
    return this.#api.data('GET /inbound/{id}', { params: { id } }, options);
  }

  /** Gets one attachment. `number` is its position in `attachments`, from 0. */
  attachment(
    id: string,
    number: number | string,
    options: RequestOptions = {},
  ): Promise<Data<'GET /inbound/{id}/attachments/{number}'>> {
    const params = { id, number: String(number) };
    return this.#api.data('GET /inbound/{id}/attachments/{number}', { params }, options);
  }

  /** Gets the source of a received mail. */
  raw(id: string, options: RequestOptions = {}): Promise<Answer<'GET /inbound/{id}/raw'>> {
    return this.#api.answer('GET /inbound/{id}/raw', { params: { id } }, options);
  }

  /** Replies to a received mail, in the same conversation. */
  reply(
    id: string,
    body: Body<'POST /inbound/{id}/reply'>,
    options: RequestOptions = {},
  ): Promise<Data<'POST /inbound/{id}/reply'>> {
    return this.#api.data('POST /inbound/{id}/reply', { params: { id }, body }, options);
  }

  delete(id: string, options: RequestOptions = {}): Promise<Data<'DELETE /inbound/{id}'>> {
    return this.#api.data('DELETE /inbound/{id}', { params: { id } }, options);
  }
}
