/** The statements of the list of emails: counts, pages, and marks for finding a position. Reads only. */

import { hasSpelling, patternsFor } from '../../database/spellings.ts';
import { adHoc, likeText, type Sql, sql, Where } from '../../database/sql.ts';
import type { EmailAddress } from '../../protocols/message/address.ts';
import type { Reach } from '../../runtime/permissions.ts';
import { utcDay } from '../../runtime/timestamp.ts';
import { type Addresses, RECIPIENTS } from '../email.ts';
import { span } from '../outcomes.ts';
import { STATE_CONDITIONS } from '../states.ts';
import type { EmailStatus, SpecialState } from '../status.ts';
import { STREAM_TAG, TRANSACTIONAL } from '../stream.ts';
import { hasTag, parseTagFilter, type TagFilter, tagsContaining } from '../tag-filter.ts';
import { idsOf, type Span } from './list-window.ts';
import { searchTokens } from './search-tokens.ts';
import { hasWord, isIndexedUnder, type SearchWord } from './search-words.ts';

export interface EmailItemRow {
  id: string;
  subject: string;
  status: EmailStatus;
  priority: number;
  created_at: Date;
  updated_at: Date;
  scheduled_at: Date | null;
  from_email: EmailAddress;
  from_name: string | null;
  addresses: Addresses;
}

export interface EmailFilter {
  /** One of these; null for any. */
  readonly statuses: readonly EmailStatus[] | null;
  readonly state: SpecialState | null;
  /** Milliseconds, both inclusive. */
  readonly fromMs: number | null;
  readonly toMs: number | null;
  /** A whole address, or `@` and a domain; case-insensitive. */
  readonly to: string | null;
  readonly from: string | null;
  /** Any part of the subject, case-insensitive. */
  readonly subject: string | null;
  readonly batchId: string | null;
  readonly tag: TagFilter | null;
  readonly stream: string | null;
  /** The API key that submitted it. */
  readonly sentWith: string | null;
  /** Whether all mail is in the index by key. Until then the emails are scanned for the key. */
  readonly isKeyIndexed?: boolean;
  /** Words that must all occur in the email. */
  readonly search: readonly SearchWord[] | null;
}

/**
 * Restricts the filter to the caller's reach; null if nothing can match. A key that is restricted to a domain searches by
 * sender domain.
 */
export function withinReach(
  filter: EmailFilter,
  { sentWith, domain }: Pick<Reach, 'sentWith' | 'domain'>,
): EmailFilter | null {
  if (sentWith !== null && filter.sentWith !== null && filter.sentWith !== sentWith) return null;
  const own = sentWith === null ? filter : { ...filter, sentWith };
  if (domain === null) return own;
  const all = `@${domain}`;
  if (own.from === null) return { ...own, from: all };
  return own.from.toLowerCase().endsWith(all) ? own : null;
}

/** Whether the filter needs more than the counters have. */
export function isSearch(filter: EmailFilter): boolean {
  const { state, to, from, subject, batchId, tag, stream, sentWith, search } = filter;
  return [state, to, from, subject, batchId, tag, stream, sentWith, search].some((asked) => asked !== null);
}

/** The search index, or a scan of the emails. Both find the same. */
export type Access = 'index' | 'walk';

/** The matches on each day of a span; days without any are left out. */
export async function countPerDay(
  db: Sql,
  organizationId: string,
  filter: EmailFilter,
  span: Span,
  by: Access,
): Promise<Map<string, number>> {
  const where = conditions(organizationId, filter, span);
  const found =
    by === 'walk' ? walk(where, 'e.created_at') : foundBy(organizationId, filter, where, 'e.created_at');
  // date_bin is plain arithmetic. With time zones and text, the conversion of every match took as long as the search.
  const rows = await db.many(
    adHoc<{ day: Date; count: number }>(
      `SELECT date_bin('1 day', created_at, '2000-01-01 00:00:00Z') AS day, count(*) AS count
       FROM (${found}) AS found GROUP BY 1`,
      { home: 'cell', organization: '$1' },
    ),
    where.params,
  );
  return new Map(rows.map(({ day, count }) => [utcDay(day.getTime()), count]));
}

