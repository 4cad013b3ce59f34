/** Finds received mail by words. Reads only. */
import { hasSpelling, patternsFor } from '../database/spellings.ts';
import { adHoc, type Sql, sql, Where } from '../database/sql.ts';
import type { ReceivedRow } from './store-read.ts';

export type FoundReceived = Pick<
  ReceivedRow,
  'id' | 'received_at' | 'state' | 'from_email' | 'from_name' | 'subject'
>;

/** The newest mail that is compared one by one. */
const MAX_COMPARED = 50_000;

/** Mail that has all the words in its sender, its recipients or its subject: the newest, among the newest MAX_COMPARED. */
export function receivedWith(
  db: Sql,
  organizationId: string,
  words: readonly string[],
  limit: number,
): Promise<FoundReceived[]> {
  const where = new Where().add('m.organization_id = ?', organizationId);
  const texts = `concat_ws(' ', m.from_name, m.from_email, m.subject, array_to_string(m.recipients, ' '))`;
  for (const word of words) where.add(hasSpelling(texts, `${where.param(patternsFor(word))}::text[]`));
  const newest = `SELECT organization_id, id, received_at, state, from_email, from_name, subject, recipients
    FROM received_emails WHERE organization_id = $1 ORDER BY id DESC LIMIT ${where.param(MAX_COMPARED)}`;
  const text = `SELECT m.id, m.received_at, m.state, m.from_email, m.from_name, m.subject
    FROM (${newest}) AS m ${where} ORDER BY m.id DESC LIMIT ${where.param(limit)}`;
  return db.many(adHoc<FoundReceived>(text, { home: 'cell', organization: '$1' }), where.params);
}

const selectOlder = sql<{ found: boolean }>(
  'received.has_more_than',
  'SELECT EXISTS (SELECT FROM received_emails WHERE organization_id = $1 ORDER BY id DESC OFFSET $2) AS found',
  { home: 'cell', organization: '$1' },
);

/** Whether some mail is too old to be compared. */
export async function hasReceivedMore(db: Sql, organizationId: string): Promise<boolean> {
  return (await db.one(selectOlder, [organizationId, MAX_COMPARED])).found;
}
