/** The organization of the key or session. */
import type { Body, Data, RequestOptions } from '../operation.ts';
import type { Transport } from '../transport.ts';

export class CurrentOrganization {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  get(options: RequestOptions = {}): Promise<Data<'GET /organization'>> {
    return this.#api.data('GET /organization', {}, options);
  }

  update(
    body: Body<'PATCH /organization'>,
    options: RequestOptions = {},
  ): Promise<Data<'PATCH /organization'>> {
    return this.#api.data('PATCH /organization', { body }, options);
  }

  /** Creates another organization that the user owns. Use `auth.switchOrganization` to work in it. */
  create(
    body: Body<'POST /organizations'>,
    options: RequestOptions = {},
  ): Promise<Data<'POST /organizations'>> {
    return this.#api.data('POST /organizations', { body }, options);
  }
}
