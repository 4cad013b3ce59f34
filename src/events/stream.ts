/** All events of an organization as one stream, newest first. Reads only. */
import { adHoc, type Sql, Where } from '../database/sql.ts';
import { DAY_MS } from '../runtime/durations.ts';
import { uuidv7Floor } from '../runtime/ids.ts';
import type { EventType } from './append.ts';
import { type EventRow, eventView } from './read.ts';

export interface StreamRow extends EventRow {
  email_id: string;
}

export const STREAM_COLUMNS = `id, type, position, recipient, mx_host, smtp_code, smtp_message, enhanced_code, reason, attempt, tls,
  tls_certificate, next_attempt_at, user_agent, url, hold, created_at, email_id`;

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

export function readStream(db: Sql, organizationId: string, filter: StreamFilter): Promise<StreamRow[]> {
  const where = streamConditions(organizationId, filter);
  const text = `SELECT ${STREAM_COLUMNS} FROM events ${where} ORDER BY id DESC LIMIT ${where.param(filter.limit)}`;
  return db.many(adHoc<StreamRow>(text, { home: 'cell', organization: '$1' }), where.params);
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
  const where = new Where().add('organization_id = ?', organizationId);
  if (filter.beforeId !== null) where.add('id < ?', filter.beforeId);
  if (filter.fromMs !== null)
    where.add('id >= ? AND created_at >= ?', uuidv7Floor(filter.fromMs), new Date(filter.fromMs));
  if (filter.toMs !== null)
    where.add('id < ? AND created_at <= ?', uuidv7Floor(filter.toMs + ID_LAG_MS), new Date(filter.toMs));
  // A literal, so that the planner can choose the index of rare types.
  if (filter.type !== null) where.add(`type = '${filter.type satisfies EventType}'`);
  return where;
}
