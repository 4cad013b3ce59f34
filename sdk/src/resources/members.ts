/** Who belongs to the organization, and who is invited. For owners. */
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

  /** The keys, webhooks and open invites of a member, which would go on working without them. */
  made(id: string, options: RequestOptions = {}): Promise<Data<'GET /members/{id}/made'>> {
    return this.#api.data('GET /members/{id}/made', { params: { id } }, options);
  }

  /** With `revoke: true` the keys, webhooks and invites that the member made end, too. */
  remove(
    id: string,
    query: Query<'DELETE /members/{id}'> = {},
    options: RequestOptions = {},
  ): Promise<Data<'DELETE /members/{id}'>> {
    return this.#api.data('DELETE /members/{id}', { params: { id }, query }, options);
  }

  /** Mails the link. Where that cannot be done, `mailed` is false and the link is in this answer, and only there. */
  invite(
    body: Body<'POST /members/invites'>,
    options: RequestOptions = {},
  ): Promise<Data<'POST /members/invites'>> {
    return this.#api.data('POST /members/invites', { body }, options);
  }

  /** Those that are open. */
  invites(options: RequestOptions = {}): Promise<Data<'GET /members/invites'>> {
    return this.#api.data('GET /members/invites', {}, options);
  }

  withdrawInvite(id: string, options: RequestOptions = {}): Promise<Data<'DELETE /members/invites/{id}'>> {
    return this.#api.data('DELETE /members/invites/{id}', { params: { id } }, options);
  }
}
