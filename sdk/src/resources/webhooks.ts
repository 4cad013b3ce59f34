/** Endpoints of yours that are told what happens, and the log of what they were told. */
import { momentText } from '../moment.ts';
import type { Answer, Body, Data, Item, Query, RequestOptions } from '../operation.ts';
import { itemsOfCursor, MAX_PER_PAGE } from '../pages.ts';
import type { Transport } from '../transport.ts';

export class Webhooks {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  /** The secret is in this answer only. */
  create(body: Body<'POST /webhooks'>, options: RequestOptions = {}): Promise<Data<'POST /webhooks'>> {
    return this.#api.data('POST /webhooks', { body }, options);
  }

  list(options: RequestOptions = {}): Promise<Data<'GET /webhooks'>> {
    return this.#api.data('GET /webhooks', {}, options);
  }

  get(id: string, options: RequestOptions = {}): Promise<Data<'GET /webhooks/{id}'>> {
    return this.#api.data('GET /webhooks/{id}', { params: { id } }, options);
  }

  update(
    id: string,
    body: Body<'PATCH /webhooks/{id}'>,
    options: RequestOptions = {},
  ): Promise<Data<'PATCH /webhooks/{id}'>> {
    return this.#api.data('PATCH /webhooks/{id}', { params: { id }, body }, options);
  }

  delete(id: string, options: RequestOptions = {}): Promise<Data<'DELETE /webhooks/{id}'>> {
    return this.#api.data('DELETE /webhooks/{id}', { params: { id } }, options);
  }

  /** Of the type `webhook.test`, or another one: of something that never was. */
  sendTest(
    id: string,
    query: Query<'POST /webhooks/{id}/test'> = {},
    options: RequestOptions = {},
  ): Promise<Data<'POST /webhooks/{id}/test'>> {
    return this.#api.data('POST /webhooks/{id}/test', { params: { id }, query }, options);
  }

  /** Both secrets sign for a day. The new one is in this answer only. */
  rotateSecret(id: string, options: RequestOptions = {}): Promise<Data<'POST /webhooks/{id}/rotate-secret'>> {
    return this.#api.data('POST /webhooks/{id}/rotate-secret', { params: { id } }, options);
  }

  /** One page, the newest first. */
  deliveries(
    id: string,
    query: Query<'GET /webhooks/{id}/deliveries'> = {},
    options: RequestOptions = {},
  ): Promise<Answer<'GET /webhooks/{id}/deliveries'>> {
    return this.#api.answer('GET /webhooks/{id}/deliveries', { params: { id }, query }, options);
  }

  /** All of them, page by page as you read on. */
  allDeliveries(
    id: string,
    query: Omit<Query<'GET /webhooks/{id}/deliveries'>, 'cursor'> = {},
    options: RequestOptions = {},
  ): AsyncGenerator<Item<'GET /webhooks/{id}/deliveries'>, void, undefined> {
    return itemsOfCursor((cursor) => this.deliveries(id, { limit: MAX_PER_PAGE, ...query, cursor }, options));
  }

  /** One, with the request as the webhook gets it now. */
  delivery(
    id: string,
    deliveryId: string,
    options: RequestOptions = {},
  ): Promise<Data<'GET /webhooks/{id}/deliveries/{delivery_id}'>> {
    return this.#api.data(
      'GET /webhooks/{id}/deliveries/{delivery_id}',
      { params: { id, delivery_id: deliveryId } },
      options,
    );
  }

  /** What a webhook would be told of an event. */
  preview(
    emailId: string,
    eventId: string,
    query: Query<'GET /emails/{id}/events/{event_id}/webhook'> = {},
    options: RequestOptions = {},
  ): Promise<Data<'GET /emails/{id}/events/{event_id}/webhook'>> {
    const params = { id: emailId, event_id: eventId };
    return this.#api.data('GET /emails/{id}/events/{event_id}/webhook', { params, query }, options);
  }

  /** How well it does: of its newest events. */
  stats(id: string, options: RequestOptions = {}): Promise<Data<'GET /webhooks/{id}/stats'>> {
    return this.#api.data('GET /webhooks/{id}/stats', { params: { id } }, options);
  }

  /** Sends one event again. */
  replay(
    id: string,
    deliveryId: string,
    options: RequestOptions = {},
  ): Promise<Data<'POST /webhooks/{id}/deliveries/{delivery_id}/replay'>> {
    return this.#api.data(
      'POST /webhooks/{id}/deliveries/{delivery_id}/replay',
      { params: { id, delivery_id: deliveryId } },
      options,
    );
  }

  /** Sends again what failed in a span of time, or with `status: 'all'` everything. */
  replayRange(
    id: string,
    body: Body<'POST /webhooks/{id}/replay'>,
    options: RequestOptions = {},
  ): Promise<Data<'POST /webhooks/{id}/replay'>> {
    return this.#api.data('POST /webhooks/{id}/replay', { params: { id }, body }, options);
  }

  /** Sends again what failed since then. */
  replayFailed(
    id: string,
    since: string | Date,
    options: RequestOptions = {},
  ): Promise<Data<'POST /webhooks/{id}/replay'>> {
    return this.#api.data(
      'POST /webhooks/{id}/replay',
      { params: { id }, body: { since: momentText(since) } },
      options,
    );
  }
}
