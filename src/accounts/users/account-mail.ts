/**
 * Mail to our own users. It is delivered like any other, and belongs to the installation: to an organization that nobody
 * is in and no key is for. It goes out from the oldest verified domain of the first organization.
 */

import { domainOwner } from '../../domains/lender.ts';
import { firstVerifiedDomain } from '../../domains/verified.ts';
import type { Database } from '../../kit/database/database.ts';
import { ApiError } from '../../kit/http/errors.ts';
import type { Principal } from '../../kit/http/principal.ts';
import { parseAddress } from '../../kit/message/address.ts';
import { INSTALLATION } from '../../organizations/installation.ts';
import { type SendingDeps, sendOne } from '../../submission/sending.ts';
import { removeAddress } from '../../suppressions/store.ts';

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

const SENDER: Principal = { organizationId: INSTALLATION, keyId: null, scope: 'full', domain: null };

export function createAccountMailer(db: Database, sending: SendingDeps): SendAccountMail {
  return async ({ kind, to, subject, text, organizationId }) => {
    const domain = await firstVerifiedDomain(db, await domainOwner(db, INSTALLATION));
    if (domain === undefined) return false;
    await forgiveBounces(db, to);
    const from = { email: `postrider@${domain}`, name: 'Postrider' };
    const metadata = { kind, ...(organizationId === undefined ? {} : { organization_id: organizationId }) };
    const body = { from, to: [{ email: to }], subject, text, metadata, track_opens: false };
    return sendOne(sending, SENDER, body, null).then(
      () => true,
      (error: unknown) => {
        if (isRefusal(error)) return false;
        throw error;
      },
    );
  };
}

/**
 * Nobody can take an address off the installation's list, and this mail is rare and asked for: one that bounced is
 * tried again. One whose owner complained is not.
 */
async function forgiveBounces(db: Database, to: string): Promise<void> {
  const parsed = parseAddress(to);
  if (!parsed.ok) return;
  const address = { organizationId: INSTALLATION, key: parsed.key };
  await db.transaction(async (tx) => {
    for (const reason of ['hard_bounce', 'soft_bounce'] as const) await removeAddress(tx, address, reason);
  });
}

function isRefusal(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    (error.code === 'RECIPIENTS_SUPPRESSED' || error.code === 'DOMAIN_NOT_VERIFIED')
  );
}
