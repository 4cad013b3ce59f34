/** Streams, which separate kinds of mail. */
import type { Body, Data, RequestOptions } from '../operation.ts';
import type { Transport } from '../transport.ts';

export class Streams {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  /** Returns the built-in streams `transactional` and `bulk`, and your own streams. */
  list(options: RequestOptions = {}): Promise<Data<'GET /streams'>> {
    return this.#api.data('GET /streams', {}, options);
  }

  get(name: string, options: RequestOptions = {}): Promise<Data<'GET /streams/{name}'>> {
    return this.#api.data('GET /streams/{name}', { params: { name } }, options);
  }

  create(body: Body<'POST /streams'>, options: RequestOptions = {}): Promise<Data<'POST /streams'>> {
    return this.#api.data('POST /streams', { body }, options);
  }

  update(
    name: string,
    body: Body<'PATCH /streams/{name}'>,
    options: RequestOptions = {},
  ): Promise<Data<'PATCH /streams/{name}'>> {
    return this.#api.data('PATCH /streams/{name}', { params: { name }, body }, options);
  }

  /** Removes a stream. Its mail stays and keeps the name. */
  delete(name: string, options: RequestOptions = {}): Promise<Data<'DELETE /streams/{name}'>> {
    return this.#api.data('DELETE /streams/{name}', { params: { name } }, options);
  }
}
