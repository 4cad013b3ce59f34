/** Checks of everything that mail depends on. For operators. */
import type { Data, RequestOptions } from '../operation.ts';
import type { Transport } from '../transport.ts';

export class Doctor {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  /** Gets the last report. */
  report(options: RequestOptions = {}): Promise<Data<'GET /doctor'>> {
    return this.#api.data('GET /doctor', {}, options);
  }

  /** Runs the checks now, which takes up to 25 seconds. Within a minute of the last run, returns its report. */
  examine(options: RequestOptions = {}): Promise<Data<'POST /doctor'>> {
    return this.#api.data('POST /doctor', {}, options);
  }
}
