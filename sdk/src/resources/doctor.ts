/** What mail depends on, and what is wrong with it. For operators. */
import type { Data, RequestOptions } from '../operation.ts';
import type { Transport } from '../transport.ts';

export class Doctor {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  /** What was found last. */
  report(options: RequestOptions = {}): Promise<Data<'GET /doctor'>> {
    return this.#api.data('GET /doctor', {}, options);
  }

  /** Examines now, which takes up to 25 seconds; within a minute of the last time it is that report. */
  examine(options: RequestOptions = {}): Promise<Data<'POST /doctor'>> {
    return this.#api.data('POST /doctor', {}, options);
  }
}
