/** Invites, for the invited person. The token of the link authenticates the request. */
import type { Body, Data, RequestOptions } from '../operation.ts';
import type { Transport } from '../transport.ts';

export class Invites {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  get(token: string, options: RequestOptions = {}): Promise<Data<'GET /invites/{token}'>> {
    return this.#api.data('GET /invites/{token}', { params: { token } }, options);
  }

  /** Accepts an invite. A person without an account sends a password; a person with an account signs in first. */
  accept(
    token: string,
    body: Body<'POST /invites/{token}/accept'> = {},
    options: RequestOptions = {},
  ): Promise<Data<'POST /invites/{token}/accept'>> {
    return this.#api.data('POST /invites/{token}/accept', { params: { token }, body }, options);
  }
}
