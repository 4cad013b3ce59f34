/**
 * The one writer of `suppressions` and `suppression_counts`. They change in the same transaction; lists show the
 * count as their total.
 *
 * Rows are written in the order of their addresses, then counters in the order of their names, so that transactions
 * cannot deadlock and a counter is locked only just before the commit.
 */
import { columns } from '../database/call.ts';
import { type Sql, sql } from '../database/sql.ts';
import type { AddressKey } from '../protocols/message/address.ts';
import { storedKey } from '../protocols/message/stored.ts';
import type { ErasedEntry } from './erased-entry.ts';
import { recordSuppressionEvents, type SuppressionEventRow } from './suppressed.ts';
import {
  type AddressOf,
  createdAtMs,
  type EntryOf,
  entryKey,
  type NewSuppression,
  type Reason,
  type Source,
  type SuppressionRow,
} from './suppression.ts';

/** The address key inside the key of a group's entry, as in `suppressions_of_groups`. */
export const ADDRESS_OF_GROUP = 'left(s.key, -(length(s.unsubscribe_group) + 1))';

type StoredSuppression = SuppressionRow & {
  readonly organization_id: string;
  readonly key: string;
};

const COLUMNS =
  'organization_id, id, created_at, email, key, reason, source, email_id, cause, unsubscribe_group';

const insert = sql<StoredSuppression>(
  'suppressions.insert',
  `INSERT INTO suppressions (${COLUMNS})
   SELECT o, i, to_timestamp(created / 1000.0), e, k, r, s, from_email, c, g
   FROM unnest($1::text[], $2::uuid[], $3::float8[], $4::text[], $5::text[], $6::text[], $7::text[], $8::uuid[],
               $9::text[], $10::text[]) AS new(o, i, created, e, k, r, s, from_email, c, g)
   ORDER BY k, o
   ON CONFLICT ON CONSTRAINT suppressions_address DO NOTHING
   RETURNING ${COLUMNS}`,
  { home: 'cell', organization: '$1' },
);

/** A new decision replaces the reason and source and clears the email and cause that the old one came from. */
const replace = sql<StoredSuppression & { old_reason: Reason }>(
  'suppressions.replace',
  `WITH before AS MATERIALIZED (
     SELECT s.organization_id, s.id, s.reason AS old_reason, asked.r, asked.s
     FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS asked(o, k, r, s)
     JOIN suppressions s ON s.organization_id = asked.o AND s.key = asked.k
     WHERE s.reason <> asked.r OR s.source <> asked.s
     ORDER BY s.key, s.organization_id
     FOR UPDATE OF s
   )
   UPDATE suppressions SET reason = before.r, source = before.s, email_id = NULL, cause = NULL
   FROM before
   WHERE suppressions.organization_id = before.organization_id AND suppressions.id = before.id
   RETURNING suppressions.*, before.old_reason`,
  { home: 'cell', organization: '$1' },
);

const TOLD = 'organization_id, id, email, reason, source, email_id, unsubscribe_group';

const remove = sql<SuppressionEventRow>(
  'suppressions.delete',
  `DELETE FROM suppressions WHERE organization_id = $1 AND id = $2 RETURNING ${TOLD}`,
  { home: 'cell', organization: '$1' },
);

const removeFor = sql<SuppressionEventRow>(
  'suppressions.delete_for',
  `DELETE FROM suppressions
   WHERE organization_id = $1 AND key IN ($2, $3) AND reason = $4
   RETURNING ${TOLD}`,
  { home: 'cell', organization: '$1' },
);

const move = sql(
  'suppression_counts.move',
  `INSERT INTO suppression_counts (organization_id, reason, count)
   SELECT o, r, by FROM unnest($1::text[], $2::text[], $3::bigint[]) AS m(o, r, by)
   ORDER BY o, r
   ON CONFLICT (organization_id, reason) DO UPDATE SET count = suppression_counts.count + excluded.count`,
  { home: 'cell', organization: '$1' },
);

/** Adds entries for addresses without one, and returns them. Each address may be given only once. */
export async function addMissing(
  tx: Sql,
  entries: readonly NewSuppression[],
): Promise<readonly StoredSuppression[]> {
  if (entries.length === 0) return [];
  const added = await insertAll(tx, entries);
  await recordSuppressionEvents(tx, 'suppression.added', added);
  await moveCounts(tx, added.map(counted(1)));
  return added;
}

interface Put {
  readonly added: readonly StoredSuppression[];
  /** Without entries that had the same reason and source already. */
  readonly replaced: readonly StoredSuppression[];
}

/** Adds missing entries. Existing ones get the given reason and source where `replaces` returns true. */
export async function putAll(
  tx: Sql,
  entries: readonly NewSuppression[],
  replaces: (entry: NewSuppression) => boolean = () => true,
): Promise<Put> {
  if (entries.length === 0) return { added: [], replaced: [] };
  const added = await insertAll(tx, entries);
  const isNew = new Set(added.map(({ organization_id, key }) => `${organization_id} ${key}`));
  const rest = entries.filter((one) => !isNew.has(`${one.organizationId} ${one.key}`) && replaces(one));
  const replaced = rest.length === 0 ? [] : await replaceAll(tx, rest);
  await moveCounts(tx, [
    ...added.map(counted(1)),
    ...replaced.map(counted(1)),
    ...replaced.map((row) => ({ organizationId: row.organization_id, reason: row.old_reason, by: -1 })),
  ]);
  return { added, replaced };
}

