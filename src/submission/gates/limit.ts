/**
 * The sending limit. Counting locks an organization's counter until the commit, so it is done last where there is
 * room: then nobody waits for it longer than a commit takes. Where there is none, it is done before anything is
 * stored, and tells each email whether it fits.
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
import type { NewEmail } from '../../emails/email.ts';
import { nextUtcDayMs, utcDay } from '../../runtime/moment.ts';

/** All recipients together are too many for today. */
export interface LimitExceeded {
  readonly kind: 'limit_exceeded';
  /** Whose limit: the organization's, or the budget of the key. */
  readonly of: 'organization' | 'key';
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

/** What would not fit, by the counters as they are: nothing is counted, and nobody waits. */
export async function wouldExceed(db: Sql, emails: readonly NewEmail[]): Promise<(LimitExceeded | null)[]> {
  const rooms = new Map<string, RemainingLimit>();
  for (const usage of usagesOf(emails))
    rooms.set(usageKey(usage), await roomOn(db, usage.organizationId, usage.day));
  return admit(emails, rooms);
}

/** Counts what is already stored, as the last thing before the commit, and fails it when that is too much. */
export async function countWithinLimit(tx: Sql, emails: readonly NewEmail[]): Promise<void> {
  await countInWithin(tx, usagesOf(emails));
}

/**
 * In order of arrival. A batch request goes in as a whole or not at all; one that does not fit leaves the room to
 * smaller ones behind it.
 */
export function admit(
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

interface Asked {
  readonly key: string;
  readonly atMs: number;
  recipients: number;
}

/** How many recipients each request asks for, in order of arrival. */
function requestSizes(emails: readonly NewEmail[]): Map<string, Asked> {
  const sizes = new Map<string, Asked>();
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

/** Of each organization and day. */
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
