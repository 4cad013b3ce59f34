/** Where mail waits, and why. */
import type { Data, Query, RequestOptions } from '../operation.ts';
import type { Transport } from '../transport.ts';

export class Sites {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  /** Those that your own mail waits for; for operators all of them, with `view: 'installation'`. */
  list(query: Query<'GET /sites'> = {}, options: RequestOptions = {}): Promise<Data<'GET /sites'>> {
    return this.#api.data('GET /sites', { query }, options);
  }

  get(id: string, options: RequestOptions = {}): Promise<Data<'GET /sites/{id}'>> {
    return this.#api.data('GET /sites/{id}', { params: { id } }, options);
  }

  /** Puts a block to the test at once, and forgets a pace and a number of connections. For operators. */
  tryNow(id: string, options: RequestOptions = {}): Promise<Data<'POST /sites/{id}/try-now'>> {
    return this.#api.data('POST /sites/{id}/try-now', { params: { id } }, options);
  }

  /** Sends nothing there until it is resumed. For operators. */
  pause(id: string, options: RequestOptions = {}): Promise<Data<'POST /sites/{id}/pause'>> {
    return this.#api.data('POST /sites/{id}/pause', { params: { id } }, options);
  }

  /** Lifts a pause, and forgets everything else that holds it up. For operators. */
  resume(id: string, options: RequestOptions = {}): Promise<Data<'POST /sites/{id}/resume'>> {
    return this.#api.data('POST /sites/{id}/resume', { params: { id } }, options);
  }
}
