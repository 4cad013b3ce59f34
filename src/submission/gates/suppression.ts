/** No email goes to an address its organization must not mail: one lookup for all recipients of the batch. */

import { groupOf, type NewEmail } from '../../emails/email.ts';
import { parseAddress } from '../../kit/message/address.ts';
import { type HashAddress, type Hit, suppressionQuestion } from '../../suppressions/suppressed.ts';
import { type RecipientsSuppressed, recipientsWith } from '../refused.ts';

export function suppressionGate(emails: readonly NewEmail[], hash?: HashAddress) {
  const asked = emails.flatMap((email, index) => {
    const group = groupOf(email);
    return email.recipients.map(({ key }) => ({ organizationId: email.organizationId, key, group, index }));
  });
  const { columns, hits } = suppressionQuestion(asked, hash);
  return {
    columns,
    refusals: (places: readonly number[]): (RecipientsSuppressed | null)[] => {
      const refused = new Map<number, Map<string, Hit>>();
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

function suppressed(email: NewEmail, hits: ReadonlyMap<string, Hit>): RecipientsSuppressed {
  const recipients = recipientsWith(email.addresses, (address) => {
    const parsed = parseAddress(address);
    const hit = parsed.ok ? hits.get(parsed.key) : undefined;
    return hit && { group: hit === 'listed' ? null : groupOf(email) };
  });
  return { kind: 'recipients_suppressed', recipients };
}
