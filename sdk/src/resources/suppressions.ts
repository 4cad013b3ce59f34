/** Who must not be mailed. */
import type { Answer, Body, Data, Item, Query, RequestOptions } from '../operation.ts';
import { itemsOfPages, MAX_PER_PAGE } from '../pages.ts';
import { type Transport, wait } from '../transport.ts';

export interface ImportEntry {
  readonly email: string;
  readonly reason?: Query<'POST /suppressions/import'>['reason'];
}

export interface WaitOptions extends RequestOptions {
  readonly onProgress?: (state: Data<'GET /suppressions/imports/{id}'>) => void;
  readonly intervalMs?: number | undefined;
}

export class Suppressions {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  /** One page, the newest first. */
  list(
    query: Query<'GET /suppressions'> = {},
    options: RequestOptions = {},
  ): Promise<Answer<'GET /suppressions'>> {
    return this.#api.answer('GET /suppressions', { query }, options);
  }

  /** All of them, page by page as you read on. */
  all(
    query: Omit<Query<'GET /suppressions'>, 'page'> = {},
    options: RequestOptions = {},
  ): AsyncGenerator<Item<'GET /suppressions'>, void, undefined> {
    return itemsOfPages(
      (page) => this.list({ limit: MAX_PER_PAGE, ...query, page }, options),
      (one) => one.id,
    );
  }

  create(
    body: Body<'POST /suppressions'>,
    options: RequestOptions = {},
  ): Promise<Data<'POST /suppressions'>> {
    return this.#api.data('POST /suppressions', { body }, options);
  }

  delete(id: string, options: RequestOptions = {}): Promise<Data<'DELETE /suppressions/{id}'>> {
    return this.#api.data('DELETE /suppressions/{id}', { params: { id } }, options);
  }

  /** CSV text, or entries. It is worked off in the background: see `waitForImport`. */
  import(
    list: string | ImportEntry[],
    query: Query<'POST /suppressions/import'> = {},
    options: RequestOptions = {},
  ): Promise<Data<'POST /suppressions/import'>> {
    return this.#api.data(
      'POST /suppressions/import',
      { query, body: typeof list === 'string' ? list : { suppressions: list } },
      options,
    );
  }

  getImport(id: string, options: RequestOptions = {}): Promise<Data<'GET /suppressions/imports/{id}'>> {
    return this.#api.data('GET /suppressions/imports/{id}', { params: { id } }, options);
  }

  /** Resolves when it is done or has failed; `onProgress` hears how far it is. */
  async waitForImport(
    id: string,
    { onProgress, intervalMs = 500, ...options }: WaitOptions = {},
  ): Promise<Data<'GET /suppressions/imports/{id}'>> {
    for (;;) {
      const state = await this.getImport(id, options);
      onProgress?.(state);
      if (state.status === 'done' || state.status === 'failed') return state;
      await wait(intervalMs, options.signal);
    }
  }

  /** The whole list as CSV. */
  export(options: RequestOptions = {}): Promise<Answer<'GET /suppressions/export'>> {
    return this.#api.answer('GET /suppressions/export', {}, options);
  }

  /** The same as it comes, for lists that do not fit into memory. */
  exportStream(options: RequestOptions = {}): Promise<ReadableStream<Uint8Array>> {
    return this.#api.stream('GET /suppressions/export', {}, options);
  }
}
