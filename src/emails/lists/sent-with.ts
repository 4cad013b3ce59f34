/** Finds which of some emails were sent with an API key. Reads only. */
import { type Sql, sql } from '../../database/sql.ts';
import { span } from '../outcomes.ts';

const selectAmong = sql<{ id: string }>(
  'emails.sent_with_among',
  `SELECT id FROM emails
   WHERE organization_id = $1 AND id = ANY ($2::uuid[]) AND id BETWEEN $3 AND $4 AND api_key_id = $5`,
  { home: 'cell', organization: '$1' },
);

export async function sentWithAmong(
  db: Sql,
  organizationId: string,
  emailIds: readonly string[],
  keyId: string,
): Promise<ReadonlySet<string>> {
  if (emailIds.length === 0) return new Set();
  const ids = [...new Set(emailIds)];
  const rows = await db.many(selectAmong, [organizationId, ids, ...span(ids), keyId]);
  return new Set(rows.map(({ id }) => id));
}
