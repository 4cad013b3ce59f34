/** Who is signed in. The session is a cookie, so this is for browsers (`credentials: 'same-origin'`). */
import type { Body, Data, RequestOptions } from '../operation.ts';
import type { Transport } from '../transport.ts';

export class Auth {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  /** Whether anybody is signed in, and whether there is a user at all. */
  state(options: RequestOptions = {}): Promise<Data<'GET /auth/state'>> {
    return this.#api.data('GET /auth/state', {}, options);
  }

  /** The first user; later ones are invited. */
  signUp(
    body: Body<'POST /auth/sign-up'>,
    options: RequestOptions = {},
  ): Promise<Data<'POST /auth/sign-up'>> {
    return this.#api.data('POST /auth/sign-up', { body }, options);
  }

  /** Fails with the code `TOTP_REQUIRED` where a second factor is needed: ask for it and call again with `code`. */
  signIn(
    body: Body<'POST /auth/sign-in'>,
    options: RequestOptions = {},
  ): Promise<Data<'POST /auth/sign-in'>> {
    return this.#api.data('POST /auth/sign-in', { body }, options);
  }

  signOut(options: RequestOptions = {}): Promise<Data<'POST /auth/sign-out'>> {
    return this.#api.data('POST /auth/sign-out', {}, options);
  }

  /** Ends all sessions of the user, this one included. */
  signOutEverywhere(options: RequestOptions = {}): Promise<Data<'POST /auth/sign-out-everywhere'>> {
    return this.#api.data('POST /auth/sign-out-everywhere', {}, options);
  }

  /** Where the user is signed in, the last used first. */
  sessions(options: RequestOptions = {}): Promise<Data<'GET /auth/sessions'>> {
    return this.#api.data('GET /auth/sessions', {}, options);
  }

  /** Signs one of the user's sessions out. */
  endSession(id: string, options: RequestOptions = {}): Promise<Data<'DELETE /auth/sessions/{id}'>> {
    return this.#api.data('DELETE /auth/sessions/{id}', { params: { id } }, options);
  }

  me(options: RequestOptions = {}): Promise<Data<'GET /auth/me'>> {
    return this.#api.data('GET /auth/me', {}, options);
  }

  updateMe(body: Body<'PATCH /auth/me'>, options: RequestOptions = {}): Promise<Data<'PATCH /auth/me'>> {
    return this.#api.data('PATCH /auth/me', { body }, options);
  }

  /** This session works in that organization from now on. */
  switchOrganization(
    organizationId: string,
    options: RequestOptions = {},
  ): Promise<Data<'POST /auth/organization'>> {
    return this.#api.data('POST /auth/organization', { body: { organization_id: organizationId } }, options);
  }

  /** All other sessions of the user end. */
  changePassword(
    body: Body<'POST /auth/password'>,
    options: RequestOptions = {},
  ): Promise<Data<'POST /auth/password'>> {
    return this.#api.data('POST /auth/password', { body }, options);
  }

  /** The response is the same whether or not the user exists. */
  requestPasswordReset(
    email: string,
    options: RequestOptions = {},
  ): Promise<Data<'POST /auth/password-reset'>> {
    return this.#api.data('POST /auth/password-reset', { body: { email } }, options);
  }

  confirmPasswordReset(
    body: Body<'POST /auth/password-reset/confirm'>,
    options: RequestOptions = {},
  ): Promise<Data<'POST /auth/password-reset/confirm'>> {
    return this.#api.data('POST /auth/password-reset/confirm', { body }, options);
  }

  /** Nothing changes until `confirmTotp`. */
  beginTotp(options: RequestOptions = {}): Promise<Data<'POST /auth/totp'>> {
    return this.#api.data('POST /auth/totp', {}, options);
  }

  /** The recovery codes are in this answer only. */
  confirmTotp(code: string, options: RequestOptions = {}): Promise<Data<'POST /auth/totp/confirm'>> {
    return this.#api.data('POST /auth/totp/confirm', { body: { code } }, options);
  }

  /** With a code of the app, or a recovery code. */
  disableTotp(code: string, options: RequestOptions = {}): Promise<Data<'DELETE /auth/totp'>> {
    return this.#api.data('DELETE /auth/totp', { body: { code } }, options);
  }

  /** Mails a link that confirms the user's address; `mailed` is false where no mail can be sent. */
  requestAddressConfirmation(options: RequestOptions = {}): Promise<Data<'POST /auth/email/confirmation'>> {
    return this.#api.data('POST /auth/email/confirmation', {}, options);
  }

  confirmAddress(token: string, options: RequestOptions = {}): Promise<Data<'POST /auth/email/confirm'>> {
    return this.#api.data('POST /auth/email/confirm', { body: { token } }, options);
  }
}
