/** The invited person's side of an invite. The link authenticates. */
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

  /** Without an account a password is needed; with one, be signed in. */
  accept(
    token: string,
    body: Body<'POST /invites/{token}/accept'> = {},
    options: RequestOptions = {},
  ): Promise<Data<'POST /invites/{token}/accept'>> {
    return this.#api.data('POST /invites/{token}/accept', { params: { token }, body }, options);
  }
}
