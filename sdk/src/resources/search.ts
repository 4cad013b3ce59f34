/** One search over everything of the organization. */
import type { Data, Query, RequestOptions } from '../operation.ts';
import type { Transport } from '../transport.ts';

export class Search {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  /** At most five hits of each kind, with why each matters. `query.kinds` names some kinds, separated by commas. */
  find(query: Query<'GET /search'>, options: RequestOptions = {}): Promise<Data<'GET /search'>> {
    return this.#api.data('GET /search', { query }, options);
  }
}
