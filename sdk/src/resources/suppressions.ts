/** Addresses that must not be mailed. */
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

  /** Lists one page, newest first. */
  list(
    query: Query<'GET /suppressions'> = {},
    options: RequestOptions = {},
  ): Promise<Answer<'GET /suppressions'>> {
    return this.#api.answer('GET /suppressions', { query }, options);
  }

  /** Iterates over all entries. Fetches the next page when you have read the previous one. */
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

  /** Removes up to 100 suppressions. Each has a result of its own. */
  deleteMany(ids: string[], options: RequestOptions = {}): Promise<Data<'POST /suppressions/delete'>> {
    return this.#api.data('POST /suppressions/delete', { body: { ids } }, options);
  }

  /** Imports CSV text, or entries. The import runs in the background: see `waitForImport`. */
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

  /** Resolves when the import is done or has failed. `onProgress` receives its progress. */
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

  /** Gets the whole list as CSV. */
  export(options: RequestOptions = {}): Promise<Answer<'GET /suppressions/export'>> {
    return this.#api.answer('GET /suppressions/export', {}, options);
  }

  /** Streams the list as CSV, for lists that do not fit into memory. */
  exportStream(options: RequestOptions = {}): Promise<ReadableStream<Uint8Array>> {
    return this.#api.stream('GET /suppressions/export', {}, options);
  }
}
