/** Numbers for an overview. */
import type { Data, Query, RequestOptions } from '../operation.ts';
import type { Transport } from '../transport.ts';

export class Stats {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  /** What was sent and what became of it, over 24 hours, 7 or 30 days. */
  overview(query: Query<'GET /stats'> = {}, options: RequestOptions = {}): Promise<Data<'GET /stats'>> {
    return this.#api.data('GET /stats', { query }, options);
  }

  /** How deliveries fare, by provider, sending domain, template, tag or reason. */
  deliverability(
    query: Query<'GET /stats/deliverability'> = {},
    options: RequestOptions = {},
  ): Promise<Data<'GET /stats/deliverability'>> {
    return this.#api.data('GET /stats/deliverability', { query }, options);
  }

  /** Who delivers, and when each was last heard of. */
  workers(options: RequestOptions = {}): Promise<Data<'GET /stats/workers'>> {
    return this.#api.data('GET /stats/workers', {}, options);
  }

  /** The queue, and what somebody should look at, the most pressing first. */
  attention(options: RequestOptions = {}): Promise<Data<'GET /stats/attention'>> {
    return this.#api.data('GET /stats/attention', {}, options);
  }

  /** What is set up and what is not yet, and where SMTP is spoken. */
  firstSteps(options: RequestOptions = {}): Promise<Data<'GET /first-steps'>> {
    return this.#api.data('GET /first-steps', {}, options);
  }
}