/** Counts emails of a status in a span with an index-only scan. */
export async function countWithin(
  db: Sql,
  organizationId: string,
  filter: EmailFilter,
  span: Span,
): Promise<number> {
  const where = conditions(organizationId, filter, span);
  const text = `SELECT count(*) AS count FROM emails e ${where}`;
  return (await db.one(adHoc<{ count: number }>(text, { home: 'cell', organization: '$1' }), where.params))
    .count;
}

interface PageQuery extends Span {
  /** Only emails older than this one. */
  readonly beforeId: string | null;
  /** Only emails newer than this one. */
  readonly afterId?: string | null;
  readonly order: 'newest first' | 'oldest first';
  readonly offset: number;
  readonly limit: number;
  readonly by: Access;
}

const ITEM =
  'e.id, e.subject, e.status, e.priority, e.created_at, e.updated_at, e.scheduled_at, e.from_email, e.from_name, e.addresses';

export function selectPage(
  db: Sql,
  organizationId: string,
  filter: EmailFilter,
  page: PageQuery,
): Promise<EmailItemRow[]> {
  const where = conditions(organizationId, filter, page);
  if (page.beforeId !== null) where.add('e.id < ?', page.beforeId);
  if (page.afterId != null) where.add('e.id > ?', page.afterId);
  // Materialized: with a visible limit PostgreSQL prefers to scan, and the next rare match may be far away.
  const source =
    page.by === 'walk'
      ? walk(where, ITEM)
      : `WITH found AS MATERIALIZED (${foundBy(organizationId, filter, where, ITEM)}) SELECT ${ITEM} FROM found e`;
  const direction = page.order === 'newest first' ? 'DESC' : 'ASC';
  const text = `${source} ORDER BY e.id ${direction} LIMIT ${where.param(page.limit)} OFFSET ${where.param(page.offset)}`;
  return db.many(adHoc<EmailItemRow>(text, { home: 'cell', organization: '$1' }), where.params);
}

/** The newest matches among the newest emails. */
export function selectAmongNewest(
  db: Sql,
  organizationId: string,
  filter: EmailFilter,
  { among, limit }: { readonly among: number; readonly limit: number },
): Promise<EmailItemRow[]> {
  const where = conditions(organizationId, filter, { fromMs: 0, beforeMs: 2 ** 48 - 1 });
  const newest = `SELECT * FROM emails WHERE organization_id = $1 ORDER BY id DESC LIMIT ${where.param(among)}`;
  const text = `SELECT ${ITEM} FROM (${newest}) AS e ${where} ORDER BY e.id DESC LIMIT ${where.param(limit)}`;
  return db.many(adHoc<EmailItemRow>(text, { home: 'cell', organization: '$1' }), where.params);
}

export interface Person {
  readonly email: EmailAddress;
  readonly name: string | null;
}

/** More matching emails of a span are not read: the words are too common to name somebody. */
const MAX_READ_FOR_PEOPLE = 20_000;

/** Recipients of matching emails whose name or address has all the words, each once. */
export function selectPeople(
  db: Sql,
  organizationId: string,
  filter: EmailFilter,
  { words, limit, ...span }: Span & { readonly words: readonly string[]; readonly limit: number },
): Promise<Person[]> {
  const where = conditions(organizationId, filter, span);
  const found = `SELECT * FROM (${foundBy(organizationId, filter, where, 'e.addresses')}) AS e LIMIT ${where.param(MAX_READ_FOR_PEOPLE)}`;
  const has = words.map((word) =>
    hasSpelling("concat_ws(' ', r->>'name', r->>'email')", `${where.param(patternsFor(word))}::text[]`),
  );
  const text = `SELECT DISTINCT ON (lower(r->>'email')) r->>'email' AS email, r->>'name' AS name
    FROM (${found}) AS e CROSS JOIN LATERAL jsonb_array_elements(${RECIPIENTS}) AS r
    WHERE ${has.join(' AND ')} ORDER BY lower(r->>'email'), r->>'name' LIMIT ${where.param(limit)}`;
  return db.many(adHoc<Person>(text, { home: 'cell', organization: '$1' }), where.params);
}

