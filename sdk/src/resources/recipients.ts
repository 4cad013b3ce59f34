/** What is held about people who were mailed. For owners who are signed in. */
import type { Data, RequestOptions } from '../operation.ts';
import type { Transport } from '../transport.ts';

export class Recipients {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  /** Call again until `complete`. */
  erase(email: string, options: RequestOptions = {}): Promise<Data<'POST /recipients/erase'>> {
    return this.#api.data('POST /recipients/erase', { body: { email } }, options);
  }

  export(email: string, options: RequestOptions = {}): Promise<Data<'POST /recipients/export'>> {
    return this.#api.data('POST /recipients/export', { body: { email } }, options);
  }
}
