/** Decides what the guard does about a flood. Reads the database only when there is a flood. */

import type { Database } from '../../database/database.ts';
import type { Sql } from '../../database/sql.ts';
import { emailsOf } from '../../erasure/erase.ts';
import {
  type FindingOutcome,
  guardDecisionsOn,
  recordFinding,
} from '../../interventions/holds/guard-findings.ts';
import { isNeverSlowed } from '../../organizations/settings/guard.ts';
import { addressKeyOf, domainOf, type EmailAddress } from '../../protocols/message/address.ts';
import type { Clock } from '../../runtime/clock.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../runtime/durations.ts';
import { uuidv7Floor } from '../../runtime/ids.ts';
import type { Log } from '../../runtime/log.ts';
import { watchedOrganization } from './first-day.ts';
import { FLOOD } from './flood-limit.ts';

/** `watch`: the flood is only recorded, because it is the organization's first day. */
export type FloodAction = 'pass' | 'watch' | 'slow';

interface JudgeFloodDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
}

export async function judgeFlood(
  { db, clock, log }: JudgeFloodDeps,
  organizationId: string,
  recipient: EmailAddress,
): Promise<FloodAction> {
  const nowMs = clock.nowMs();
  const watched = await watchedOrganization(db, organizationId, nowMs);
  const address = addressKeyOf(recipient);
  if (watched === null || isNeverSlowed(watched.allow, address, domainOf(recipient))) return 'pass';
  const target = { organizationId, scope: 'recipient', value: address } as const;
  const before = await guardDecisionsOn(db, target, nowMs);
  if (before.isReleased) return 'pass';
  // The emails of the flood itself do not prove that the address usually gets many emails.
  if (!before.wasSlowed && (await isUsualRecipient(db, organizationId, address, nowMs))) return 'pass';
  const outcome: FindingOutcome = watched.isFirstDay ? 'watched' : 'slowed';
  if (outcome === 'slowed' ? !before.isSlowed : !before.isFound) {
    const holdId = await recordFinding(db, { ...target, reason: REASONS[outcome], outcome });
    log.warn({ holdId, organizationId, outcome }, 'the guard found a flood of repeats to one address');
  }
  return watched.isFirstDay ? 'watch' : 'slow';
}

const FOUND = `${FLOOD.emails} emails with the same template and subject were sent to this address within ${FLOOD.withinMs / MINUTE_MS} minutes.`;
const ALLOW = 'If the address is meant to get so many, add it to the allow-list of the guard.';

const REASONS: Readonly<Record<FindingOutcome, string>> = {
  watched: `${FOUND} After the first 24 hours the guard slows such repeats to one per minute and sends only the newest. ${ALLOW}`,
  slowed: `${FOUND} The guard sends one of them per minute, always the newest, and withdraws those that a newer one replaced. ${ALLOW}`,
};

/** Whether the address got FLOOD.emails in the day before the last hour: then a high volume is normal for it. */
async function isUsualRecipient(
  db: Sql,
  organizationId: string,
  address: string,
  nowMs: number,
): Promise<boolean> {
  const since = uuidv7Floor(nowMs - DAY_MS - HOUR_MS);
  const ids = await emailsOf(db, organizationId, address, since, FLOOD.emails);
  const last = ids[FLOOD.emails - 1];
  return last !== undefined && last < uuidv7Floor(nowMs - HOUR_MS);
}