/** Every `every`th match of a span, newest first. */
export async function selectMarks(
  db: Sql,
  organizationId: string,
  filter: EmailFilter,
  span: Span,
  every: number,
): Promise<string[]> {
  const where = conditions(organizationId, filter, span);
  const rows = await db.many(
    adHoc<{ id: string }>(
      `SELECT id FROM (SELECT e.id, row_number() OVER (ORDER BY e.id DESC) AS place FROM emails e ${where}) AS placed
       WHERE place % ${where.param(every)} = 0 ORDER BY id DESC`,
      { home: 'cell', organization: '$1' },
    ),
    where.params,
  );
  return rows.map(({ id }) => id);
}

/** Finds matches through the index. Unsettled mail is not in the index and is checked one by one. */
function foundBy(organizationId: string, filter: EmailFilter, where: Where, columns: string): string {
  const tokens = searchTokens(organizationId, filter.isKeyIndexed ? filter : { ...filter, sentWith: null });
  const all = walk(where, columns);
  const words = filter.search ?? [];
  if (tokens.length + words.length === 0 || filter.batchId !== null || isQueuedOnly(filter)) return all;
  const found = words.map((word) => isIndexedUnder(where, organizationId, word));
  if (tokens.length > 0) found.push(`e.search @> ${where.param(`{${tokens.join(',')}}`)}::int4[]`);
  return `${all} AND e.status <> 'queued' AND ${found.join(' AND ')}
    UNION ALL ${all} AND (e.status = 'queued' OR e.search IS NULL)`;
}

function isQueuedOnly({ statuses }: EmailFilter): boolean {
  return statuses?.every((status) => status === 'queued') ?? false;
}

function walk(where: Where, columns: string): string {
  return `SELECT ${columns} FROM emails e ${where}`;
}

const FIRST_RECIPIENT = `e.addresses->'to'->0->>'email'`;

/** A condition: one recipient of the email `e` is `address`, a placeholder. */
export function hasRecipient(address: string): string {
  return recipientWhere(`lower(r->>'email') = lower(${address})`);
}

function recipientWhere(match: string): string {
  return `EXISTS (SELECT FROM jsonb_array_elements(${RECIPIENTS}) AS r WHERE ${match})`;
}

function conditions(organizationId: string, filter: EmailFilter, span: Span): Where {
  const { from, before } = idsOf(span);
  const where = new Where().add('e.organization_id = ?', organizationId);
  where.add('e.id >= ?', from).add('e.id < ?', before);
  if (filter.statuses !== null) addStatuses(where, filter.statuses);
  // Uses the index of rare events: few emails get complaints, and checking every email would take long.
  if (filter.state === 'complained')
    where.add(
      `e.id = ANY (ARRAY(SELECT email_id FROM events
                         WHERE organization_id = ? AND type = 'complained' AND email_id >= ? AND email_id < ?))`,
      ...[organizationId, from, before],
    );
  else if (filter.state !== null) where.add(STATE_CONDITIONS[filter.state]);
  if (filter.from !== null) where.add(comparison(where, filter.from)('e.from_email'));
  if (filter.subject !== null) where.add('e.subject ILIKE ?', `%${likeText(filter.subject)}%`);
  if (filter.batchId !== null) where.add('e.batch_id = ?', filter.batchId);
  if (filter.sentWith !== null) where.add('e.api_key_id = ?', filter.sentWith);
  if (filter.tag !== null) addTag(where, filter.tag);
  if (filter.stream !== null) addStream(where, filter.stream);
  if (filter.to !== null) {
    const matches = comparison(where, filter.to);
    // Most emails have one recipient, and comparing one takes a quarter of the time of a list.
    where.add(`${matches(FIRST_RECIPIENT)} OR ${recipientWhere(matches(`r->>'email'`))}`);
  }
  for (const word of filter.search ?? []) where.add(hasWord(where, organizationId, word));
  return where;
}

