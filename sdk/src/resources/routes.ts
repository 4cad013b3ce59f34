/** The route table. For operators. */
import type { Body, Data, Query, RequestOptions } from '../operation.ts';
import type { Transport } from '../transport.ts';

export class Routes {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  /** Gets the transports with their health, and the rules that choose among them. */
  get(options: RequestOptions = {}): Promise<Data<'GET /routes'>> {
    return this.#api.data('GET /routes', {}, options);
  }

  /** Replaces the route table. Refused with `CONFLICT` if the table was changed since you read `version`. */
  replace(body: Body<'PUT /routes'>, options: RequestOptions = {}): Promise<Data<'PUT /routes'>> {
    return this.#api.data('PUT /routes', { body }, options);
  }

  /** Gets the progress of the warm-up of addresses. */
  warmUp(options: RequestOptions = {}): Promise<Data<'GET /routes/warm-up'>> {
    return this.#api.data('GET /routes/warm-up', {}, options);
  }

  /** Gets the progress of canaries, and their last steps. */
  canaries(options: RequestOptions = {}): Promise<Data<'GET /routes/canaries'>> {
    return this.#api.data('GET /routes/canaries', {}, options);
  }

  /** Pauses a canary: it keeps its percentage until it is resumed, and can still fall. */
  pauseCanary(
    name: string,
    query: Query<'POST /routes/canaries/{name}/pause'> = {},
    options: RequestOptions = {},
  ): Promise<Data<'POST /routes/canaries/{name}/pause'>> {
    return this.#api.data('POST /routes/canaries/{name}/pause', { params: { name }, query }, options);
  }

  /** Resumes a canary. A canary that has fallen or was rolled back restarts. */
  resumeCanary(
    name: string,
    query: Query<'POST /routes/canaries/{name}/resume'> = {},
    options: RequestOptions = {},
  ): Promise<Data<'POST /routes/canaries/{name}/resume'>> {
    return this.#api.data('POST /routes/canaries/{name}/resume', { params: { name }, query }, options);
  }

  /** Rolls a canary back: all mail uses the old route until it is resumed. */
  rollBackCanary(
    name: string,
    query: Query<'POST /routes/canaries/{name}/back'> = {},
    options: RequestOptions = {},
  ): Promise<Data<'POST /routes/canaries/{name}/back'>> {
    return this.#api.data('POST /routes/canaries/{name}/back', { params: { name }, query }, options);
  }

  /** Finishes a canary: the new transport becomes the first step of its rule. */
  finishCanary(
    name: string,
    options: RequestOptions = {},
  ): Promise<Data<'POST /routes/canaries/{name}/finish'>> {
    return this.#api.data('POST /routes/canaries/{name}/finish', { params: { name } }, options);
  }

  /** Explains how a mail would be routed. */
  explain(
    query: Query<'GET /routes/explain'>,
    options: RequestOptions = {},
  ): Promise<Data<'GET /routes/explain'>> {
    return this.#api.data('GET /routes/explain', { query }, options);
  }
}
