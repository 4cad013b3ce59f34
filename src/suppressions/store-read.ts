/** Reads suppressions for views: lists, totals and the export. Reads only. */
import type { ListPlace } from '../database/list-place.ts';
import { type Sql, sql, unprepared } from '../database/sql.ts';
import type { AddressKey } from '../protocols/message/address.ts';
import { ADDRESS_OF_GROUP } from './store.ts';
import type { EntryKey, EntryOf, ErasedKey, Reason, SuppressionRow } from './suppression.ts';

export const COLUMNS =
  's.id, s.email, s.reason, s.source, s.email_id, s.cause, s.unsubscribe_group, s.created_at';

/** The inner query uses only the index, so that skipped rows are never fetched. */
function pageBy(condition: string, order: 'ASC' | 'DESC'): string {
  return `SELECT ${COLUMNS}
   FROM (SELECT organization_id, id FROM suppressions
         WHERE organization_id = $1 ${condition} ORDER BY id ${order} LIMIT $2 OFFSET $3) AS page
   JOIN suppressions s ON s.organization_id = page.organization_id AND s.id = page.id
   ORDER BY s.id DESC`;
}

const page = {
  DESC: sql<SuppressionRow>('suppressions.page', pageBy('', 'DESC'), { home: 'cell', organization: '$1' }),
  ASC: sql<SuppressionRow>('suppressions.page_from_end', pageBy('', 'ASC'), {
    home: 'cell',
    organization: '$1',
  }),
};
const pageOfReason = {
  DESC: sql<SuppressionRow>('suppressions.page_of_reason', pageBy('AND reason = $4', 'DESC'), {
    home: 'cell',
    organization: '$1',
  }),
  ASC: sql<SuppressionRow>('suppressions.page_of_reason_from_end', pageBy('AND reason = $4', 'ASC'), {
    home: 'cell',
    organization: '$1',
  }),
};

const byAddress = sql<SuppressionRow>(
  'suppressions.by_address',
  `SELECT ${COLUMNS} FROM suppressions s WHERE s.organization_id = $1 AND s.key = $2`,
  { home: 'cell', organization: '$1' },
);

const ofAddress = sql<SuppressionRow>(
  'suppressions.of_address',
  `SELECT ${COLUMNS} FROM suppressions s WHERE s.organization_id = $1 AND s.key = $2
   UNION ALL
   SELECT ${COLUMNS} FROM suppressions s
   WHERE s.organization_id = $1 AND ${ADDRESS_OF_GROUP} = $2 AND s.unsubscribe_group IS NOT NULL
   ORDER BY id DESC`,
  { home: 'cell', organization: '$1' },
);

/**
 * Uses one of two indexes and stops after the shown rows, so that a search that matches half of the list is not
 * slower. In the `C` collation, texts with a prefix sort between the prefix and the prefix followed by the last
 * character.
 */
const search = sql<SuppressionRow>(
  'suppressions.search',
  `WITH found AS MATERIALIZED (
     (SELECT ${COLUMNS} FROM suppressions s
      WHERE s.organization_id = $1 AND lower(s.email) COLLATE "C" >= lower($2)
        AND lower(s.email) COLLATE "C" < lower($2) || chr(1114111) AND ($3::text IS NULL OR s.reason = $3) LIMIT $4)
     UNION
     (SELECT ${COLUMNS} FROM suppressions s
      WHERE s.organization_id = $1 AND reverse(lower(s.email)) COLLATE "C" >= reverse(lower($2))
        AND reverse(lower(s.email)) COLLATE "C" < reverse(lower($2)) || chr(1114111)
        AND ($3::text IS NULL OR s.reason = $3) LIMIT $4)
   )
   SELECT * FROM found ORDER BY id DESC LIMIT $4`,
  { home: 'cell', organization: '$1' },
);

const total = sql<{ count: number }>(
  'suppression_counts.total',
  `SELECT coalesce(sum(count), 0)::bigint AS count FROM suppression_counts
   WHERE organization_id = $1 AND ($2::text IS NULL OR reason = $2)`,
  { home: 'cell', organization: '$1' },
);

const after = sql<SuppressionRow>(
  'suppressions.after',
  `SELECT ${COLUMNS} FROM suppressions s WHERE s.organization_id = $1 AND s.id < $2 ORDER BY s.id DESC LIMIT $3`,
  { home: 'cell', organization: '$1' },
);

