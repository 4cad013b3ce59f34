/**
 * The sending limit: recipients per organization and UTC day. The one writer of `daily_usage`.
 *
 * A coalesced batch updates each organization's counter once. The update locks the row until the batch commits, so
 * that the limit is exact across processes.
 */
import { inOrder } from '../database/call.ts';
import { type Sql, sql } from '../database/sql.ts';
import { utcDay } from '../runtime/timestamp.ts';

export interface Usage {
  readonly organizationId: string;
  readonly day: string;
  readonly recipients: number;
}

interface CountedUsage {
  readonly organization_id: string;
  readonly day: string;
  readonly recipients: number;
  readonly daily_limit: number;
}

/** The parameters of `count_usage`, except `must_fit`. */
export const USED = ['usage_organizations', 'usage_days', 'usage_recipients'] as const;

const GIVEN = 'usage_organizations => $1, usage_days => $2, usage_recipients => $3';

const count = sql<{ rooms: readonly CountedUsage[] }>(
  'daily_usage.count',
  `SELECT count_usage(${GIVEN}, must_fit => false) AS rooms`,
  { home: 'cell', organization: '$1' },
);

/** Fails the transaction when a limit would be exceeded. */
const countWithin = sql('daily_usage.count_within_limit', `SELECT count_usage(${GIVEN}, must_fit => true)`, {
  home: 'cell',
  organization: '$1',
});

const subtract = sql(
  'daily_usage.refund',
  `UPDATE daily_usage u SET recipients = u.recipients - m.n
   FROM unnest($1::text[], $2::date[], $3::int[]) AS m(o, d, n)
   WHERE u.organization_id = m.o AND u.day = m.d`,
  { home: 'cell', organization: '$1' },
);

const ofDay = sql<{ recipients: number }>(
  'daily_usage.of_day',
  'SELECT recipients FROM daily_usage WHERE organization_id = $1 AND day = $2',
  { home: 'cell', organization: '$1' },
);

const selectRoom = sql<{ used: number; daily_limit: number }>(
  'daily_usage.room',
  `SELECT o.daily_limit, coalesce(u.recipients, 0) AS used
   FROM organizations o LEFT JOIN daily_usage u ON u.organization_id = o.id AND u.day = $2
   WHERE o.id = $1`,
  { home: 'cell', organization: '$1' },
);

/** The day's count before this batch, and the limit. */
export interface RemainingLimit {
  readonly before: number;
  /** 0 means no limit. */
  readonly limit: number;
}

/** Adds these recipients and returns the counts before. The rows stay locked until the transaction ends. */
export async function countIn(tx: Sql, usages: readonly Usage[]): Promise<Map<string, RemainingLimit>> {
  const { rooms } = await tx.one(count, inOrder(USED, usageColumns(usages)));
  const added = new Map(usages.map((usage) => [usageKey(usage), usage.recipients]));
  return new Map(
    rooms.map((row) => {
      const key = usageKey({ organizationId: row.organization_id, day: row.day });
      return [key, { before: row.recipients - (added.get(key) ?? 0), limit: row.daily_limit }];
    }),
  );
}

/** Adds these recipients if all fit; otherwise fails the transaction, see overLimitOf. */
export async function countInWithin(tx: Sql, usages: readonly Usage[]): Promise<void> {
  await tx.exec(countWithin, inOrder(USED, usageColumns(usages)));
}

/** Subtracts recipients that did not fit. */
export async function countOut(tx: Sql, usages: readonly Usage[]): Promise<void> {
  if (usages.length > 0) await tx.exec(subtract, inOrder(USED, usageColumns(usages)));
}

export async function usedOn(db: Sql, organizationId: string, dayMs: number): Promise<number> {
  return (await db.maybeOne(ofDay, [organizationId, utcDay(dayMs)]))?.recipients ?? 0;
}

/** The current count and limit, without a lock: both may change at once. */
export async function roomOn(db: Sql, organizationId: string, day: string): Promise<RemainingLimit> {
  const { used, daily_limit: limit } = await db.one(selectRoom, [organizationId, day]);
  return { before: used, limit };
}

export function usageKey(usage: { readonly organizationId: string; readonly day: string }): string {
  return `${usage.organizationId} ${usage.day}`;
}

/** The arguments of `count_usage`. */
export function usageColumns(usages: readonly Usage[]) {
  return {
    usage_organizations: usages.map((usage) => usage.organizationId),
    usage_days: usages.map((usage) => usage.day),
    usage_recipients: usages.map((usage) => usage.recipients),
  };
}
