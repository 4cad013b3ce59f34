/**
 * The sending limit. Counting locks an organization's counter until the commit, so the counter is updated last if the limit has
 * room: other commits then wait for one commit at most. Otherwise the limit is checked before anything is stored, and each
 * email gets its own answer.
 */

import {
  countIn,
  countInWithin,
  countOut,
  type RemainingLimit,
  roomOn,
  type Usage,
  usageKey,
} from '../../counters/daily-usage.ts';
import type { Sql } from '../../database/sql.ts';
import type { DailyBudget, NewEmail } from '../../emails/email.ts';
import { nextUtcDayMs, utcDay } from '../../runtime/timestamp.ts';

/** All recipients together exceed today's limit. */
export interface LimitExceeded {
  readonly kind: 'limit_exceeded';
  /** Which limit: the organization's, or a budget. */
  readonly of: 'organization' | DailyBudget['owner'];
  readonly limit: number;
  readonly used: number;
  readonly asked: number;
  readonly resetsInMs: number;
}

export async function limitGate(tx: Sql, emails: readonly NewEmail[]): Promise<(LimitExceeded | null)[]> {
  const rooms = await countIn(tx, usagesOf(emails));
  const refusals = admit(emails, rooms);
  await countOut(tx, usagesOf(emails.filter((_, index) => refusals[index] !== null)));
  return refusals;
}

/** Predicts which emails would exceed the limit. Counts nothing and locks nothing. */
export async function wouldExceed(db: Sql, emails: readonly NewEmail[]): Promise<(LimitExceeded | null)[]> {
  const rooms = new Map<string, RemainingLimit>();
  for (const usage of usagesOf(emails))
    rooms.set(usageKey(usage), await roomOn(db, usage.organizationId, usage.day));
  return admit(emails, rooms);
}

/** Counts the stored emails last, just before the commit, and fails the commit if they exceed the limit. */
export async function countWithinLimit(tx: Sql, emails: readonly NewEmail[]): Promise<void> {
  await countInWithin(tx, usagesOf(emails));
}

/**
 * In order of arrival. A batch request is admitted or refused as a whole; a refused batch leaves the room to smaller requests
 * behind it.
 */
function admit(
  emails: readonly NewEmail[],
  rooms: ReadonlyMap<string, RemainingLimit>,
): (LimitExceeded | null)[] {
  const used = new Map([...rooms].map(([key, room]) => [key, room.before]));
  const decided = new Map<string, LimitExceeded | null>();
  for (const [request, asked] of requestSizes(emails)) {
    const room = rooms.get(asked.key);
    if (!room) throw new Error('A sending limit was not counted.');
    const before = used.get(asked.key) ?? 0;
    const fits = room.limit === 0 || before + asked.recipients <= room.limit;
    if (fits) used.set(asked.key, before + asked.recipients);
    const { recipients, atMs } = asked;
    const over = {
      of: 'organization' as const,
      limit: room.limit,
      used: before,
      asked: recipients,
      resetsInMs: nextUtcDayMs(atMs) - atMs,
    };
    decided.set(request, fits ? null : { kind: 'limit_exceeded', ...over });
  }
  return emails.map((email) => decided.get(requestOf(email)) ?? null);
}

interface RequestSize {
  readonly key: string;
  readonly atMs: number;
  recipients: number;
}

/** The number of recipients of each request, in order of arrival. */
function requestSizes(emails: readonly NewEmail[]): Map<string, RequestSize> {
  const sizes = new Map<string, RequestSize>();
  for (const email of emails) {
    const { length } = email.recipients;
    const size = sizes.get(requestOf(email));
    if (size) size.recipients += length;
    else
      sizes.set(requestOf(email), {
        key: usageKey(dayOf(email)),
        atMs: email.createdAtMs,
        recipients: length,
      });
  }
  return sizes;
}

function requestOf(email: NewEmail): string {
  return email.batchId ?? email.id;
}

/** Usage per organization and day. */
export function usagesOf(emails: readonly NewEmail[]): Usage[] {
  const sums = new Map<string, Usage>();
  for (const email of emails) {
    const usage = dayOf(email);
    const sum = sums.get(usageKey(usage));
    sums.set(usageKey(usage), { ...usage, recipients: usage.recipients + (sum?.recipients ?? 0) });
  }
  return [...sums.values()];
}

function dayOf(email: NewEmail): Usage {
  return {
    organizationId: email.organizationId,
    day: utcDay(email.createdAtMs),
    recipients: email.recipients.length,
  };
}
