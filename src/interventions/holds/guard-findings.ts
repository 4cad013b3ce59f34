/**
 * What the guard found without holding mail, stored as holds that were released at the moment they were placed. They never stop
 * mail, and users see them in the list of holds. Writes through store.ts.
 */
import type { Database } from '../../database/database.ts';
import { type Sql, sql } from '../../database/sql.ts';
import { DAY_MS } from '../../runtime/durations.ts';
import type { HoldTarget } from './hold.ts';
import { endHold, finishHold, placeHold } from './store.ts';

/** Why no mail was held; stored as the reason of the decision. */
const FINDING_OUTCOMES = {
  watched: 'Nothing was held or slowed: in the first 24 hours the guard only watches.',
  slowed: 'Nothing was held: repeats are slowed, and other mail to the address passes.',
} as const;
export type FindingOutcome = keyof typeof FINDING_OUTCOMES;

/** The guard's name in `placed_by` and `decision.by`. */
export const GUARD = 'guard';

interface GuardFinding extends HoldTarget {
  readonly organizationId: string;
  readonly reason: string;
  readonly outcome: FindingOutcome;
}

/** One transaction places and ends a finding, so both times are equal. */
const IS_FINDING = 'placed_at = ending_at';

interface DecisionsRow {
  readonly released_at: Date | null;
  readonly found_at: Date | null;
  readonly slowed_at: Date | null;
}

const selectDecisions = sql<DecisionsRow>(
  'holds.guard_decisions',
  `SELECT max(ending_at) FILTER (WHERE NOT ${IS_FINDING}) AS released_at,
          max(ending_at) FILTER (WHERE ${IS_FINDING}) AS found_at,
          max(ending_at) FILTER (WHERE ${IS_FINDING} AND ending_reason = $4) AS slowed_at
   FROM holds WHERE organization_id = $1 AND scope = $2 AND value = $3 AND ending = 'release'`,
  { home: 'cell', organization: '$1' },
);

interface FindingRow {
  readonly id: string;
  readonly scope: 'lane' | 'recipient';
  readonly value: string;
  readonly reason: string;
  readonly ending_reason: string;
  readonly placed_at: Date;
}

const selectRecent = sql<FindingRow>(
  'holds.guard_findings',
  `SELECT id, scope, value, reason, ending_reason, placed_at FROM holds
   WHERE organization_id = $1 AND scope IN ('lane', 'recipient') AND ${IS_FINDING} AND placed_at > to_timestamp($2 / 1000.0)
   ORDER BY placed_at DESC LIMIT 20`,
  { home: 'cell', organization: '$1' },
);

const selectAnySlowed = sql<{ is: boolean }>(
  'holds.any_slowed',
  `SELECT EXISTS (SELECT FROM holds WHERE organization_id = $1 AND scope = 'recipient' AND ${IS_FINDING}
     AND ending_reason = $2 AND placed_at > to_timestamp($3 / 1000.0)) AS is`,
  { home: 'cell', organization: '$1' },
);

interface GuardDecisions {
  /** A user released a hold of this mail within the last day. A discard does not count: that mail was unwanted. */
  readonly isReleased: boolean;
  /** The guard recorded the same finding within the last day. */
  readonly isFound: boolean;
  /** The guard slowed it within the last day. */
  readonly isSlowed: boolean;
  /** The guard slowed it within the last two days. Mail sent since the day before does not show what is usual. */
  readonly wasSlowed: boolean;
}

export async function guardDecisionsOn(
  db: Sql,
  { organizationId, scope, value }: HoldTarget,
  nowMs: number,
): Promise<GuardDecisions> {
  const row = await db.one(selectDecisions, [organizationId, scope, value, FINDING_OUTCOMES.slowed]);
  const isWithin = (at: Date | null, days: number) => at !== null && nowMs - at.getTime() <= days * DAY_MS;
  return {
    isReleased: isWithin(row.released_at, 1),
    isFound: isWithin(row.found_at, 1),
    isSlowed: isWithin(row.slowed_at, 1),
    wasSlowed: isWithin(row.slowed_at, 2),
  };
}

/** Returns the id of the finding; undefined if a hold of the same mail is in force. */
export function recordFinding(
  db: Database,
  { outcome, ...found }: GuardFinding,
): Promise<string | undefined> {
  return db.transaction(async (tx) => {
    const placed = await placeHold(tx, { ...found, by: GUARD, byOperator: false });
    if (placed === undefined) return undefined;
    await endHold(tx, placed, { how: 'release', reason: FINDING_OUTCOMES[outcome], by: GUARD });
    await finishHold(tx, placed.id);
    return placed.id;
  });
}

export interface RecentFinding extends Omit<FindingRow, 'ending_reason'> {
  readonly outcome: FindingOutcome;
}

/** The last day's findings, the newest first. */
export async function recentFindings(
  db: Sql,
  organizationId: string,
  nowMs: number,
): Promise<RecentFinding[]> {
  const rows = await db.many(selectRecent, [organizationId, nowMs - DAY_MS]);
  return rows.map(({ ending_reason, ...row }) => ({
    ...row,
    outcome: ending_reason === FINDING_OUTCOMES.slowed ? 'slowed' : 'watched',
  }));
}

/** Whether the guard slowed any mail of the organization within the last day. */
export async function hasSlowedMail(db: Sql, organizationId: string, nowMs: number): Promise<boolean> {
  const { is } = await db.one(selectAnySlowed, [organizationId, FINDING_OUTCOMES.slowed, nowMs - DAY_MS]);
  return is;
}
