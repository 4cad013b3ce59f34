/** Validates recipients at send time, if the organization enables this. May query DNS, so it runs before the transaction. */

import type { NewEmail } from '../../emails/email.ts';
import type { AutoValidation } from '../../organizations/settings/auto-validation.ts';
import { addressKeyOf } from '../../protocols/message/address.ts';
import { type AtRecipient, recipientsWith } from './refused-recipients.ts';

export interface RecipientsRisky {
  readonly kind: 'recipients_risky';
  readonly recipients: readonly (AtRecipient & { readonly score: number; readonly reason: string })[];
}

export type Validates = Pick<AutoValidation, 'isOn' | 'refusedAmong'>;

/** One refused recipient refuses the email, and nothing is stored. */
export async function validationGate(validates: Validates, email: NewEmail): Promise<RecipientsRisky | null> {
  const { organizationId } = email;
  if (!(await validates.isOn(organizationId))) return null;
  return (await riskyAmong(validates, organizationId, [email])).get(0) ?? null;
}

/** The refused emails, by position. One lookup for all. */
export async function riskyAmong(
  validates: Validates,
  organizationId: string,
  emails: readonly NewEmail[],
): Promise<ReadonlyMap<number, RecipientsRisky>> {
  const addresses = emails.flatMap(({ recipients }) => recipients.map(({ address }) => address));
  const refused = await validates.refusedAmong(organizationId, addresses);
  if (refused.length === 0) return new Map();
  const known = new Map(refused.map(({ address, score, reason }) => [address.key, { score, reason }]));
  return new Map(
    emails.flatMap((email, place) => {
      const recipients = recipientsWith(email.addresses, (address) => known.get(addressKeyOf(address)));
      return recipients.length === 0 ? [] : [[place, { kind: 'recipients_risky' as const, recipients }]];
    }),
  );
}
