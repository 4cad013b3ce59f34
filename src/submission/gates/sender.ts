/** Mail is sent only from verified domains. A key that is restricted to a domain sends only from that domain. */

import type { Sql } from '../../database/sql.ts';
import { senderQuestion } from '../../domains/verified.ts';
import type { NewEmail } from '../../emails/email.ts';
import type { DomainName } from '../../protocols/message/domain-name.ts';
import type { DraftMailbox } from '../draft.ts';

/** The sender is restricted to another domain. */
export interface SenderNotAllowed {
  readonly kind: 'sender_not_allowed';
  readonly at: 'from';
  readonly tiedTo: string;
}

export interface DomainNotVerified {
  readonly kind: 'domain_not_verified';
  readonly at: 'from';
  readonly domain: string;
}

export function tieGate(tiedTo: DomainName | null, { address }: DraftMailbox): SenderNotAllowed | null {
  if (tiedTo === null || tiedTo === address.domain) return null;
  return { kind: 'sender_not_allowed', at: 'from', tiedTo };
}

export async function senderGate(db: Sql, emails: readonly NewEmail[]) {
  const senders = emails.map(({ organizationId, fromDomain }) => ({ organizationId, domain: fromDomain }));
  const { columns, isUnverified } = await senderQuestion(db, senders);
  return {
    columns,
    refusals: (places: readonly number[]): (DomainNotVerified | null)[] => {
      const isRefused = isUnverified(places);
      return senders.map((sender) =>
        isRefused(sender) ? { kind: 'domain_not_verified', at: 'from', domain: sender.domain } : null,
      );
    },
  };
}
