/** Mail from the installation to its own users. */

/** The kind decides who may read the mail in the sandbox; see sandbox/store.ts. */
type AccountMailKind = 'password_reset' | 'invite' | 'address_confirmation' | 'security_notice';

export interface AccountMail {
  readonly kind: AccountMailKind;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The organization that the mail is about, if any. */
  readonly organizationId?: string;
}

/** False when the mail cannot be sent: no verified domain to send from, or the address must not be mailed. */
export type SendAccountMail = (mail: AccountMail) => Promise<boolean>;