/** The address, or undefined when the organization has no entry with this id. */
export async function removeOne(tx: Sql, organizationId: string, id: string): Promise<string | undefined> {
  const row = await tx.maybeOne(remove, [organizationId, id]);
  if (row === undefined) return undefined;
  await recordSuppressionEvents(tx, 'suppression.removed', [row]);
  await moveCounts(tx, [{ organizationId, reason: row.reason, by: -1 }]);
  return row.email;
}

const removeOfBounces = sql<SuppressionEventRow & { key: string; created_at: Date }>(
  'suppressions.delete_of_bounces',
  `DELETE FROM suppressions s USING unnest($2::text[], $3::uuid[]) AS bounced(key, email_id)
   WHERE s.organization_id = $1 AND s.key = bounced.key AND s.email_id = bounced.email_id
     AND s.source = 'automatic' AND s.reason IN ('hard_bounce', 'soft_bounce') AND s.created_at <= $4
   RETURNING s.*`,
  { home: 'cell', organization: '$1' },
);

/**
 * Removes entries that these bounces created automatically. Returns the addresses and when their entries were
 * created.
 */
export async function removeAutomatic(
  tx: Sql,
  organizationId: string,
  bounces: readonly { readonly key: AddressKey; readonly emailId: string }[],
  upTo: Date,
): Promise<{ readonly key: AddressKey; readonly since: Date }[]> {
  const rows = await tx.many(removeOfBounces, [organizationId, ...columns(bounces, 'key', 'emailId'), upTo]);
  await recordSuppressionEvents(tx, 'suppression.removed', rows);
  await moveCounts(
    tx,
    rows.map(({ reason }) => ({ organizationId, reason, by: -1 })),
  );
  return rows.map(({ key, created_at }) => ({ key: storedKey(key), since: created_at }));
}

/** Removes the address from the list and from that of the group, where the entry has exactly this reason. */
export async function removeAddress(
  tx: Sql,
  { organizationId, key }: AddressOf,
  reason: Reason,
  group: string | null = null,
): Promise<void> {
  const rows = await tx.many(removeFor, [organizationId, key, entryKey(key, group), reason]);
  await recordSuppressionEvents(tx, 'suppression.removed', rows);
  await moveCounts(
    tx,
    rows.map(() => ({ organizationId, reason, by: -1 })),
  );
}

const replaceKey = sql<{ reason: Reason }>(
  'suppressions.erase',
  `UPDATE suppressions s SET key = $3, email = $4, email_id = NULL, cause = NULL
   WHERE s.organization_id = $1 AND s.key = $2
     AND NOT EXISTS (SELECT FROM suppressions o WHERE o.organization_id = $1 AND o.key = $3)`,
  { home: 'cell', organization: '$1' },
);

const replaceGroupKeys = sql(
  'suppressions.erase_groups',
  `UPDATE suppressions s SET key = $3::text || ' ' || s.unsubscribe_group, email = $4, email_id = NULL, cause = NULL
   WHERE s.organization_id = $1 AND ${ADDRESS_OF_GROUP} = $2 AND s.unsubscribe_group IS NOT NULL
     AND NOT EXISTS (SELECT FROM suppressions o
                     WHERE o.organization_id = $1 AND o.key = $3::text || ' ' || s.unsubscribe_group)`,
  { home: 'cell', organization: '$1' },
);

const removeErased = sql<{ reason: Reason }>(
  'suppressions.erase_again',
  `DELETE FROM suppressions s
   WHERE s.organization_id = $1
     AND (s.key = $2 OR (${ADDRESS_OF_GROUP} = $2 AND s.unsubscribe_group IS NOT NULL))
   RETURNING reason`,
  { home: 'cell', organization: '$1' },
);

/**
 * Replaces an erased address by its hash in its entries; where an entry with the hash exists, the other is deleted.
 * True when the address had an entry.
 */
export async function replaceByHash(
  tx: Sql,
  { organizationId, key }: AddressOf,
  hashed: ErasedEntry,
): Promise<boolean> {
  const asked = [organizationId, key, hashed.key, hashed.email];
  const hidden = (await tx.exec(replaceKey, asked)) + (await tx.exec(replaceGroupKeys, asked));
  const rest = await tx.many(removeErased, [organizationId, key]);
  await moveCounts(
    tx,
    rest.map(({ reason }) => ({ organizationId, reason, by: -1 })),
  );
  return hidden + rest.length > 0;
}

function insertAll(tx: Sql, entries: readonly NewSuppression[]): Promise<StoredSuppression[]> {
  return tx.many(insert, [
    ...columns(entries, 'organizationId', 'id'),
    entries.map(createdAtMs),
    ...columns(entries, 'email', 'key', 'reason', 'source', 'emailId', 'cause', 'group'),
  ]);
}

function replaceAll(
  tx: Sql,
  entries: readonly (EntryOf & { readonly reason: Reason; readonly source: Source })[],
) {
  return tx.many(replace, [...columns(entries, 'organizationId', 'key', 'reason', 'source')]);
}

interface CountMove {
  readonly organizationId: string;
  readonly reason: Reason;
  readonly by: number;
}

function counted(by: number): (row: StoredSuppression) => CountMove {
  return (row) => ({ organizationId: row.organization_id, reason: row.reason, by });
}

async function moveCounts(tx: Sql, moves: readonly CountMove[]): Promise<void> {
  const sums = new Map<string, CountMove>();
  for (const one of moves) {
    const name = `${one.organizationId} ${one.reason}`;
    sums.set(name, { ...one, by: (sums.get(name)?.by ?? 0) + one.by });
  }
  const rows = [...sums.values()].filter((row) => row.by !== 0);
  if (rows.length === 0) return;
  await tx.exec(move, [...columns(rows, 'organizationId', 'reason', 'by')]);
}
