/** What the guard asks and does in the database, on the rare occasion. */
import { emailsOf } from '../../erasure/emails-of.ts';
import { MAX_HOLDS_IN_FORCE } from '../../holds/service.ts';
import { type HoldRow, lastReleaseOf, listHolds, placeHold } from '../../holds/store.ts';
import type { Database } from '../../kit/database/database.ts';
import type { Sql } from '../../kit/database/sql.ts';
import { DAY_MS, HOUR_MS } from '../../kit/runtime/durations.ts';
import { uuidv7Floor } from '../../kit/runtime/ids.ts';
import { isGuarded } from '../../organizations/settings/guard.ts';

interface Guarded {
  readonly organizationId: string;
  readonly scope: 'lane' | 'recipient';
  readonly value: string;
}

/** A person who released the same mail wants it sent: the guard does not hold it again for a day. After a discard it does. */
const LEFT_ALONE_MS = DAY_MS;

export async function mayGuard(db: Sql, { organizationId, scope, value }: Guarded): Promise<boolean> {
  if (!(await isGuarded(db, organizationId))) return false;
  const released = await lastReleaseOf(db, { organizationId, scope, value });
  return released === null || Date.now() - released.getTime() > LEFT_ALONE_MS;
}

/** Whether the address got as much in the day before the last hour: then that is what it is for. */
export async function isUsualRecipient(
  db: Sql,
  organizationId: string,
  address: string,
  mails: number,
): Promise<boolean> {
  const nowMs = Date.now();
  const ids = await emailsOf(db, organizationId, address, uuidv7Floor(nowMs - DAY_MS - HOUR_MS), mails);
  const last = ids[mails - 1];
  return last !== undefined && last < uuidv7Floor(nowMs - HOUR_MS);
}

export interface GuardHold extends Guarded {
  readonly reason: string;
}

/** Undefined where there is one already, or where there are as many as workers keep in memory. */
export async function placeGuardHold(db: Database, hold: GuardHold): Promise<HoldRow | undefined> {
  const { open } = await listHolds(db, hold, { limit: 0, offset: 0 });
  if (open >= MAX_HOLDS_IN_FORCE) return undefined;
  return db.transaction((tx) => placeHold(tx, { ...hold, by: GUARD, byOperator: false }));
}

/** As whoever placed it is called. */
const GUARD = 'guard';
