/**
 * Which addresses must not be mailed, asked for many at once: one statement, however many recipients. Reads only.
 *
 * No statement here is kept prepared. A plan made while the table was almost empty reads all of it for every address;
 * kept, it would go on doing so after an import has put a hundred thousand rows there, until PostgreSQL takes new
 * statistics. Planning again costs about a tenth of a millisecond per flush.
 */
import { adHoc, type Sql, type Statement, sql } from '../../database/sql.ts';
import type { AddressOf } from './suppression.ts';

const ASKED = `unnest($1::text[], $2::text[]) WITH ORDINALITY AS asked(organization_id, key, index)`;
const ASKED_TWICE = `unnest($1::text[], $2::text[], $3::text[])
  WITH ORDINALITY AS asked(organization_id, key, hashed, index)`;
const SUPPRESSED = `(SELECT 1 AS hit FROM suppressions s
   WHERE s.organization_id || s.key = asked.organization_id || asked.key LIMIT 1)`;
/** Under the address itself, or under the hash that an erased one left. */
const SUPPRESSED_OR_ERASED = `(SELECT 1 AS hit FROM suppressions s
     WHERE s.organization_id || s.key = asked.organization_id || asked.key
   UNION ALL SELECT 1 FROM suppressions s
     WHERE s.organization_id || s.key = asked.organization_id || asked.hashed LIMIT 1)`;
const WAS_FULL = `(SELECT 1 AS hit FROM mailbox_failures m
   WHERE m.key = asked.key AND m.organization_id = asked.organization_id LIMIT 1)`;

/** What an erased address left in the list; null where nothing was ever erased. */
export type HashAddress = (address: AddressOf) => string | null;

const never: HashAddress = () => null;

interface StandingRow {
  readonly index: number;
  readonly suppressed: boolean;
  readonly was_full: boolean;
}

const among = (asked: string, suppressed: string) =>
  `SELECT (asked.index - 1)::int AS index FROM ${asked} CROSS JOIN LATERAL ${suppressed} AS s`;
const standings = (asked: string, suppressed: string) =>
  `SELECT (asked.index - 1)::int AS index, s.hit IS NOT NULL AS suppressed, m.hit IS NOT NULL AS was_full
   FROM ${asked}
   LEFT JOIN LATERAL ${suppressed} AS s ON true
   LEFT JOIN LATERAL ${WAS_FULL} AS m ON true
   WHERE s.hit IS NOT NULL OR m.hit IS NOT NULL`;

/** Registered so that it is checked against the schema; planned anew each time. */
const unprepared = <Row>(name: string, text: string): Statement<Row> => adHoc<Row>(sql<Row>(name, text).text);

const AMONG = {
  plain: unprepared<{ index: number }>('suppressions.among', among(ASKED, SUPPRESSED)),
  hashed: unprepared<{ index: number }>(
    'suppressions.among_or_erased',
    among(ASKED_TWICE, SUPPRESSED_OR_ERASED),
  ),
};
const STANDINGS = {
  plain: unprepared<StandingRow>('suppressions.standings', standings(ASKED, SUPPRESSED)),
  hashed: unprepared<StandingRow>(
    'suppressions.standings_or_erased',
    standings(ASKED_TWICE, SUPPRESSED_OR_ERASED),
  ),
};

/** The places, in the list asked about, of those that are suppressed. */
export async function suppressedAmong(
  db: Sql,
  addresses: readonly AddressOf[],
  hash: HashAddress = never,
): Promise<ReadonlySet<number>> {
  const rows = await ask(db, AMONG, addresses, hash);
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
  const rows = await ask(db, STANDINGS, addresses, hash);
  const found = new Map(rows.map((row) => [row.index, row]));
  return addresses.map((_, index) => {
    const row = found.get(index);
    return row ? { suppressed: row.suppressed, mailboxWasFull: row.was_full } : IN_GOOD_STANDING;
  });
}

/** Where nothing was ever erased nothing is planned or looked up for it. */
function ask<Row>(
  db: Sql,
  statements: { readonly plain: Statement<Row>; readonly hashed: Statement<Row> },
  addresses: readonly AddressOf[],
  hash: HashAddress,
): Promise<Row[]> {
  const columns = [addresses.map((one) => one.organizationId), addresses.map((one) => one.key)];
  const hashes = addresses.map(hash);
  if (hashes.every((one) => one === null)) return db.many(statements.plain, columns);
  return db.many(statements.hashed, [...columns, hashes]);
}