/** A single status is compared directly, so that the plan is that of the index by status. */
function addStatuses(where: Where, statuses: readonly EmailStatus[]): void {
  if (statuses.length === 1) where.add('e.status = ?', statuses[0]);
  else where.add('e.status = ANY (?)', statuses);
}

function addTag(where: Where, tag: TagFilter): void {
  if (tag.name !== STREAM_TAG) where.add('e.tags @> ?::jsonb', tagsContaining(tag));
  else if (tag.value !== null) addStream(where, tag.value);
  else where.add('e.stream IS NOT NULL OR e.tags @> ?::jsonb', tagsContaining(tag));
}

/** Mail accepted before the column has the stream as a tag. */
function addStream(where: Where, stream: string): void {
  const tag = (value: string | null) => tagsContaining({ name: STREAM_TAG, value });
  if (stream === TRANSACTIONAL) where.add('e.stream IS NULL AND (e.tags @> ?::jsonb) IS NOT TRUE', tag(null));
  else where.add('e.stream = ? OR e.tags @> ?::jsonb', stream, tag(stream));
}

/**
 * Compares a column with an address, or with `@` and a domain: the domain of an `EmailAddress` is in lower case. PostgreSQL
 * lower-cases both sides, because its rules may differ from JavaScript's with the database's locale. Lower-casing is slow, so
 * it is only used if a plain comparison fails.
 */
function comparison(where: Where, wanted: string): (column: string) => string {
  if (wanted.startsWith('@')) {
    const pattern = where.param(`%${likeText(wanted)}`);
    return (column) => `${column} LIKE lower(${pattern})`;
  }
  const address = where.param(wanted);
  return (column) => `${column} = ${address} OR lower(${column}) = lower(${address})`;
}

/** Unsettled mail is in no index by tag. */
const selectUsed = sql<{ used: boolean }>(
  'emails.is_tag_used',
  `SELECT EXISTS (SELECT FROM emails e WHERE e.organization_id = $1 AND e.status <> 'queued'
                    AND e.search @> $2::int4[] AND ${hasTag('$3::text')})
       OR EXISTS (SELECT FROM emails e WHERE e.organization_id = $1 AND (e.status = 'queued' OR e.search IS NULL)
                    AND ${hasTag('$3::text')}) AS used`,
  { home: 'cell', organization: '$1' },
);

/** `text`: a tag as `name` or `name:value`. */
export async function isTagUsed(db: Sql, organizationId: string, text: string): Promise<boolean> {
  const tag = parseTagFilter(text);
  const tokens = searchTokens(organizationId, { tag, to: null, from: null, subject: null });
  return (await db.one(selectUsed, [organizationId, `{${tokens.join(',')}}`, text])).used;
}

const selectAmong = sql<{ id: string }>(
  'emails.sent_with_among',
  `SELECT id FROM emails
   WHERE organization_id = $1 AND id = ANY ($2::uuid[]) AND id BETWEEN $3 AND $4 AND api_key_id = $5`,
  { home: 'cell', organization: '$1' },
);

/** Finds which of some emails were sent with an API key. Reads only. */
export async function sentWithAmong(
  db: Sql,
  organizationId: string,
  emailIds: readonly string[],
  keyId: string,
): Promise<ReadonlySet<string>> {
  if (emailIds.length === 0) return new Set();
  const ids = [...new Set(emailIds)];
  const rows = await db.many(selectAmong, [organizationId, ids, ...span(ids), keyId]);
  return new Set(rows.map(({ id }) => id));
}
