/** Mail to our own users. */

/** Who may see it in the sandbox depends on this, see sandbox/store.ts. */
export type AccountMailKind = 'password_reset' | 'invite' | 'address_confirmation' | 'security_notice';

export interface AccountMail {
  readonly kind: AccountMailKind;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The organization it is about, if it is about one. */
  readonly organizationId?: string;
}

/** False where it cannot be sent: there is no verified domain to send from, or the address must not be mailed. */
export type SendAccountMail = (mail: AccountMail) => Promise<boolean>;
