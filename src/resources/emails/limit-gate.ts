/** Refuses what would take an organization over its sending limit. Comes last: only what is accepted counts. */
import type { Sql } from '../../database/sql.ts';
import { utcDay } from '../../runtime/moment.ts';
import { countIn, countOut, type Room, type Usage, usageKey } from '../organizations/daily-usage.ts';
import type { NewEmail } from './email.ts';

export interface LimitExceeded {
  readonly kind: 'limit_exceeded';
  readonly limit: number;
  readonly used: number;
  readonly asked: number;
}

export async function limitGate(tx: Sql, emails: readonly NewEmail[]): Promise<(LimitExceeded | null)[]> {
  const rooms = await countIn(tx, sumUp(emails));
  const refusals = admit(emails, rooms);
  await countOut(tx, sumUp(emails.filter((_, index) => refusals[index] !== null)));
  return refusals;
}

/** In order of arrival; a large email that does not fit leaves the room to smaller ones behind it. */
export function admit(
  emails: readonly NewEmail[],
  rooms: ReadonlyMap<string, Room>,
): (LimitExceeded | null)[] {
  const used = new Map([...rooms].map(([key, room]) => [key, room.before]));
  return emails.map((email) => {
    const key = usageKey(dayOf(email));
    const room = rooms.get(key);
    if (!room) throw new Error('A sending limit was not counted.');
    const before = used.get(key) ?? 0;
    const asked = email.recipients.length;
    if (room.limit > 0 && before + asked > room.limit) {
      return { kind: 'limit_exceeded', limit: room.limit, used: before, asked };
    }
    used.set(key, before + asked);
    return null;
  });
}

function sumUp(emails: readonly NewEmail[]): Usage[] {
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
