/** Filters of lists, saved under a name. */
import type { Body, Data, Query, RequestOptions } from '../operation.ts';
import type { Transport } from '../transport.ts';

export class Views {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  /** Returns the shared views of the organization, and for a session also the user's own. */
  list(query: Query<'GET /views'> = {}, options: RequestOptions = {}): Promise<Data<'GET /views'>> {
    return this.#api.data('GET /views', { query }, options);
  }

  create(body: Body<'POST /views'>, options: RequestOptions = {}): Promise<Data<'POST /views'>> {
    return this.#api.data('POST /views', { body }, options);
  }

  update(
    id: string,
    body: Body<'PATCH /views/{id}'>,
    options: RequestOptions = {},
  ): Promise<Data<'PATCH /views/{id}'>> {
    return this.#api.data('PATCH /views/{id}', { params: { id }, body }, options);
  }

  delete(id: string, options: RequestOptions = {}): Promise<Data<'DELETE /views/{id}'>> {
    return this.#api.data('DELETE /views/{id}', { params: { id } }, options);
  }
}
