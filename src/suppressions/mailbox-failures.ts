/**
 * The one writer of `mailbox_failures`: deliveries that failed because the mailbox was full. A full mailbox is often
 * emptied again, so its address is suppressed only when it stays full. A successful delivery resets the count.
 */
import { type Sql, sql } from '../database/sql.ts';
import { storedKey } from '../protocols/message/stored.ts';
import { DAY_MS } from '../runtime/durations.ts';
import type { AddressOf } from './suppression.ts';

/** A mailbox is suppressed after this many failures, at least this far apart from first to last. */
const FAILURES_TO_SUPPRESS = 5;
const FAILING_FOR_MS = 14 * DAY_MS;
/** Counts older than this are dropped: the mailbox may have been emptied unnoticed. */
const FORGOTTEN_AFTER_DAYS = 90;

interface MailboxFailure extends AddressOf {
  readonly atMs: number;
}

interface CountedRow {
  organization_id: string;
  key: string;
  failures: number;
  first_at: Date;
  last_at: Date;
}

const IS_REMEMBERED = `excluded.first_at - m.last_at <= interval '${FORGOTTEN_AFTER_DAYS} days'`;

const count = sql<CountedRow>(
  'mailbox_failures.count',
  `INSERT INTO mailbox_failures AS m (organization_id, key, failures, first_at, last_at)
   SELECT o, k, count(*), to_timestamp(min(at) / 1000.0), to_timestamp(max(at) / 1000.0)
   FROM unnest($1::text[], $2::text[], $3::float8[]) AS new(o, k, at)
   GROUP BY o, k ORDER BY k, o
   ON CONFLICT (key, organization_id) DO UPDATE SET
     failures = excluded.failures + CASE WHEN ${IS_REMEMBERED} THEN m.failures ELSE 0 END,
     first_at = CASE WHEN ${IS_REMEMBERED} THEN least(m.first_at, excluded.first_at) ELSE excluded.first_at END,
     last_at = greatest(m.last_at, excluded.last_at)
   RETURNING organization_id, key, failures, first_at, last_at`,
  { home: 'cell', organization: '$1' },
);

const forget = sql(
  'mailbox_failures.delete',
  `DELETE FROM mailbox_failures m USING unnest($1::text[], $2::text[]) AS gone(o, k)
   WHERE m.key = gone.k AND m.organization_id = gone.o`,
  { home: 'cell', organization: '$1' },
);

const forgetStale = sql(
  'mailbox_failures.delete_stale',
  `DELETE FROM mailbox_failures WHERE last_at < to_timestamp($1::float8 / 1000.0) - $2 * interval '1 day'`,
  { home: 'cell' },
);

/** Counts these failures. Returns the mailboxes that have been full for too long, whose counts are deleted. */
export async function countFailures(tx: Sql, failures: readonly MailboxFailure[]): Promise<AddressOf[]> {
  if (failures.length === 0) return [];
  const rows = await tx.many(count, [...columns(failures), failures.map((one) => one.atMs)]);
  const full = rows
    .filter((row) => row.failures >= FAILURES_TO_SUPPRESS && lastedMs(row) >= FAILING_FOR_MS)
    .map((row) => ({ organizationId: row.organization_id, key: storedKey(row.key) }));
  await deleteMailboxFailures(tx, full);
  return full;
}

export async function deleteMailboxFailures(tx: Sql, mailboxes: readonly AddressOf[]): Promise<void> {
  if (mailboxes.length > 0) await tx.exec(forget, columns(mailboxes));
}

export async function deleteStaleMailboxFailures(db: Sql, nowMs: number): Promise<void> {
  await db.exec(forgetStale, [nowMs, FORGOTTEN_AFTER_DAYS]);
}

function lastedMs(row: CountedRow): number {
  return row.last_at.getTime() - row.first_at.getTime();
}

function columns(addresses: readonly AddressOf[]): [string[], string[]] {
  return [addresses.map((one) => one.organizationId), addresses.map((one) => one.key)];
}
