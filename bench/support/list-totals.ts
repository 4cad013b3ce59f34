/** The expected total of a list, from a full count without the API's counters and indexes. */

import type { Database } from '../../src/database/database.ts';
import { adHoc } from '../../src/database/sql.ts';
import { eventId } from '../../src/events/read.ts';

const BY: Readonly<Record<string, string>> = {
  status: 'e.status = ?',
  from_date: 'e.created_at >= ?::timestamptz',
  to_date: `e.created_at <= CASE WHEN length(?::text) = 10 THEN (?::text)::date + interval '1 day' - interval '1 ms'
                                 ELSE (?::text)::timestamptz END`,
  to: `EXISTS (SELECT FROM recipients r WHERE r.organization_id = e.organization_id AND r.email_id = e.id
               AND right(r.address, length(?::text)) = ?::text)`,
  from: 'right(e.from_email, length(?::text)) = ?::text',
  subject: 'strpos(lower(e.subject), lower(?)) > 0',
  batch_id: 'e.batch_id = ?',
  api_key_id: 'e.api_key_id = ?',
  tag: `EXISTS (SELECT FROM jsonb_array_elements(e.tags) AS t
                WHERE ?::text IN (t->>'name', (t->>'name') || ':' || (t->>'value')))`,
  search: `NOT EXISTS (SELECT FROM unnest(string_to_array(lower(?), ' ')) AS word
    WHERE strpos(lower(concat_ws(' ', e.subject, e.addresses->'to', e.metadata, e.id)), word) = 0)`,
};

const OTHERS: Readonly<Record<string, string>> = {
  reason: 'e.reason = ?',
  search: 'starts_with(lower(e.email), lower(?))',
};

export async function expectedTotal(db: Database, organizationId: string, path: string): Promise<number> {
  const [list = '', query = ''] = path.slice(1).split('?');
  const params: string[] = [organizationId];
  const conditions = ['e.organization_id = $1'];
  for (const [name, value] of new URLSearchParams(query)) {
    const condition = list === 'emails' ? BY[name] : list === 'suppressions' ? OTHERS[name] : undefined;
    if (condition === undefined) continue;
    params.push(value);
    conditions.push(condition.replaceAll('?', `$${params.length}`));
  }
  const text = `SELECT count(*) AS count FROM ${list} e WHERE ${conditions.join(' AND ')}`;
  return db.transaction(async (tx) => {
    await tx.exec(adHoc(`SET LOCAL TimeZone = 'UTC'`));
    await tx.exec(adHoc('SET LOCAL statement_timeout = 0'));
    return (await tx.one(adHoc<{ count: number }>(text), params)).count;
  });
}

/** The ids of the first page of events, from a walk over all of them. */
export async function expectedEvents(db: Database, organizationId: string, path: string): Promise<string[]> {
  const query = new URLSearchParams(path.split('?')[1] ?? '');
  const text = `SELECT id FROM events e WHERE e.organization_id = $1 AND ($2::text IS NULL OR e.recipient = $2)
      AND ($3::text IS NULL OR e.type = $3) AND ($4::text IS NULL OR e.created_at >= $4::timestamptz)
      AND ($5::text IS NULL OR e.created_at < ($5::text)::date + interval '1 day')
      AND ($6::text IS NULL OR EXISTS (SELECT FROM emails s WHERE s.organization_id = e.organization_id
                                       AND s.id = e.email_id AND s.api_key_id = $6))
    ORDER BY id DESC LIMIT 20`;
  const names = ['recipient', 'type', 'from_date', 'to_date', 'api_key_id'];
  return db.transaction(async (tx) => {
    await tx.exec(adHoc(`SET LOCAL TimeZone = 'UTC'`));
    await tx.exec(adHoc('SET LOCAL statement_timeout = 0'));
    const rows = await tx.many(adHoc<{ id: string }>(text), [
      organizationId,
      ...names.map((name) => query.get(name)),
    ]);
    return rows.map(({ id }) => eventId(id));
  });
}
