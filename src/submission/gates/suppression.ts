/** No email goes to an address its organization must not mail: one look-up for all recipients of the batch. */

import { groupOf, type NewEmail } from '../../emails/email.ts';
import type { Sql } from '../../kit/database/sql.ts';
import { parseAddress } from '../../kit/message/address.ts';
import { type HashAddress, type Hit, suppressedAmong } from '../../suppressions/suppressed.ts';
import { type RecipientsSuppressed, recipientsWith } from '../refused.ts';

export async function suppressionGate(
  tx: Sql,
  emails: readonly NewEmail[],
  hash?: HashAddress,
): Promise<(RecipientsSuppressed | null)[]> {
  const asked = emails.flatMap((email, index) => {
    const group = groupOf(email);
    return email.recipients.map(({ key }) => ({ organizationId: email.organizationId, key, group, index }));
  });
  const refused = new Map<number, Map<string, Hit>>();
  for (const [place, hit] of await suppressedAmong(tx, asked, hash)) {
    const { index, key } = asked[place] as (typeof asked)[number];
    refused.set(index, (refused.get(index) ?? new Map()).set(key, hit));
  }
  return emails.map((email, index) => {
    const hits = refused.get(index);
    return hits === undefined ? null : suppressed(email, hits);
  });
}

function suppressed(email: NewEmail, hits: ReadonlyMap<string, Hit>): RecipientsSuppressed {
  const recipients = recipientsWith(email.addresses, (address) => {
    const parsed = parseAddress(address);
    const hit = parsed.ok ? hits.get(parsed.key) : undefined;
    return hit && { group: hit === 'listed' ? null : groupOf(email) };
  });
  return { kind: 'recipients_suppressed', recipients };
}
