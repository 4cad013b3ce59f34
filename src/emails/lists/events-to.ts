/**
 * Events of mail to one address, or sent with one API key, newest first. Events have no index by either, because every email
 * would pay for it three times. Emails have an index (see emails/lists/search-tokens.ts), which finds the emails of these events:
 *
 * - An address or a key with few emails: reads their events, wherever they are in the stream.
 * - One with many emails: scans the newest events first, because some are probably recent.
 * - Many emails, but no recent events: reads the events of all its emails, which takes longer the more there are.
 *
 * Every way finds the same events. The amount of matching mail decides, and mail of others does not affect the cost.
 */

import { adHoc, type Sql, Where } from '../../database/sql.ts';
import type { Stored } from '../../events/read.ts';
import {
  ID_LAG_MS,
  readStream,
  STREAM_COLUMNS,
  type StreamFilter,
  type StreamRow,
  streamConditions,
  streamPage,
} from '../../events/stream.ts';
import { uuidv7Floor, uuidv7Ms } from '../../runtime/ids.ts';
import { isBackfilling } from './search-backfill.ts';
import { searchTokens } from './search-tokens.ts';
import { hasRecipient, sentWithAmong } from './store-list.ts';

export interface EventFilter extends StreamFilter {
  readonly recipient: string | null;
  /** An API key. */
  readonly sentWith?: string | null;
}

/** Reading the events of this many emails takes milliseconds. */
const FEW_EMAILS = 1_000;
/** Scanning this many events takes milliseconds, too. */
const NEAR_EVENTS = 10_000;
/** The step of a scan in which each event's email must be looked up for its key. */
const NEAR_STEP = 1_000;

export async function readEvents(db: Sql, organizationId: string, filter: EventFilter): Promise<StreamRow[]> {
  const { recipient, sentWith = null, ...rest } = filter;
  if (recipient === null && sentWith === null) return readStream(db, organizationId, rest);
  const isKeyIndexed = sentWith !== null && !(await isBackfilling(db));
  const query = { organizationId, recipient, sentWith, isKeyIndexed, filter: rest };
  const emails = await someEmails(db, query, FEW_EMAILS + 1);
  if (emails.length <= FEW_EMAILS) return readOf(db, query, emails);
  const near = await (sentWith === null ? readNear(db, query) : readNearOfKey(db, query, sentWith));
  return near.length < filter.limit ? readOfAll(db, query) : near;
}

interface EventsQuery {
  readonly organizationId: string;
  readonly recipient: string | null;
  readonly sentWith: string | null;
  /** Whether all mail is in the index by key. */
  readonly isKeyIndexed: boolean;
  readonly filter: StreamFilter;
}

/** Any matching emails, in no particular order. */
async function someEmails(db: Sql, query: EventsQuery, limit: number): Promise<string[]> {
  const where = new Where();
  const text = `WITH found AS MATERIALIZED (${matchingEmails(query, where)}) SELECT id FROM found LIMIT ${where.param(limit)}`;
  const rows = await db.many(adHoc<{ id: string }>(text, { home: 'cell', organization: '$1' }), where.params);
  return rows.map(({ id }) => id).sort();
}

/** `emails` in ascending order, because the first and the last limit the weekly partitions. */
async function readOf(db: Sql, query: EventsQuery, emails: readonly string[]): Promise<StreamRow[]> {
  if (emails.length === 0) return [];
  const where = conditions(query);
  where.add('email_id = ANY (?::uuid[]) AND email_id BETWEEN ? AND ?', emails, emails[0], emails.at(-1));
  // Materialized: with a visible limit PostgreSQL prefers to scan the stream, in which these events may be far apart.
  const text = `WITH found AS MATERIALIZED (SELECT ${STREAM_COLUMNS} FROM events ${where})
    SELECT * FROM found ORDER BY id DESC LIMIT ${where.param(query.filter.limit)}`;
  return readPage(db, text, where, query.filter);
}

function readNear(db: Sql, { organizationId, recipient, filter }: EventsQuery): Promise<StreamRow[]> {
  const where = streamConditions(organizationId, filter);
  const newest = `SELECT ${STREAM_COLUMNS} FROM events ${where} ORDER BY id DESC LIMIT ${where.param(NEAR_EVENTS)}`;
  const text = `SELECT * FROM (${newest}) AS newest WHERE lower(recipient) = lower(${where.param(recipient)})
    ORDER BY id DESC LIMIT ${where.param(filter.limit)}`;
  return readPage(db, text, where, filter);
}

