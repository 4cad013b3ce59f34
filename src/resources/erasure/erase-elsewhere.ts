/** What names an address outside of the emails sent to it: lists, stored answers, the log of who did what. */
import { type Sql, sql } from '../../database/sql.ts';
import { replaceByHash } from '../suppressions/store.ts';
import type { AddressOf } from '../suppressions/suppression.ts';
import type { Erasing } from './erase-emails.ts';

const removeFailures = sql(
  'mailbox_failures.erase',
  'DELETE FROM mailbox_failures WHERE key = $2 AND organization_id = $1',
);

/** With the organization, a pattern that finds the address in any case, and what stands in its place. */
const REPLACEMENTS = [
  sql(
    'idempotency_keys.erase',
    `UPDATE idempotency_keys SET answer = regexp_replace(answer::text, $2, $3, 'gi')::jsonb
     WHERE organization_id = $1 AND answer::text ~* $2`,
  ),
  sql(
    'suppression_imports.erase',
    `UPDATE suppression_imports SET payload = regexp_replace(payload, $2, $3, 'gi'),
       errors = regexp_replace(errors::text, $2, $3, 'gi')::jsonb
     WHERE organization_id = $1 AND (payload ~* $2 OR errors::text ~* $2)`,
  ),
  sql(
    'audit_log.erase',
    `UPDATE audit_log SET target_name = regexp_replace(target_name, $2, $3, 'gi'),
       details = regexp_replace(details::text, $2, $3, 'gi')::jsonb
     WHERE organization_id = $1 AND (target_name ~* $2 OR details::text ~* $2)`,
  ),
];

export async function eraseElsewhere(
  tx: Sql,
  { organizationId, email, shownAs }: Erasing,
  address: AddressOf,
  hashedKey: string,
): Promise<void> {
  await replaceByHash(tx, address, { key: hashedKey, email: shownAs });
  await tx.exec(removeFailures, [organizationId, address.key]);
  const pattern = email.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  for (const statement of REPLACEMENTS) await tx.exec(statement, [organizationId, pattern, shownAs]);
}
