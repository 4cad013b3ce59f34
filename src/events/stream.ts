/** All events of an organization as one stream, newest first. Reads only. */
import { adHoc, type Sql, Where } from '../database/sql.ts';
import { DAY_MS } from '../runtime/durations.ts';
import { uuidv7Floor } from '../runtime/ids.ts';
import type { EventType } from './append.ts';
import { type EventRow, eventView, type Stored } from './read.ts';
import { newestEventsOf } from './started.ts';

export interface StreamRow extends EventRow {
  email_id: string;
}

export const STREAM_COLUMNS = `id, type, position, recipient, mx_host, smtp_code, smtp_message, enhanced_code, reason, attempt, tls,
  tls_certificate, next_attempt_at, user_agent, url, hold, created_at, started_at, email_id`;

export interface StreamFilter {
  /** The id of the last event of the previous page. */
  readonly beforeId: string | null;
  readonly type: EventType | null;
  /** Both ends inclusive. */
  readonly fromMs: number | null;
  readonly toMs: number | null;
  readonly limit: number;
}

/** The longest time between an event and the creation of its id. */
export const ID_LAG_MS = DAY_MS;

export async function readStream(
  db: Sql,
  organizationId: string,
  filter: StreamFilter,
): Promise<StreamRow[]> {
  const where = streamConditions(organizationId, filter);
  const text = `SELECT ${STREAM_COLUMNS} FROM events ${where} ORDER BY id DESC LIMIT ${where.param(filter.limit)}`;
  return streamPage(
    await db.many(adHoc<Stored<StreamRow>>(text, { home: 'cell', organization: '$1' }), where.params),
    filter,
  );
}

/**
 * The newest events of rows that `streamConditions` found, newest first. Each of these rows has at least one event that matches the
 * filter, so as many rows as the filter's limit are enough.
 */
export function streamPage(rows: readonly Stored<StreamRow>[], filter: StreamFilter): StreamRow[] {
  const { beforeId, type, fromMs, toMs, limit } = filter;
  const isWanted = (event: StreamRow) =>
    (beforeId === null || event.id < beforeId) &&
    (type === null || event.type === type) &&
    (fromMs === null || event.created_at.getTime() >= fromMs) &&
    (toMs === null || event.created_at.getTime() <= toMs);
  return newestEventsOf(rows).filter(isWanted).slice(0, limit);
}

/** Counts the reasons of events, up to the filter's limit. */
export function countReasons(
  db: Sql,
  organizationId: string,
  filter: StreamFilter,
): Promise<{ reason: string | null; count: number }[]> {
  const where = streamConditions(organizationId, filter);
  const found = `SELECT reason FROM events ${where} LIMIT ${where.param(filter.limit)}`;
  const text = `SELECT reason, count(*) AS count FROM (${found}) AS found GROUP BY reason`;
  return db.many(
    adHoc<{ reason: string | null; count: number }>(text, { home: 'cell', organization: '$1' }),
    where.params,
  );
}

/** The public form of an event in the organization's stream. */
export function streamView({ email_id, ...row }: StreamRow) {
  return { ...eventView(row), email_id };
}

/**
 * An id begins with the time of its creation, never earlier than its event. So the index finds a time range by ids with some
 * margin, and the event's own time decides.
 */
export function streamConditions(organizationId: string, filter: StreamFilter): Where {
  const { beforeId, type, fromMs, toMs } = filter;
  const where = new Where().add('organization_id = ?', organizationId);
  if (fromMs !== null) where.add('id >= ?', uuidv7Floor(fromMs));
  if (toMs !== null) where.add('id < ?', uuidv7Floor(toMs + ID_LAG_MS));
  if (type === null || type === 'processing') return withStarts(where, filter);
  if (beforeId !== null) where.add('id < ?', beforeId);
  if (fromMs !== null) where.add('created_at >= ?', new Date(fromMs));
  if (toMs !== null) where.add('created_at <= ?', new Date(toMs));
  // A literal, so that the planner can choose the index of rare types.
  return where.add(`type = '${type satisfies EventType}'`);
}

/** A row also matches by the start that it stands for (started.ts). */
function withStarts(where: Where, { beforeId, type, fromMs, toMs }: StreamFilter): Where {
  // The start of the row with this id comes before it.
  if (beforeId !== null) where.add('id <= ?', beforeId).add('id < ? OR started_at IS NOT NULL', beforeId);
  if (type !== null) where.add(`type = '${type}' OR started_at IS NOT NULL`);
  const at = type === null ? 'created_at' : 'coalesce(started_at, created_at)';
  if (fromMs !== null) where.add(`${at} >= ?`, new Date(fromMs));
  if (toMs !== null) where.add('coalesce(started_at, created_at) <= ?', new Date(toMs));
  // A row that begins before the range and ends after it has no event within.
  if (type === null && fromMs !== null && toMs !== null)
    where.add('created_at <= ? OR started_at >= ?', new Date(toMs), new Date(fromMs));
  return where;
}