async function readPage(db: Sql, text: string, where: Where, filter: StreamFilter): Promise<StreamRow[]> {
  const statement = adHoc<Stored<StreamRow>>(text, { home: 'cell', organization: '$1' });
  return streamPage(await db.many(statement, where.params), filter);
}

/** In steps, by primary keys: for a single join, PostgreSQL prefers to read all emails of the organization. */
async function readNearOfKey(db: Sql, query: EventsQuery, keyId: string): Promise<StreamRow[]> {
  const { organizationId, recipient, filter } = query;
  const found: StreamRow[] = [];
  let { beforeId } = filter;
  for (let seen = 0; seen < NEAR_EVENTS && found.length < filter.limit; seen += NEAR_STEP) {
    const rows = await readStream(db, organizationId, { ...filter, beforeId, limit: NEAR_STEP });
    const theirs = await sentWithAmong(
      db,
      organizationId,
      rows.map((row) => row.email_id),
      keyId,
    );
    found.push(...rows.filter((row) => theirs.has(row.email_id) && isTo(recipient, row)));
    if (rows.length < NEAR_STEP) break;
    beforeId = rows.at(-1)?.id ?? beforeId;
  }
  return found.slice(0, filter.limit);
}

function isTo(recipient: string | null, row: StreamRow): boolean {
  return recipient === null || row.recipient.toLowerCase() === recipient.toLowerCase();
}

function readOfAll(db: Sql, query: EventsQuery): Promise<StreamRow[]> {
  const where = conditions(query).add('email_id = found.id');
  const text = `WITH found AS MATERIALIZED (${matchingEmails(query, where)})
    SELECT of_email.* FROM found
    CROSS JOIN LATERAL (SELECT ${STREAM_COLUMNS} FROM events ${where} OFFSET 0) AS of_email
    ORDER BY of_email.id DESC LIMIT ${where.param(query.filter.limit)}`;
  return readPage(db, text, where, query.filter);
}

function conditions({ organizationId, recipient, filter }: EventsQuery): Where {
  const where = streamConditions(organizationId, filter);
  return recipient === null ? where : where.add('lower(recipient) = lower(?)', recipient);
}

/** The events show whether the recipient matches. Unsettled mail is in no index by recipient or key. */
function matchingEmails(query: EventsQuery, where: Where): string {
  const { organizationId, recipient, sentWith, isKeyIndexed, filter } = query;
  const param = (value: unknown) => where.param(value);
  // The first parameter, as the statements declare.
  const owner = param(organizationId);
  const tokens = searchTokens(organizationId, {
    ...{ to: recipient, from: null, subject: null, tag: null },
    sentWith: isKeyIndexed ? sentWith : null,
  });
  const ofKey = sentWith === null ? '' : ` AND e.api_key_id = ${param(sentWith)}`;
  const all = `SELECT e.id FROM emails e
    WHERE e.organization_id = ${owner} AND e.id < ${param(uuidv7Floor(latestMs(filter)))}${ofKey}`;
  if (tokens.length === 0) return all;
  const wanted = `e.search @> ${param(`{${tokens.join(',')}}`)}::int4[]`;
  const unsettled = `${all} AND (e.status = 'queued' OR e.search IS NULL)`;
  const theirs =
    recipient === null
      ? unsettled
      : `${unsettled} AND (${wanted} OR e.search IS NULL AND ${hasRecipient(param(recipient))})`;
  return `${all} AND e.status <> 'queued' AND ${wanted} UNION ALL ${theirs}`;
}

/** No event precedes its email, except for small differences of clocks. */
function latestMs({ beforeId, toMs }: StreamFilter): number {
  const endMs = Math.min(beforeId === null ? LAST_MS : uuidv7Ms(beforeId), toMs ?? LAST_MS);
  return Math.min(endMs + ID_LAG_MS, LAST_MS);
}

/** The end of the time range of ids. */
const LAST_MS = 2 ** 48 - 1;
