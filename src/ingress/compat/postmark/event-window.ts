/**
 * Counts and pages the newest events of given types. Counting stops at MAX_REACH, because no window goes
 * further. Filtered lists are short, and are read as a whole.
 */

import type { Sql } from '../../../database/sql.ts';
import { readEvents } from '../../../emails/lists/events-to.ts';
import type { EventType } from '../../../events/append.ts';
import { eventsOfEmail } from '../../../events/read.ts';
import { countReasons, type StreamRow } from '../../../events/stream.ts';
import { isUuid } from '../../../runtime/ids.ts';
import { MAX_REACH, type PostmarkWindow } from './query.ts';

export interface EventsRequest {
  readonly types: readonly EventType[];
  readonly emailId: string | null;
  readonly recipient: string | null;
  readonly fromMs: number | null;
  readonly toMs: number | null;
  /** Whether an event passes the filter; null without a filter. */
  readonly isMeant: ((event: StreamRow) => boolean) | null;
}

export const ALL_EVENTS: Omit<EventsRequest, 'types'> = {
  emailId: null,
  recipient: null,
  fromMs: null,
  toMs: null,
  isMeant: null,
};

export async function eventWindow(
  db: Sql,
  organizationId: string,
  asked: EventsRequest,
  { offset, limit }: PostmarkWindow,
): Promise<{ rows: StreamRow[]; total: number }> {
  const isNarrow = asked.emailId !== null || asked.recipient !== null || asked.isMeant !== null;
  const found = await newest(db, organizationId, asked, isNarrow ? MAX_REACH : offset + limit);
  const rows = found.slice(offset, offset + limit);
  if (isNarrow) return { rows, total: found.length };
  const counts = await countEvents(db, organizationId, asked);
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  return { rows, total: Math.min(total, MAX_REACH) };
}

/** Counts by type and reason, up to MAX_REACH for each type. */
export async function countEvents(db: Sql, organizationId: string, { types, fromMs, toMs }: EventsRequest) {
  const counted = await Promise.all(
    types.map(async (type) => {
      const filter = { beforeId: null, type, fromMs, toMs, limit: MAX_REACH };
      const rows = await countReasons(db, organizationId, filter);
      return rows.map((row) => ({ ...row, type }));
    }),
  );
  return counted.flat();
}

async function newest(
  db: Sql,
  organizationId: string,
  asked: EventsRequest,
  limit: number,
): Promise<StreamRow[]> {
  const rows =
    asked.emailId === null
      ? await ofTypes(db, organizationId, asked, limit)
      : await ofEmail(db, organizationId, asked.emailId, asked);
  return rows
    .filter((row) => asked.isMeant?.(row) ?? true)
    .sort((a, b) => (a.id < b.id ? 1 : -1))
    .slice(0, limit);
}

async function ofTypes(
  db: Sql,
  organizationId: string,
  { types, recipient, fromMs, toMs }: EventsRequest,
  limit: number,
): Promise<StreamRow[]> {
  const lists = types.map((type) =>
    readEvents(db, organizationId, { beforeId: null, type, recipient, fromMs, toMs, limit }),
  );
  return (await Promise.all(lists)).flat();
}

async function ofEmail(
  db: Sql,
  organizationId: string,
  emailId: string,
  { types, recipient, fromMs, toMs }: EventsRequest,
): Promise<StreamRow[]> {
  if (!isUuid(emailId)) return [];
  const rows = await eventsOfEmail(db, organizationId, emailId);
  return rows
    .filter(({ type }) => types.includes(type))
    .filter((row) => recipient === null || row.recipient.toLowerCase() === recipient.toLowerCase())
    .filter(
      ({ created_at }) => created_at.getTime() >= (fromMs ?? 0) && created_at.getTime() <= (toMs ?? Infinity),
    )
    .map((row) => ({ ...row, email_id: emailId }));
}