const byId = sql<SuppressionRow>(
  'suppressions.by_id',
  `SELECT ${COLUMNS} FROM suppressions s WHERE s.organization_id = $1 AND s.id = $2`,
  { home: 'cell', organization: '$1' },
);

/** Entries that stop all mail to their address. */
const FROM = {
  older: sql<SuppressionRow>('suppressions.older', besides('<', 'DESC'), {
    home: 'cell',
    organization: '$1',
  }),
  newer: sql<SuppressionRow>('suppressions.newer', besides('>', 'ASC'), { home: 'cell', organization: '$1' }),
};

function besides(than: '<' | '>', order: 'ASC' | 'DESC'): string {
  return `SELECT ${COLUMNS} FROM suppressions s
   WHERE s.organization_id = $1 AND s.unsubscribe_group IS NULL AND s.id ${than} $2
     AND ($3::text[] IS NULL OR s.reason = ANY ($3))
   ORDER BY s.id ${order} LIMIT $4`;
}

/** More than most searches find, and more than users read. */
const MAX_SEARCHED = 1_000;

const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Newest first. Reads from the nearer end of the list, so that the last page is as fast as the first. */
export function pageOfSuppressions(
  db: Sql,
  organizationId: string,
  reason: Reason | null,
  { limit, offset, total }: { readonly limit: number; readonly offset: number; readonly total: number },
): Promise<SuppressionRow[]> {
  const take = Math.min(limit, total - offset);
  const behind = total - offset - take;
  const order = behind < offset ? 'ASC' : 'DESC';
  const params = [organizationId, take, Math.min(offset, behind)];
  return reason === null ? db.many(page[order], params) : db.many(pageOfReason[order], [...params, reason]);
}

export async function countSuppressions(
  db: Sql,
  organizationId: string,
  reason: Reason | null,
): Promise<number> {
  return (await db.one(total, [organizationId, reason])).count;
}

export function findSuppressionById(db: Sql, organizationId: string, id: string) {
  return db.maybeOne(byId, [organizationId, id]);
}

/** The entries next to a given one, nearest first. Returns one more than requested when the list continues. */
export function suppressionsFrom(
  db: Sql,
  organizationId: string,
  reasons: readonly Reason[] | null,
  { after, before, limit }: ListPlace,
): Promise<SuppressionRow[]> {
  const statement = before === null ? FROM.older : FROM.newer;
  return db.many(statement, [organizationId, before ?? after ?? LAST_ID, reasons, limit + 1]);
}

/**
 * Entries whose address begins or ends with the text, newest first. Beyond MAX_SEARCHED matches, not necessarily the
 * newest.
 */
export function searchSuppressions(db: Sql, organizationId: string, text: string, reason: Reason | null) {
  return db.many(search, [organizationId, text, reason, MAX_SEARCHED]);
}

/** By the key of an entry, which includes its group if it has one. */
export function findByAddress(db: Sql, { organizationId, key }: EntryOf) {
  return db.maybeOne(byAddress, [organizationId, key]);
}

/** Entries that stop all mail to the address, and unsubscriptions from groups. Newest first. */
export function entriesOfAddress(
  db: Sql,
  { organizationId, key }: { readonly organizationId: string; readonly key: AddressKey | ErasedKey },
): Promise<SuppressionRow[]> {
  return db.many(ofAddress, [organizationId, key]);
}

/** Registered so that it is checked against the schema. */
const ofKeys = sql<SuppressionRow & { index: number }>(
  'suppressions.of_keys',
  `SELECT (asked.index - 1)::int AS index, found.*
   FROM unnest($2::text[]) WITH ORDINALITY AS asked(key, index)
   CROSS JOIN LATERAL (
     SELECT ${COLUMNS} FROM suppressions s WHERE s.organization_id = $1 AND s.key = asked.key LIMIT 1
   ) AS found
   ORDER BY asked.index`,
  { home: 'cell', organization: '$1' },
);
const ofKeysNow = unprepared(ofKeys);

/** The entries with these keys, each with the index of its key. */
export function entriesOfKeys(db: Sql, organizationId: string, keys: readonly EntryKey[]) {
  return db.many(ofKeysNow, [organizationId, keys]);
}

/** The next entries of the whole list, newest first; `lastId` is the last one read, null at the start. */
export function nextSuppressions(db: Sql, organizationId: string, lastId: string | null, limit: number) {
  return db.many(after, [organizationId, lastId ?? LAST_ID, limit]);
}
