/**
 * Mail to our own users, sent like any other: by the first organization, from the oldest of its verified domains. It
 * carries a tag by which its content is kept from everybody who may read that organization's mail: a link that sets
 * a password is for its recipient alone.
 */
import type { Sql } from '../../database/sql.ts';
import type { Principal } from '../../http/principal.ts';
import { firstVerifiedDomain } from '../domains/verified.ts';
import { ACCOUNT_TAG } from '../emails/account-tag.ts';
import { type SendingDeps, sendOne } from '../emails/sending.ts';
import { firstOrganization } from '../organizations/store.ts';

export interface AccountMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export type SendAccountMail = (mail: AccountMail) => Promise<void>;

export function createAccountMailer(db: Sql, sending: SendingDeps): SendAccountMail {
  return async ({ to, subject, text }) => {
    const organization = await firstOrganization(db);
    const domain = organization && (await firstVerifiedDomain(db, organization.id));
    if (!domain) throw new Error('The first organization has no verified domain to send from.');
    const sender: Principal = {
      organizationId: organization.id,
      keyId: null,
      scope: 'full',
      domain: null,
    };
    const from = { email: `postrider@${domain}`, name: 'Postrider' };
    const body = { from, to: [{ email: to }], subject, text, tags: [ACCOUNT_TAG], track_opens: false };
    await sendOne(sending, sender, body, null);
  };
}
