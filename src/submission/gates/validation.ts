/** Validation at send time, where the organization wants it: it may ask DNS, so it comes before the transaction. */

import type { NewEmail } from '../../emails/email.ts';
import { type Address, addressKeyOf } from '../../kit/message/address.ts';
import type { AutoValidation } from '../../organizations/settings/auto-validation.ts';
import { type RecipientsRisky, recipientsWith } from '../refused.ts';

export type Validates = Pick<AutoValidation, 'refusedAmong'>;

/** Every recipient counts; nothing is stored when one is refused. */
export async function validationGate(validates: Validates, email: NewEmail): Promise<RecipientsRisky | null> {
  const addresses = email.recipients.map(({ address }) => address);
  const refused = await validates.refusedAmong(email.organizationId, addresses);
  if (refused.length === 0) return null;
  const known = new Map(refused.map(({ address, score, reason }) => [address.key, { score, reason }]));
  const recipients = recipientsWith(email.addresses, (address) => known.get(addressKeyOf(address)));
  return { kind: 'recipients_risky', recipients };
}

/** For emails to one recipient each: which of them is refused, by its place among them. One question for all. */
export async function riskyAmong(
  validates: Validates,
  organizationId: string,
  emails: readonly NewEmail[],
): Promise<ReadonlyMap<number, RecipientsRisky>> {
  const addresses = emails.map(({ recipients }) => recipients[0]?.address as Address);
  const refused = await validates.refusedAmong(organizationId, addresses);
  if (refused.length === 0) return new Map();
  const known = new Map(refused.map((one) => [one.address, one]));
  return new Map(
    addresses.flatMap((address, index) => {
      const found = known.get(address);
      if (found === undefined) return [];
      const { score, reason } = found;
      const recipient = { at: { list: 'to' as const, index: 0 }, email: address.email, score, reason };
      return [[index, { kind: 'recipients_risky' as const, recipients: [recipient] }]];
    }),
  );
}
