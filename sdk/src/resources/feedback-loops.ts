/** What to enroll where, so that providers tell of complaints. */
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

  /** Says that you have enrolled it there, or have not. */
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
