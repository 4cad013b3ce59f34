/** Webhooks, and the log of their deliveries. */
import { momentText } from '../moment.ts';
import type { Answer, Body, Data, Item, Query, RequestOptions } from '../operation.ts';
import { itemsOfCursor, MAX_PER_PAGE } from '../pages.ts';
import type { Transport } from '../transport.ts';

export class Webhooks {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  /** Creates a webhook. The secret is only in this response. */
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

  /** Sends a test event of type `webhook.test`, or a sample event of another type. */
  sendTest(
    id: string,
    query: Query<'POST /webhooks/{id}/test'> = {},
    options: RequestOptions = {},
  ): Promise<Data<'POST /webhooks/{id}/test'>> {
    return this.#api.data('POST /webhooks/{id}/test', { params: { id }, query }, options);
  }

  /** Creates a new secret, which is only in this response. For a day, both secrets sign. */
  rotateSecret(id: string, options: RequestOptions = {}): Promise<Data<'POST /webhooks/{id}/rotate-secret'>> {
    return this.#api.data('POST /webhooks/{id}/rotate-secret', { params: { id } }, options);
  }

  /** Lists one page, newest first. */
  deliveries(
    id: string,
    query: Query<'GET /webhooks/{id}/deliveries'> = {},
    options: RequestOptions = {},
  ): Promise<Answer<'GET /webhooks/{id}/deliveries'>> {
    return this.#api.answer('GET /webhooks/{id}/deliveries', { params: { id }, query }, options);
  }

  /** Iterates over all entries. Fetches the next page when you have read the previous one. */
  allDeliveries(
    id: string,
    query: Omit<Query<'GET /webhooks/{id}/deliveries'>, 'cursor'> = {},
    options: RequestOptions = {},
  ): AsyncGenerator<Item<'GET /webhooks/{id}/deliveries'>, void, undefined> {
    return itemsOfCursor((cursor) => this.deliveries(id, { limit: MAX_PER_PAGE, ...query, cursor }, options));
  }

  /** Gets a delivery with its request. */
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

  /** Gets the request of a webhook for an event. */
  preview(
    emailId: string,
    eventId: string,
    query: Query<'GET /emails/{id}/events/{event_id}/webhook'> = {},
    options: RequestOptions = {},
  ): Promise<Data<'GET /emails/{id}/events/{event_id}/webhook'>> {
    const params = { id: emailId, event_id: eventId };
    return this.#api.data('GET /emails/{id}/events/{event_id}/webhook', { params, query }, options);
  }

  /** Gets the statistics of a webhook about its newest events. */
  stats(id: string, options: RequestOptions = {}): Promise<Data<'GET /webhooks/{id}/stats'>> {
    return this.#api.data('GET /webhooks/{id}/stats', { params: { id } }, options);
  }

  /** Resends one delivery. */
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

  /** Resends the failed deliveries of a period, or with `status: 'all'` all deliveries. */
  replayRange(
    id: string,
    body: Body<'POST /webhooks/{id}/replay'>,
    options: RequestOptions = {},
  ): Promise<Data<'POST /webhooks/{id}/replay'>> {
    return this.#api.data('POST /webhooks/{id}/replay', { params: { id }, body }, options);
  }

  /** Resends the deliveries that failed since a time. */
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
