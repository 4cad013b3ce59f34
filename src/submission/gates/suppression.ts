/** No email goes to an address its organization must not mail: one look-up for all recipients of the batch. */

import { groupOf, type NewEmail } from '../../emails/email.ts';
import type { Sql } from '../../kit/database/sql.ts';
import { parseAddress } from '../../kit/message/address.ts';
import type { Problem } from '../../kit/service-error.ts';
import { type HashAddress, type Hit, suppressedAmong } from '../../suppressions/suppressed.ts';

export interface RecipientsSuppressed {
  readonly kind: 'recipients_suppressed';
  readonly hits: ReadonlyMap<string, Hit>;
}

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
  return emails.map((_, index) => {
    const hits = refused.get(index);
    return hits === undefined ? null : { kind: 'recipients_suppressed', hits };
  });
}

/** Every place in the request that names a suppressed address; an address may be named more than once. */
export function suppressedFields({ hits }: RecipientsSuppressed, email: NewEmail): Problem[] {
  const { addresses } = email;
  return (['to', 'cc', 'bcc'] as const).flatMap((list) =>
    addresses[list].flatMap(({ email: address }, index) => {
      const parsed = parseAddress(address);
      const hit = parsed.ok ? hits.get(parsed.key) : undefined;
      if (hit === undefined) return [];
      return [{ field: `${list}[${index}].email`, message: `${address} ${wordsFor(hit, email)}` }];
    }),
  );
}

function wordsFor(hit: Hit, email: NewEmail): string {
  if (hit === 'listed') return 'is on the suppression list';
  return `has unsubscribed from the group \`${groupOf(email)}\``;
}
