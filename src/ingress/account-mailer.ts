/**
 * Mail to the installation's own users. It is delivered like any other mail, and belongs to an organization
 * without users and keys. The sender is the oldest verified domain of the first organization.
 */

import type { AccountMail, SendAccountMail } from '../accounts/users/account-mail.ts';
import type { Database } from '../database/database.ts';
import { domainOwnerOf } from '../domains/senders.ts';
import { firstVerifiedDomain } from '../domains/verified.ts';
import { refusalError } from '../emails/http/refusal-errors.ts';
import { INSTALLATION } from '../organizations/installation.ts';
import { type Address, parseAddress } from '../protocols/message/address.ts';
import { oneLine } from '../protocols/message/unsafe-text.ts';
import { type Draft, ORDINARY } from '../submission/draft.ts';
import { type SubmissionDeps, submit } from '../submission/submit.ts';
import { removeAddress } from '../suppressions/store.ts';

const SENDER = { organizationId: INSTALLATION, keyId: null, tiedTo: null, policy: null };

export function createAccountMailer(db: Database, submission: SubmissionDeps): SendAccountMail {
  return async (mail) => {
    const domain = await firstVerifiedDomain(db, await domainOwnerOf(db, INSTALLATION));
    if (domain === undefined) return false;
    const to = parsed(mail.to);
    await forgiveBounces(db, to);
    const result = await submit(submission, SENDER, draftOf(mail, to, parsed(`postrider@${domain}`)));
    switch (result.kind) {
      case 'accepted':
        return true;
      case 'recipients_suppressed':
      case 'domain_not_verified':
        return false;
      default:
        throw refusalError(result);
    }
  };
}

/**
 * Removes bounce suppressions of the recipient: this rare, requested mail is retried after a bounce, because
 * no user can edit the installation's suppression list. Complaints remain in force.
 */
async function forgiveBounces(db: Database, { key }: Address): Promise<void> {
  const address = { organizationId: INSTALLATION, key };
  await db.transaction(async (tx) => {
    for (const reason of ['hard_bounce', 'soft_bounce'] as const) await removeAddress(tx, address, reason);
  });
}

function draftOf({ kind, subject, text, organizationId }: AccountMail, to: Address, from: Address): Draft {
  return {
    ...ORDINARY,
    from: { address: from, name: oneLine('Postrider') },
    to: [{ address: to, name: null }],
    content: { kind: 'inline', subject: oneLine(subject), html: null, text },
    metadata: { kind, ...(organizationId === undefined ? {} : { organization_id: organizationId }) },
    trackOpens: false,
    trackClicks: 'off',
  };
}

function parsed(email: string): Address {
  const address = parseAddress(email);
  if (!address.ok) throw new Error(`The address of an account does not parse: ${address.message}`);
  return address;
}
