/** Looks up the reasons why addresses are suppressed, in batches. Reads only. Not prepared; see suppressed.ts. */
import { type Sql, sql, unprepared } from '../database/sql.ts';
import type { AddressKey } from '../protocols/message/address.ts';
import { storedKey } from '../protocols/message/stored.ts';
import type { AddressOf, Reason } from './suppression.ts';

/** Registered, so that it is checked against the schema. */
const select = sql<{ key: string; reason: Reason }>(
  'suppressions.reasons',
  `SELECT asked.key, s.reason FROM unnest($2::text[]) AS asked(key)
   CROSS JOIN LATERAL (
     SELECT reason FROM suppressions s WHERE s.organization_id = $1 AND s.key = asked.key LIMIT 1
   ) AS s`,
  { home: 'cell', organization: '$1' },
);
const selectNow = unprepared(select);

/** By address key; addresses that are not suppressed are left out. */
export async function suppressionReasons(
  db: Sql,
  organizationId: string,
  keys: readonly AddressKey[],
): Promise<ReadonlyMap<AddressKey, Reason>> {
  if (keys.length === 0) return new Map();
  const rows = await db.many(selectNow, [organizationId, keys]);
  return new Map(rows.map((row) => [storedKey(row.key), row.reason]));
}

const selectOfMany = sql<{ index: number }>(
  'suppressions.of_many',
  `SELECT (asked.index - 1)::int AS index
   FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS asked(organization_id, key, index)
   CROSS JOIN LATERAL (
     SELECT FROM suppressions s WHERE s.organization_id = asked.organization_id AND s.key = asked.key LIMIT 1
   ) AS s`,
  { home: 'cell', organization: '$1' },
);
const selectOfManyNow = unprepared(selectOfMany);

/** The indexes of suppressed addresses, in any organizations. */
export async function suppressedOf(db: Sql, addresses: readonly AddressOf[]): Promise<ReadonlySet<number>> {
  if (addresses.length === 0) return new Set();
  const rows = await db.many(selectOfManyNow, [
    addresses.map(({ organizationId }) => organizationId),
    addresses.map(({ key }) => key),
  ]);
  return new Set(rows.map(({ index }) => index));
}
