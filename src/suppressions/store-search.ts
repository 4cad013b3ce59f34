/** Finds suppressions by parts of their address, and of several addresses. Reads only. */
import { hasSpelling, patternsFor } from '../database/spellings.ts';
import { adHoc, type Sql, sql, Where } from '../database/sql.ts';
import type { AddressKey } from '../protocols/message/address.ts';
import { ADDRESS_OF_GROUP } from './store.ts';
import { COLUMNS } from './store-read.ts';
import type { SuppressionRow } from './suppression.ts';

/** The newest entries that are compared one by one: about 0.1 s. */
export const MAX_COMPARED = 200_000;

/** Entries whose address has all the words, the newest first, among the newest MAX_COMPARED of the list. */
export function suppressionsWith(
  db: Sql,
  organizationId: string,
  words: readonly string[],
  limit: number,
): Promise<SuppressionRow[]> {
  const where = new Where().add('s.organization_id = ?', organizationId);
  for (const word of words) where.add(hasSpelling('s.email', `${where.param(patternsFor(word))}::text[]`));
  const newest = `SELECT * FROM suppressions WHERE organization_id = $1 ORDER BY id DESC LIMIT ${where.param(MAX_COMPARED)}`;
  const text = `SELECT ${COLUMNS} FROM (${newest}) AS s ${where} ORDER BY s.id DESC LIMIT ${where.param(limit)}`;
  return db.many(adHoc<SuppressionRow>(text, { home: 'cell', organization: '$1' }), where.params);
}

export type KeyedSuppression = SuppressionRow & { readonly key: string };

const ofAddresses = sql<KeyedSuppression>(
  'suppressions.of_addresses',
  `SELECT s.key, ${COLUMNS} FROM suppressions s WHERE s.organization_id = $1 AND s.key = ANY ($2::text[])
   UNION ALL
   SELECT ${ADDRESS_OF_GROUP} AS key, ${COLUMNS} FROM suppressions s
   WHERE s.organization_id = $1 AND ${ADDRESS_OF_GROUP} = ANY ($2::text[]) AND s.unsubscribe_group IS NOT NULL
   ORDER BY id DESC LIMIT $3`,
  { home: 'cell', organization: '$1' },
);

/** Entries of these addresses, each with the key of its address, newest first. */
export function suppressionsOf(
  db: Sql,
  organizationId: string,
  keys: readonly AddressKey[],
  limit: number,
): Promise<KeyedSuppression[]> {
  return db.many(ofAddresses, [organizationId, keys, limit]);
}
