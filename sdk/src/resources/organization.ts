/** The organization of the key or session. */
import type { Data, RequestOptions } from '../operation.ts';
import type { Transport } from '../transport.ts';

export class Organization {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  get(options: RequestOptions = {}): Promise<Data<'GET /organization'>> {
    return this.#api.data('GET /organization', {}, options);
  }
}
