/** Which way mail leaves. For operators. */
import type { Body, Data, Query, RequestOptions } from '../operation.ts';
import type { Transport } from '../transport.ts';

export class Routes {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  /** Transports with their health, and the rules that choose among them. */
  get(options: RequestOptions = {}): Promise<Data<'GET /routes'>> {
    return this.#api.data('GET /routes', {}, options);
  }

  /** All of it at once, from the `version` that was read: refused with `CONFLICT` if it was changed since. */
  replace(body: Body<'PUT /routes'>, options: RequestOptions = {}): Promise<Data<'PUT /routes'>> {
    return this.#api.data('PUT /routes', { body }, options);
  }

  /** How far addresses are with warming up. */
  warmUp(options: RequestOptions = {}): Promise<Data<'GET /routes/warm-up'>> {
    return this.#api.data('GET /routes/warm-up', {}, options);
  }

  /** Which way a mail would take, and why. */
  explain(
    query: Query<'GET /routes/explain'>,
    options: RequestOptions = {},
  ): Promise<Data<'GET /routes/explain'>> {
    return this.#api.data('GET /routes/explain', { query }, options);
  }
}
