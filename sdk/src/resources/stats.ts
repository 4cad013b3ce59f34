/** Statistics. */
import type { Data, Query, RequestOptions } from '../operation.ts';
import type { Transport } from '../transport.ts';

export class Stats {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  /** Gets statistics of your mail over 24 hours, 7 or 30 days. */
  overview(query: Query<'GET /stats'> = {}, options: RequestOptions = {}): Promise<Data<'GET /stats'>> {
    return this.#api.data('GET /stats', { query }, options);
  }

  /** Gets delivery results by provider, sending domain, template, stream, tag or reason. */
  deliverability(
    query: Query<'GET /stats/deliverability'> = {},
    options: RequestOptions = {},
  ): Promise<Data<'GET /stats/deliverability'>> {
    return this.#api.data('GET /stats/deliverability', { query }, options);
  }

  /** Lists the workers, with their last heartbeat. */
  workers(options: RequestOptions = {}): Promise<Data<'GET /stats/workers'>> {
    return this.#api.data('GET /stats/workers', {}, options);
  }

  /** Gets the state of the queue, and the current warnings, most severe first. */
  attention(options: RequestOptions = {}): Promise<Data<'GET /stats/attention'>> {
    return this.#api.data('GET /stats/attention', {}, options);
  }

  /** Gets the state of the setup, and the address for SMTP submission. */
  firstSteps(options: RequestOptions = {}): Promise<Data<'GET /first-steps'>> {
    return this.#api.data('GET /first-steps', {}, options);
  }
}
