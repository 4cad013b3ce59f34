/** Feedback loops: where to enrol, so that providers report complaints. */
import type { Data, Params, RequestOptions } from '../operation.ts';
import type { Transport } from '../transport.ts';

type Enrol = 'PUT /feedback-loops/{loop}/{subject}';

export class FeedbackLoops {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  list(options: RequestOptions = {}): Promise<Data<'GET /feedback-loops'>> {
    return this.#api.data('GET /feedback-loops', {}, options);
  }

  /** Marks a domain or address as enrolled, or as not enrolled. */
  set(
    loop: Params<Enrol>['loop'],
    subject: string,
    enrolled: boolean,
    options: RequestOptions = {},
  ): Promise<Data<Enrol>> {
    return this.#api.data(
      'PUT /feedback-loops/{loop}/{subject}',
      { params: { loop, subject }, body: { enrolled } },
      options,
    );
  }
}
