/** The stored data about an address. For signed-in owners. */
import type { Data, RequestOptions } from '../operation.ts';
import type { Transport } from '../transport.ts';

export class Recipients {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  /** Erases the data. Call again until `complete` is true. */
  erase(email: string, options: RequestOptions = {}): Promise<Data<'POST /recipients/erase'>> {
    return this.#api.data('POST /recipients/erase', { body: { email } }, options);
  }

  export(email: string, options: RequestOptions = {}): Promise<Data<'POST /recipients/export'>> {
    return this.#api.data('POST /recipients/export', { body: { email } }, options);
  }
}
