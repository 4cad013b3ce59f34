/** Mail goes out only from verified domains, and with a key that is tied to one, only from that. */

import { verifiedDomains } from '../../domains/verified.ts';
import type { NewEmail } from '../../emails/email.ts';
import type { Sql } from '../../kit/database/sql.ts';
import type { DraftMailbox } from '../draft.ts';
import type { DomainNotVerified, SenderNotAllowed } from '../refused.ts';

export function tieGate(tiedTo: string | null, { address }: DraftMailbox): SenderNotAllowed | null {
  if (tiedTo === null || tiedTo === address.domain) return null;
  return { kind: 'sender_not_allowed', at: 'from', tiedTo };
}

export async function senderGate(
  tx: Sql,
  emails: readonly NewEmail[],
): Promise<(DomainNotVerified | null)[]> {
  const senderOf = (email: NewEmail) => ({ organizationId: email.organizationId, domain: email.fromDomain });
  const isVerified = await verifiedDomains(tx, emails.map(senderOf));
  return emails.map((email) =>
    isVerified(senderOf(email))
      ? null
      : { kind: 'domain_not_verified', at: 'from', domain: email.fromDomain },
  );
}
