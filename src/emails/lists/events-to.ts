/**
 * Events of mail to one address, newest first. Events have no index by recipient, because every email would pay for it
 * three times. Emails have one (see emails/lists/search-tokens.ts), and it says whose events to read:
 *
 * - An address that got few emails: theirs, wherever they lie in the stream.
 * - One that got many: most likely some are near, so the newest events are looked through first.
 * - Many, and none near: those of all its emails, which takes the longer the more there are.
 *
 * Each way finds the same; which one is taken depends on how much there is, and costs the same however much mail others
 * got.
 */

import {
  ID_LAG_MS,
  readStream,
  STREAM_COLUMNS,
  type StreamFilter,
  type StreamRow,
  streamConditions,
} from '../../events/stream.ts';
import { adHoc, type Sql, Where } from '../../kit/database/sql.ts';
import { uuidv7Floor, uuidv7Ms } from '../../kit/runtime/ids.ts';
import { tokensWanted } from './search-tokens.ts';
import { hasRecipient } from './store-list.ts';

export interface EventFilter extends StreamFilter {
  readonly recipient: string | null;
}

/** Reading the events of so many emails takes milliseconds. */
const FEW_EMAILS = 1_000;
/** So does looking through so many events. */
const NEAR_EVENTS = 10_000;

export async function readEvents(db: Sql, organizationId: string, filter: EventFilter): Promise<StreamRow[]> {
  const { recipient, ...rest } = filter;
  if (recipient === null) return readStream(db, organizationId, rest);
  const asked = { organizationId, recipient, filter: rest };
  const emails = await someEmailsTo(db, asked, FEW_EMAILS + 1);
  if (emails.length <= FEW_EMAILS) return readOf(db, asked, emails);
  const near = await readNear(db, asked);
  return near.length < filter.limit ? readOfAll(db, asked) : near;
}

interface Asked {
  readonly organizationId: string;
  readonly recipient: string;
  readonly filter: StreamFilter;
}

/** Any of them: they come in no order. */
async function someEmailsTo(db: Sql, asked: Asked, limit: number): Promise<string[]> {
  const where = new Where();
  const text = `WITH found AS MATERIALIZED (${emailsTo(asked, where)}) SELECT id FROM found LIMIT ${where.param(limit)}`;
  const rows = await db.many(adHoc<{ id: string }>(text), where.params);
  return rows.map(({ id }) => id).sort();
}

/** `emails` in ascending order: the first and the last say which weeks to look at. */
async function readOf(db: Sql, { organizationId, recipient, filter }: Asked, emails: readonly string[]) {
  if (emails.length === 0) return [];
  const where = streamConditions(organizationId, filter).add(TO, recipient);
  where.add('email_id = ANY (?::uuid[]) AND email_id BETWEEN ? AND ?', emails, emails[0], emails.at(-1));
  // Materialized: with the limit in sight PostgreSQL would rather walk the stream, and these may be far apart in it.
  const text = `WITH found AS MATERIALIZED (SELECT ${STREAM_COLUMNS} FROM events ${where})
    SELECT * FROM found ORDER BY id DESC LIMIT ${where.param(filter.limit)}`;
  return db.many(adHoc<StreamRow>(text), where.params);
}

function readNear(db: Sql, { organizationId, recipient, filter }: Asked): Promise<StreamRow[]> {
  const where = streamConditions(organizationId, filter);
  const newest = `SELECT ${STREAM_COLUMNS} FROM events ${where} ORDER BY id DESC LIMIT ${where.param(NEAR_EVENTS)}`;
  const text = `SELECT * FROM (${newest}) AS newest WHERE lower(recipient) = lower(${where.param(recipient)})
    ORDER BY id DESC LIMIT ${where.param(filter.limit)}`;
  return db.many(adHoc<StreamRow>(text), where.params);
}

function readOfAll(db: Sql, asked: Asked): Promise<StreamRow[]> {
  const { organizationId, recipient, filter } = asked;
  const where = streamConditions(organizationId, filter).add(TO, recipient).add('email_id = found.id');
  const text = `WITH found AS MATERIALIZED (${emailsTo(asked, where)})
    SELECT of_email.* FROM found
    CROSS JOIN LATERAL (SELECT ${STREAM_COLUMNS} FROM events ${where} OFFSET 0) AS of_email
    ORDER BY of_email.id DESC LIMIT ${where.param(filter.limit)}`;
  return db.many(adHoc<StreamRow>(text), where.params);
}

const TO = 'lower(recipient) = lower(?)';

/** Whether it is their recipient is seen in the events. What has not been settled is in no index by recipient. */
function emailsTo({ organizationId, recipient, filter }: Asked, where: Where): string {
  const param = (value: unknown) => where.param(value);
  const tokens = tokensWanted(organizationId, { to: recipient, from: null, subject: null, tag: null });
  const wanted = `e.search @> ${param(`{${tokens.join(',')}}`)}::int4[]`;
  const unindexed = `e.search IS NULL AND ${hasRecipient(param(recipient))}`;
  const all = `SELECT e.id FROM emails e
    WHERE e.organization_id = ${param(organizationId)} AND e.id < ${param(uuidv7Floor(latestMs(filter)))}`;
  return `${all} AND e.status <> 'queued' AND ${wanted}
    UNION ALL ${all} AND (e.status = 'queued' OR e.search IS NULL) AND (${wanted} OR ${unindexed})`;
}

/** Nothing happens to an email before there is one, but for clocks that differ a little. */
function latestMs({ beforeId, toMs }: StreamFilter): number {
  const endMs = Math.min(beforeId === null ? LAST_MS : uuidv7Ms(beforeId), toMs ?? LAST_MS);
  return Math.min(endMs + ID_LAG_MS, LAST_MS);
}

/** As much time as an id has room for. */
const LAST_MS = 2 ** 48 - 1;
