/**
 * No email goes to a suppressed address: one lookup for all recipients of the batch. Mail that is to be accepted anyway skips
 * this lookup, because the worker checks again before it sends.
 */

import { groupOf, type NewEmail } from '../../emails/email.ts';
import { type AddressKey, addressKeyOf } from '../../protocols/message/address.ts';
import { type HashAddress, type Hit, suppressionQuestion } from '../../suppressions/suppressed.ts';
import { type AtRecipient, recipientsWith } from './refused-recipients.ts';

export interface RecipientsSuppressed {
  readonly kind: 'recipients_suppressed';
  /** `group`: the group that they unsubscribed from; null if they may receive no mail at all. */
  readonly recipients: readonly (AtRecipient & { readonly group: string | null })[];
}

export function suppressionGate(emails: readonly NewEmail[], hash?: HashAddress) {
  const asked = emails.flatMap((email, index) => {
    if (email.onSuppressed === 'report') return [];
    const group = groupOf(email);
    const { organizationId } = email;
    return email.recipients.map(({ address: { key } }) => ({ organizationId, key, group, index }));
  });
  const { columns, hits } = suppressionQuestion(asked, hash);
  return {
    columns,
    refusals: (places: readonly number[]): (RecipientsSuppressed | null)[] => {
      const refused = new Map<number, Map<AddressKey, Hit>>();
      for (const [place, hit] of hits(places)) {
        const { index, key } = asked[place] as (typeof asked)[number];
        refused.set(index, (refused.get(index) ?? new Map()).set(key, hit));
      }
      return emails.map((email, index) => {
        const found = refused.get(index);
        return found === undefined ? null : suppressed(email, found);
      });
    },
  };
}

function suppressed(email: NewEmail, hits: ReadonlyMap<AddressKey, Hit>): RecipientsSuppressed {
  const recipients = recipientsWith(email.addresses, (address) => {
    const hit = hits.get(addressKeyOf(address));
    return hit && { group: hit === 'listed' ? null : groupOf(email) };
  });
  return { kind: 'recipients_suppressed', recipients };
}
