/**
 * Which addresses must not be mailed, asked for many at once: one statement, however many recipients. Reads only.
 *
 * Neither statement is kept prepared. A plan made while the table was almost empty reads all of it for every address;
 * kept, it would go on doing so after an import has put a hundred thousand rows there, until PostgreSQL takes new
 * statistics. Planning again costs about a tenth of a millisecond per flush.
 */
import { adHoc, type Sql, sql } from '../../database/sql.ts';
import type { AddressOf } from './suppression.ts';

const ASKED = `unnest($1::text[], $2::text[], $3::text[])
  WITH ORDINALITY AS asked(organization_id, key, hashed, index)`;
/** Under the address itself, or under the hash that an erased one left. */
const SUPPRESSED = `(SELECT 1 AS hit FROM suppressions s
     WHERE s.organization_id || s.key = asked.organization_id || asked.key
   UNION ALL SELECT 1 FROM suppressions s
     WHERE s.organization_id || s.key = asked.organization_id || asked.hashed LIMIT 1)`;
const WAS_FULL = `(SELECT 1 AS hit FROM mailbox_failures m
   WHERE m.key = asked.key AND m.organization_id = asked.organization_id LIMIT 1)`;

/** What an erased address left in the list; null where nothing was ever erased. */
export type HashAddress = (address: AddressOf) => string | null;

const never: HashAddress = () => null;

/** Registered so that it is checked against the schema. */
const selectSuppressed = sql<{ index: number }>(
  'suppressions.among',
  `SELECT (asked.index - 1)::int AS index FROM ${ASKED} CROSS JOIN LATERAL ${SUPPRESSED} AS s`,
);

const selectStandings = sql<{ index: number; suppressed: boolean; was_full: boolean }>(
  'suppressions.standings',
  `SELECT (asked.index - 1)::int AS index, s.hit IS NOT NULL AS suppressed, m.hit IS NOT NULL AS was_full
   FROM ${ASKED}
   LEFT JOIN LATERAL ${SUPPRESSED} AS s ON true
   LEFT JOIN LATERAL ${WAS_FULL} AS m ON true
   WHERE s.hit IS NOT NULL OR m.hit IS NOT NULL`,
);

const suppressedNow = adHoc<{ index: number }>(selectSuppressed.text);
const standingsNow = adHoc<{ index: number; suppressed: boolean; was_full: boolean }>(selectStandings.text);

/** The places, in the list asked about, of those that are suppressed. */
export async function suppressedAmong(
  db: Sql,
  addresses: readonly AddressOf[],
  hash: HashAddress = never,
): Promise<ReadonlySet<number>> {
  const rows = await db.many(suppressedNow, columns(addresses, hash));
  return new Set(rows.map((row) => row.index));
}

export interface Standing {
  readonly suppressed: boolean;
  /** Failures because of a full mailbox are counted against it; see automatic.ts. */
  readonly mailboxWasFull: boolean;
}

const IN_GOOD_STANDING: Standing = { suppressed: false, mailboxWasFull: false };

/** In the order asked. */
export async function standingsOf(
  db: Sql,
  addresses: readonly AddressOf[],
  hash: HashAddress = never,
): Promise<readonly Standing[]> {
  const rows = await db.many(standingsNow, columns(addresses, hash));
  const found = new Map(rows.map((row) => [row.index, row]));
  return addresses.map((_, index) => {
    const row = found.get(index);
    return row ? { suppressed: row.suppressed, mailboxWasFull: row.was_full } : IN_GOOD_STANDING;
  });
}

function columns(
  addresses: readonly AddressOf[],
  hash: HashAddress,
): [string[], string[], (string | null)[]] {
  return [addresses.map((one) => one.organizationId), addresses.map((one) => one.key), addresses.map(hash)];
}
