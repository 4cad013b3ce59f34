/** Members and invites of the organization. For owners. */
import type { Body, Data, Query, RequestOptions } from '../operation.ts';
import type { Transport } from '../transport.ts';

export class Members {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  list(options: RequestOptions = {}): Promise<Data<'GET /members'>> {
    return this.#api.data('GET /members', {}, options);
  }

  update(
    id: string,
    body: Body<'PATCH /members/{id}'>,
    options: RequestOptions = {},
  ): Promise<Data<'PATCH /members/{id}'>> {
    return this.#api.data('PATCH /members/{id}', { params: { id }, body }, options);
  }

  /** Lists the keys, webhooks and open invites that a member created. */
  made(id: string, options: RequestOptions = {}): Promise<Data<'GET /members/{id}/made'>> {
    return this.#api.data('GET /members/{id}/made', { params: { id } }, options);
  }

  /** Removes a member. `revoke: true` also revokes the keys, disables the webhooks and withdraws the invites that the member created. */
  remove(
    id: string,
    query: Query<'DELETE /members/{id}'> = {},
    options: RequestOptions = {},
  ): Promise<Data<'DELETE /members/{id}'>> {
    return this.#api.data('DELETE /members/{id}', { params: { id }, query }, options);
  }

  /** Invites a person by mail. If no mail can be sent, `mailed` is false and the link is only in this response. */
  invite(
    body: Body<'POST /members/invites'>,
    options: RequestOptions = {},
  ): Promise<Data<'POST /members/invites'>> {
    return this.#api.data('POST /members/invites', { body }, options);
  }

  /** Lists the open invites. */
  invites(options: RequestOptions = {}): Promise<Data<'GET /members/invites'>> {
    return this.#api.data('GET /members/invites', {}, options);
  }

  withdrawInvite(id: string, options: RequestOptions = {}): Promise<Data<'DELETE /members/invites/{id}'>> {
    return this.#api.data('DELETE /members/invites/{id}', { params: { id } }, options);
  }
}
