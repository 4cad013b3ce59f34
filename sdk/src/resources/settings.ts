/** Settings of the organization. */
import type { Body, Data, RequestOptions } from '../operation.ts';
import type { Transport } from '../transport.ts';

export class Settings {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  validation(options: RequestOptions = {}): Promise<Data<'GET /settings/validation'>> {
    return this.#api.data('GET /settings/validation', {}, options);
  }

  updateValidation(
    body: Body<'PUT /settings/validation'>,
    options: RequestOptions = {},
  ): Promise<Data<'PUT /settings/validation'>> {
    return this.#api.data('PUT /settings/validation', { body }, options);
  }

  autoValidation(options: RequestOptions = {}): Promise<Data<'GET /settings/auto-validation'>> {
    return this.#api.data('GET /settings/auto-validation', {}, options);
  }

  updateAutoValidation(
    body: Body<'PUT /settings/auto-validation'>,
    options: RequestOptions = {},
  ): Promise<Data<'PUT /settings/auto-validation'>> {
    return this.#api.data('PUT /settings/auto-validation', { body }, options);
  }

  retention(options: RequestOptions = {}): Promise<Data<'GET /settings/retention'>> {
    return this.#api.data('GET /settings/retention', {}, options);
  }

  updateRetention(
    body: Body<'PUT /settings/retention'>,
    options: RequestOptions = {},
  ): Promise<Data<'PUT /settings/retention'>> {
    return this.#api.data('PUT /settings/retention', { body }, options);
  }

  /** Gets the settings of the guard, which holds mail automatically. */
  guard(options: RequestOptions = {}): Promise<Data<'GET /settings/guard'>> {
    return this.#api.data('GET /settings/guard', {}, options);
  }

  updateGuard(
    body: Body<'PUT /settings/guard'>,
    options: RequestOptions = {},
  ): Promise<Data<'PUT /settings/guard'>> {
    return this.#api.data('PUT /settings/guard', { body }, options);
  }

  tracking(options: RequestOptions = {}): Promise<Data<'GET /settings/tracking'>> {
    return this.#api.data('GET /settings/tracking', {}, options);
  }

  updateTracking(
    body: Body<'PUT /settings/tracking'>,
    options: RequestOptions = {},
  ): Promise<Data<'PUT /settings/tracking'>> {
    return this.#api.data('PUT /settings/tracking', { body }, options);
  }
}
