/** Finds the emails that an address received. Reads only. */

import { type Sql, sql } from '../database/sql.ts';
import { searchTokens } from '../emails/lists/search-tokens.ts';

const HAS = `EXISTS (SELECT FROM recipients r WHERE r.organization_id = e.organization_id AND r.email_id = e.id
             AND lower(r.address) = lower($4))`;

/** Uses the index of settled deliveries and the short list of unsettled ones. */
const select = sql<{ id: string }>(
  'emails.of_address',
  `SELECT id FROM (
     SELECT e.id FROM emails e
     WHERE e.organization_id = $1 AND e.id > $2 AND e.status <> 'queued' AND e.search @> $3::int4[] AND ${HAS}
     UNION
     SELECT e.id FROM emails e
     WHERE e.organization_id = $1 AND e.id > $2 AND (e.status = 'queued' OR e.search IS NULL) AND ${HAS}
   ) AS found ORDER BY id LIMIT $5`,
  { home: 'cell', organization: '$1' },
);

export const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/** In the order of their ids, after the given one. */
export async function emailsOf(
  db: Sql,
  organizationId: string,
  email: string,
  after: string,
  limit: number,
): Promise<string[]> {
  const tokens = searchTokens(organizationId, { to: email, from: null, subject: null, tag: null });
  const rows = await db.many(select, [organizationId, after, tokens, email, limit]);
  return rows.map(({ id }) => id);
}
