/**
 * Adds the missing search hashes to older mail, the newest first, a slice at a time. It owns `search_backfill`: one row with
 * the progress, which is deleted at the end.
 *
 * Several workers may try. The worker that locks the row processes a slice, and the row stores when the next slice is due, so
 * that nine tenths of the time are left to other work, however many workers there are. Emails are locked before they are read:
 * otherwise the index could bring back data that was erased in between.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../database/database.ts';
import { type Week, weeksBefore } from '../../database/partitions.ts';
import { type Sql, sql } from '../../database/sql.ts';
import { storedEmail } from '../../protocols/message/stored.ts';
import type { Addresses, Metadata, Tag } from '../email.ts';
import { OWN_TAGS, STREAM } from '../stream.ts';
import { idsOf } from './list-window.ts';
import { searchTokensOf } from './search-tokens.ts';

const EMAILS_PER_SLICE = 500;
/** A multiple of the slice's duration. */
const REST = 9;
const LEAST_REST_MS = 50;

interface Place {
  readonly week: string | null;
  readonly organization_id: string | null;
  readonly email_id: string | null;
}

interface EmailRow {
  readonly organization_id: string;
  readonly id: string;
  readonly from_email: string;
  readonly addresses: Addresses;
  readonly subject: string;
  readonly tags: readonly Tag[] | null;
  readonly stream: string | null;
  readonly metadata: Metadata | null;
  readonly template_id: string | null;
  readonly api_key_id: string | null;
  readonly search: readonly number[] | null;
}

const take = sql<Place>(
  'search_backfill.take',
  `SELECT week, organization_id, email_id FROM search_backfill WHERE due_at <= now() FOR UPDATE SKIP LOCKED`,
  { home: 'cell' },
);
const advance = sql(
  'search_backfill.advance',
  'UPDATE search_backfill SET week = $1, organization_id = $2, email_id = $3',
  { home: 'cell', organization: '$2' },
);
const rest = sql(
  'search_backfill.rest',
  `UPDATE search_backfill SET due_at = statement_timestamp() + make_interval(secs => $1::float8 / 1000)`,
  { home: 'cell' },
);
const finish = sql('search_backfill.finish', 'DELETE FROM search_backfill', { home: 'cell' });
const underWay = sql<{ found: boolean }>(
  'search_backfill.under_way',
  'SELECT EXISTS (SELECT FROM search_backfill) AS found',
  { home: 'cell' },
);

/** In the order of the primary key, in which settling locks emails, too. A slice starts at the row's position. */
const lockSlice = sql<EmailRow>(
  'emails.lock_to_index',
  `SELECT organization_id, id, from_email, addresses, subject, ${OWN_TAGS} AS tags, ${STREAM} AS stream,
     metadata, template_id, api_key_id, search
   FROM emails e
   WHERE id >= $1 AND id < $2 AND (organization_id, id) > ($3, $4::uuid)
   ORDER BY organization_id, id LIMIT $5 FOR NO KEY UPDATE`,
  { home: 'cell' },
);
const index = sql(
  'emails.index',
  `UPDATE emails e SET search = string_to_array(btrim(new.search, '{}'), ',')::int4[]
   FROM unnest($1::text[], $2::uuid[], $3::text[]) AS new(organization_id, id, search)
   WHERE e.organization_id = new.organization_id AND e.id = new.id AND e.id >= $4 AND e.id < $5`,
  { home: 'cell', organization: '$1' },
);

/** Runs until all is done, another worker has taken over, or the signal aborts. */
export async function backfillSearch(db: Database, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const restMs = await nextSlice(db);
    if (restMs === null) return;
    await pause(restMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Whether a search may soon find more of the existing mail. */
export async function isBackfilling(db: Sql): Promise<boolean> {
  return (await db.one(underWay)).found;
}

/** Returns the pause after the slice; null if nothing is left to do, or not now. */
async function nextSlice(db: Database): Promise<number | null> {
  const startedMs = performance.now();
  const isMore = await db.transaction(async (tx) => {
    const place = await tx.maybeOne(take);
    return place !== undefined && (await indexFrom(tx, place));
  });
  if (!isMore) return null;
  const restMs = Math.max(LEAST_REST_MS, REST * (performance.now() - startedMs));
  await db.exec(rest, [restMs]);
  return restMs + LEAST_REST_MS;
}

/**
 * Indexes the rest of a week, or a slice of it. True if more may be left. Weeks without mail, some of which were created in
 * advance, are skipped at once.
 */
async function indexFrom(tx: Sql, place: Place): Promise<boolean> {
  const weeks = (await weeksBefore(tx, Number.POSITIVE_INFINITY)).reverse();
  for (const [at, week] of weeks.entries()) {
    if (place.week !== null && week.name > place.week) continue;
    const rows = await lockedSlice(tx, week, week.name === place.week ? place : null);
    if (rows.length === 0) continue;
    await indexEach(tx, week, rows);
    const last = rows.length < EMAILS_PER_SLICE ? null : (rows.at(-1) as EmailRow);
    const next = last === null ? weeks[at + 1] : week;
    if (next === undefined) break;
    await tx.exec(advance, [next.name, last?.organization_id ?? null, last?.id ?? null]);
    return true;
  }
  await tx.exec(finish);
  return false;
}

function lockedSlice(tx: Sql, week: Week, after: Place | null): Promise<EmailRow[]> {
  const ids = idsIn(week);
  const from = [after?.organization_id ?? '', after?.email_id ?? ids.from];
  return tx.many(lockSlice, [ids.from, ids.before, ...from, EMAILS_PER_SLICE]);
}

async function indexEach(tx: Sql, week: Week, rows: readonly EmailRow[]): Promise<void> {
  const ids = idsIn(week);
  const changed = rows.map((row) => ({ row, tokens: tokensOf(row) })).filter(isChanged);
  await tx.exec(index, [
    changed.map(({ row }) => row.organization_id),
    changed.map(({ row }) => row.id),
    changed.map(({ tokens }) => `{${tokens.join(',')}}`),
    ids.from,
    ids.before,
  ]);
}

function idsIn({ startMs, endMs }: Week): { readonly from: string; readonly before: string } {
  return idsOf({ fromMs: startMs, beforeMs: endMs });
}

function tokensOf(row: EmailRow): number[] {
  return searchTokensOf({
    organizationId: row.organization_id,
    from: { email: storedEmail(row.from_email) },
    addresses: row.addresses,
    tags: row.tags,
    stream: row.stream,
    metadata: row.metadata,
    template: row.template_id === null ? null : { id: row.template_id },
    keyId: row.api_key_id,
    subject: row.subject,
  });
}

function isChanged({ row, tokens }: { readonly row: EmailRow; readonly tokens: readonly number[] }): boolean {
  const has = new Set(row.search);
  return row.search === null || tokens.length !== has.size || tokens.some((token) => !has.has(token));
}
