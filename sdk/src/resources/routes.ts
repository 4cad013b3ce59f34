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

  /** How far canaries are, and their last steps. */
  canaries(options: RequestOptions = {}): Promise<Data<'GET /routes/canaries'>> {
    return this.#api.data('GET /routes/canaries', {}, options);
  }

  /** It stays at its share until it is resumed; falls happen all the same. */
  pauseCanary(
    name: string,
    query: Query<'POST /routes/canaries/{name}/pause'> = {},
    options: RequestOptions = {},
  ): Promise<Data<'POST /routes/canaries/{name}/pause'>> {
    return this.#api.data('POST /routes/canaries/{name}/pause', { params: { name }, query }, options);
  }

  /** It goes on; one that has fallen, or was taken back, begins anew. */
  resumeCanary(
    name: string,
    query: Query<'POST /routes/canaries/{name}/resume'> = {},
    options: RequestOptions = {},
  ): Promise<Data<'POST /routes/canaries/{name}/resume'>> {
    return this.#api.data('POST /routes/canaries/{name}/resume', { params: { name }, query }, options);
  }

  /** All mail goes the old way until it is resumed. */
  rollBackCanary(
    name: string,
    query: Query<'POST /routes/canaries/{name}/back'> = {},
    options: RequestOptions = {},
  ): Promise<Data<'POST /routes/canaries/{name}/back'>> {
    return this.#api.data('POST /routes/canaries/{name}/back', { params: { name }, query }, options);
  }

  /** The new way becomes the first step of its rule, and the canary is over. */
  finishCanary(
    name: string,
    options: RequestOptions = {},
  ): Promise<Data<'POST /routes/canaries/{name}/finish'>> {
    return this.#api.data('POST /routes/canaries/{name}/finish', { params: { name } }, options);
  }

  /** Which way a mail would take, and why. */
  explain(
    query: Query<'GET /routes/explain'>,
    options: RequestOptions = {},
  ): Promise<Data<'GET /routes/explain'>> {
    return this.#api.data('GET /routes/explain', { query }, options);
  }
}
