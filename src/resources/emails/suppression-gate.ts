/** No email goes to an address its organization must not mail: one look-up for all recipients of the batch. */
import type { Sql } from '../../database/sql.ts';
import type { Problem } from '../../http/errors.ts';
import { parseAddress } from '../../message/address.ts';
import { type HashAddress, suppressedAmong } from '../suppressions/suppressed.ts';
import type { NewEmail } from './email.ts';

export interface RecipientsSuppressed {
  readonly kind: 'recipients_suppressed';
  readonly keys: ReadonlySet<string>;
}

export async function suppressionGate(
  tx: Sql,
  emails: readonly NewEmail[],
  hash?: HashAddress,
): Promise<(RecipientsSuppressed | null)[]> {
  const asked = emails.flatMap((email, index) =>
    email.recipients.map(({ key }) => ({ organizationId: email.organizationId, key, index })),
  );
  const refused = new Map<number, Set<string>>();
  for (const place of await suppressedAmong(tx, asked, hash)) {
    const { index, key } = asked[place] as (typeof asked)[number];
    refused.set(index, (refused.get(index) ?? new Set()).add(key));
  }
  return emails.map((_, index) => {
    const keys = refused.get(index);
    return keys === undefined ? null : { kind: 'recipients_suppressed', keys };
  });
}

/** Every place in the request that names a suppressed address; an address may be named more than once. */
export function suppressedFields({ keys }: RecipientsSuppressed, { addresses }: NewEmail): Problem[] {
  return (['to', 'cc', 'bcc'] as const).flatMap((list) =>
    addresses[list].flatMap(({ email }, index) => {
      const parsed = parseAddress(email);
      if (!parsed.ok || !keys.has(parsed.key)) return [];
      return [{ field: `${list}[${index}].email`, message: `${email} is on the suppression list` }];
    }),
  );
}
