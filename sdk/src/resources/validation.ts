/** Validation of addresses. */
import type { Data, RequestOptions } from '../operation.ts';
import type { Transport } from '../transport.ts';

export class Validation {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  validate(email: string, options: RequestOptions = {}): Promise<Data<'POST /emails/validate'>> {
    return this.#api.data('POST /emails/validate', { body: { email } }, options);
  }

  /** Validates up to 100 addresses. The results are in the same order. */
  validateBatch(
    emails: string[],
    options: RequestOptions = {},
  ): Promise<Data<'POST /emails/validate/batch'>> {
    return this.#api.data('POST /emails/validate/batch', { body: { emails } }, options);
  }
}
