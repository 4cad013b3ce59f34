/** Sites that mail waits for. */
import type { Data, Query, RequestOptions } from '../operation.ts';
import type { Transport } from '../transport.ts';

export class Sites {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  /** Lists the sites that your mail waits for. Operators see all sites with `view: 'installation'`. */
  list(query: Query<'GET /sites'> = {}, options: RequestOptions = {}): Promise<Data<'GET /sites'>> {
    return this.#api.data('GET /sites', { query }, options);
  }

  get(id: string, options: RequestOptions = {}): Promise<Data<'GET /sites/{id}'>> {
    return this.#api.data('GET /sites/{id}', { params: { id } }, options);
  }

  /** Tries a blocked site now, and removes limits on pace and connections. For operators. */
  tryNow(id: string, options: RequestOptions = {}): Promise<Data<'POST /sites/{id}/try-now'>> {
    return this.#api.data('POST /sites/{id}/try-now', { params: { id } }, options);
  }

  /** Pauses a site: nothing is sent to it until it is resumed. For operators. */
  pause(id: string, options: RequestOptions = {}): Promise<Data<'POST /sites/{id}/pause'>> {
    return this.#api.data('POST /sites/{id}/pause', { params: { id } }, options);
  }

  /** Removes a pause, a block, and limits on pace and connections. For operators. */
  resume(id: string, options: RequestOptions = {}): Promise<Data<'POST /sites/{id}/resume'>> {
    return this.#api.data('POST /sites/{id}/resume', { params: { id } }, options);
  }
}
