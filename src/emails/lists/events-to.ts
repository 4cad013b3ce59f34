/**
 * Events of mail to one address, or sent with one API key, newest first. Events have no index by either, because every email
 * would pay for it three times. Emails have one (see emails/lists/search-tokens.ts), and it says whose events to read:
 *
 * - An address or a key with few emails: theirs, wherever they lie in the stream.
 * - One with many: most likely some are near, so the newest events are looked through first.
 * - Many, and none near: those of all its emails, which takes the longer the more there are.
 *
 * Each way finds the same; which one is taken depends on how much there is, and costs the same however much mail others
 * got.
 */

import { adHoc, type Sql, Where } from '../../database/sql.ts';
import {
  ID_LAG_MS,
  readStream,
  STREAM_COLUMNS,
  type StreamFilter,
  type StreamRow,
  streamConditions,
} from '../../events/stream.ts';
import { uuidv7Floor, uuidv7Ms } from '../../runtime/ids.ts';
import { isBackfilling } from './search-backfill.ts';
import { searchTokens } from './search-tokens.ts';
import { sentWithAmong } from './sent-with.ts';
import { hasRecipient } from './store-list.ts';

export interface EventFilter extends StreamFilter {
  readonly recipient: string | null;
  /** An API key. */
  readonly sentWith?: string | null;
}

/** Reading the events of so many emails takes milliseconds. */
const FEW_EMAILS = 1_000;
/** So does looking through so many events. */
const NEAR_EVENTS = 10_000;
/** Of which this many are asked about at a time, where only their emails say what they were sent with. */
const NEAR_STEP = 1_000;

export async function readEvents(db: Sql, organizationId: string, filter: EventFilter): Promise<StreamRow[]> {
  const { recipient, sentWith = null, ...rest } = filter;
  if (recipient === null && sentWith === null) return readStream(db, organizationId, rest);
  const isKeyIndexed = sentWith !== null && !(await isBackfilling(db));
  const asked = { organizationId, recipient, sentWith, isKeyIndexed, filter: rest };
  const emails = await someEmails(db, asked, FEW_EMAILS + 1);
  if (emails.length <= FEW_EMAILS) return readOf(db, asked, emails);
  const near = await (sentWith === null ? readNear(db, asked) : readNearOfKey(db, asked, sentWith));
  return near.length < filter.limit ? readOfAll(db, asked) : near;
}

interface Asked {
  readonly organizationId: string;
  readonly recipient: string | null;
  readonly sentWith: string | null;
  /** All mail is in the index by its key. */
  readonly isKeyIndexed: boolean;
  readonly filter: StreamFilter;
}

/** Any of them: they come in no order. */
async function someEmails(db: Sql, asked: Asked, limit: number): Promise<string[]> {
  const where = new Where();
  const text = `WITH found AS MATERIALIZED (${emailsAsked(asked, where)}) SELECT id FROM found LIMIT ${where.param(limit)}`;
  const rows = await db.many(adHoc<{ id: string }>(text, { home: 'cell', organization: '$1' }), where.params);
  return rows.map(({ id }) => id).sort();
}

/** `emails` in ascending order: the first and the last say which weeks to look at. */
async function readOf(db: Sql, asked: Asked, emails: readonly string[]) {
  if (emails.length === 0) return [];
  const where = conditions(asked);
  where.add('email_id = ANY (?::uuid[]) AND email_id BETWEEN ? AND ?', emails, emails[0], emails.at(-1));
  // Materialized: with the limit in sight PostgreSQL would rather walk the stream, and these may be far apart in it.
  const text = `WITH found AS MATERIALIZED (SELECT ${STREAM_COLUMNS} FROM events ${where})
    SELECT * FROM found ORDER BY id DESC LIMIT ${where.param(asked.filter.limit)}`;
  return db.many(adHoc<StreamRow>(text, { home: 'cell', organization: '$1' }), where.params);
}

function readNear(db: Sql, { organizationId, recipient, filter }: Asked): Promise<StreamRow[]> {
  const where = streamConditions(organizationId, filter);
  const newest = `SELECT ${STREAM_COLUMNS} FROM events ${where} ORDER BY id DESC LIMIT ${where.param(NEAR_EVENTS)}`;
  const text = `SELECT * FROM (${newest}) AS newest WHERE lower(recipient) = lower(${where.param(recipient)})
    ORDER BY id DESC LIMIT ${where.param(filter.limit)}`;
  return db.many(adHoc<StreamRow>(text, { home: 'cell', organization: '$1' }), where.params);
}

/** A step at a time, by primary keys: joined in one statement, PostgreSQL would rather read all emails of the organization. */
async function readNearOfKey(db: Sql, asked: Asked, keyId: string): Promise<StreamRow[]> {
  const { organizationId, recipient, filter } = asked;
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

function readOfAll(db: Sql, asked: Asked): Promise<StreamRow[]> {
  const where = conditions(asked).add('email_id = found.id');
  const text = `WITH found AS MATERIALIZED (${emailsAsked(asked, where)})
    SELECT of_email.* FROM found
    CROSS JOIN LATERAL (SELECT ${STREAM_COLUMNS} FROM events ${where} OFFSET 0) AS of_email
    ORDER BY of_email.id DESC LIMIT ${where.param(asked.filter.limit)}`;
  return db.many(adHoc<StreamRow>(text, { home: 'cell', organization: '$1' }), where.params);
}

/** What the events of an email have to be. */
function conditions({ organizationId, recipient, filter }: Asked): Where {
  const where = streamConditions(organizationId, filter);
  return recipient === null ? where : where.add('lower(recipient) = lower(?)', recipient);
}

/** Whether it is their recipient is seen in the events. What has not been settled is in no index by recipient or key. */
function emailsAsked(asked: Asked, where: Where): string {
  const { organizationId, recipient, sentWith, isKeyIndexed, filter } = asked;
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

/** Nothing happens to an email before there is one, but for clocks that differ a little. */
function latestMs({ beforeId, toMs }: StreamFilter): number {
  const endMs = Math.min(beforeId === null ? LAST_MS : uuidv7Ms(beforeId), toMs ?? LAST_MS);
  return Math.min(endMs + ID_LAG_MS, LAST_MS);
}

/** As much time as an id has room for. */
const LAST_MS = 2 ** 48 - 1;
