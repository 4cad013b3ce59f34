/** Sessions and the signed-in user. The session is a cookie, so these methods are for browsers (`credentials: 'same-origin'`). */
import type { Body, Data, RequestOptions } from '../operation.ts';
import type { Transport } from '../transport.ts';

export class Auth {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  /** Gets the state of the sign-in page: whether a user is signed in, and whether the installation has a user. */
  state(options: RequestOptions = {}): Promise<Data<'GET /auth/state'>> {
    return this.#api.data('GET /auth/state', {}, options);
  }

  /** Creates the first user. Later users are invited. */
  signUp(
    body: Body<'POST /auth/sign-up'>,
    options: RequestOptions = {},
  ): Promise<Data<'POST /auth/sign-up'>> {
    return this.#api.data('POST /auth/sign-up', { body }, options);
  }

  /** Signs in. Fails with `TOTP_REQUIRED` if a second factor is needed: call again with `code`. */
  signIn(
    body: Body<'POST /auth/sign-in'>,
    options: RequestOptions = {},
  ): Promise<Data<'POST /auth/sign-in'>> {
    return this.#api.data('POST /auth/sign-in', { body }, options);
  }

  signOut(options: RequestOptions = {}): Promise<Data<'POST /auth/sign-out'>> {
    return this.#api.data('POST /auth/sign-out', {}, options);
  }

  /** Ends all sessions of the user, including this one. */
  signOutEverywhere(options: RequestOptions = {}): Promise<Data<'POST /auth/sign-out-everywhere'>> {
    return this.#api.data('POST /auth/sign-out-everywhere', {}, options);
  }

  /** Lists the sessions of the user, most recently used first. */
  sessions(options: RequestOptions = {}): Promise<Data<'GET /auth/sessions'>> {
    return this.#api.data('GET /auth/sessions', {}, options);
  }

  /** Ends one session of the user. */
  endSession(id: string, options: RequestOptions = {}): Promise<Data<'DELETE /auth/sessions/{id}'>> {
    return this.#api.data('DELETE /auth/sessions/{id}', { params: { id } }, options);
  }

  me(options: RequestOptions = {}): Promise<Data<'GET /auth/me'>> {
    return this.#api.data('GET /auth/me', {}, options);
  }

  updateMe(body: Body<'PATCH /auth/me'>, options: RequestOptions = {}): Promise<Data<'PATCH /auth/me'>> {
    return this.#api.data('PATCH /auth/me', { body }, options);
  }

  /** Switches the session to another organization. */
  switchOrganization(
    organizationId: string,
    options: RequestOptions = {},
  ): Promise<Data<'POST /auth/organization'>> {
    return this.#api.data('POST /auth/organization', { body: { organization_id: organizationId } }, options);
  }

  /** Changes the password and ends all other sessions of the user. */
  changePassword(
    body: Body<'POST /auth/password'>,
    options: RequestOptions = {},
  ): Promise<Data<'POST /auth/password'>> {
    return this.#api.data('POST /auth/password', { body }, options);
  }

  /** Requests a link to set a new password. The response is the same whether or not the user exists. */
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

  /** Starts setting up a second factor, which `confirmTotp` completes. */
  beginTotp(options: RequestOptions = {}): Promise<Data<'POST /auth/totp'>> {
    return this.#api.data('POST /auth/totp', {}, options);
  }

  /** Confirms the second factor. The recovery codes are only in this response. */
  confirmTotp(code: string, options: RequestOptions = {}): Promise<Data<'POST /auth/totp/confirm'>> {
    return this.#api.data('POST /auth/totp/confirm', { body: { code } }, options);
  }

  /** Turns off the second factor, with a code of the app or a recovery code. */
  disableTotp(code: string, options: RequestOptions = {}): Promise<Data<'DELETE /auth/totp'>> {
    return this.#api.data('DELETE /auth/totp', { body: { code } }, options);
  }

  /** Mails a link that confirms the user's address. `mailed` is false if no mail can be sent. */
  requestAddressConfirmation(options: RequestOptions = {}): Promise<Data<'POST /auth/email/confirmation'>> {
    return this.#api.data('POST /auth/email/confirmation', {}, options);
  }

  confirmAddress(token: string, options: RequestOptions = {}): Promise<Data<'POST /auth/email/confirm'>> {
    return this.#api.data('POST /auth/email/confirm', { body: { token } }, options);
  }
}
