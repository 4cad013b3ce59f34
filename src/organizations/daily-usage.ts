/**
 * The sending limit: recipients per organization and UTC day. The one writer of `daily_usage`.
 *
 * A coalesced batch moves each organization's counter once. The move takes the row's lock until the batch commits,
 * so several processes count one after the other and the limit is exact.
 */
import { type Sql, sql } from '../kit/database/sql.ts';
import { utcDay } from '../kit/runtime/moment.ts';

export interface Usage {
  readonly organizationId: string;
  readonly day: string;
  readonly recipients: number;
}

interface MovedRow {
  organization_id: string;
  day: string;
  recipients: number;
  daily_limit: number;
}

/** Always in the same order, so that two batches that hold several organizations cannot deadlock. */
const MOVE = `INSERT INTO daily_usage (organization_id, day, recipients)
   SELECT o, d, n FROM unnest($1::text[], $2::date[], $3::int[]) AS m(o, d, n) ORDER BY o, d
   ON CONFLICT (organization_id, day) DO UPDATE SET recipients = daily_usage.recipients + excluded.recipients`;

const move = sql<MovedRow>(
  'daily_usage.move',
  `${MOVE}
   RETURNING organization_id, to_char(day, 'YYYY-MM-DD') AS day, recipients,
             (SELECT daily_limit FROM organizations WHERE id = daily_usage.organization_id) AS daily_limit`,
);

/** Fails the transaction when a limit would be exceeded. */
const moveWithin = sql(
  'daily_usage.move_within_limit',
  `${MOVE}
   RETURNING assert_within_limit(organization_id, recipients)`,
);

const giveBack = sql(
  'daily_usage.give_back',
  `UPDATE daily_usage u SET recipients = u.recipients - m.n
   FROM unnest($1::text[], $2::date[], $3::int[]) AS m(o, d, n)
   WHERE u.organization_id = m.o AND u.day = m.d`,
);

const ofDay = sql<{ recipients: number }>(
  'daily_usage.of_day',
  'SELECT recipients FROM daily_usage WHERE organization_id = $1 AND day = $2',
);

/** Where a day's count stood before this batch, and how far it may go. */
export interface Room {
  readonly before: number;
  /** 0 means no limit. */
  readonly limit: number;
}

/** Counts these in, and tells what room there was. The row stays locked until the transaction ends. */
export async function countIn(tx: Sql, usages: readonly Usage[]): Promise<Map<string, Room>> {
  const rows = await tx.many(move, columns(usages));
  const added = new Map(usages.map((usage) => [usageKey(usage), usage.recipients]));
  return new Map(
    rows.map((row) => {
      const key = usageKey({ organizationId: row.organization_id, day: row.day });
      return [key, { before: row.recipients - (added.get(key) ?? 0), limit: row.daily_limit }];
    }),
  );
}

/** Counts these in where there is room for all of them; otherwise the transaction is lost, see overLimitOf. */
export async function countInWithin(tx: Sql, usages: readonly Usage[]): Promise<void> {
  await tx.exec(moveWithin, columns(usages));
}

/** Takes back what did not fit. */
export async function countOut(tx: Sql, usages: readonly Usage[]): Promise<void> {
  if (usages.length > 0) await tx.exec(giveBack, columns(usages));
}

export async function usedOn(db: Sql, organizationId: string, dayMs: number): Promise<number> {
  return (await db.maybeOne(ofDay, [organizationId, utcDay(dayMs)]))?.recipients ?? 0;
}

export function usageKey(usage: { readonly organizationId: string; readonly day: string }): string {
  return `${usage.organizationId} ${usage.day}`;
}

function columns(usages: readonly Usage[]): unknown[] {
  return [
    usages.map((usage) => usage.organizationId),
    usages.map((usage) => usage.day),
    usages.map((usage) => usage.recipients),
  ];
}
