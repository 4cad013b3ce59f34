/** The addresses in warm-up that have used up today's allowance, for explanations of routes. */
import type { Sql } from '../database/sql.ts';
import { DAY_MS } from '../runtime/durations.ts';
import { utcDay } from '../runtime/timestamp.ts';
import { daysOfSources } from './source-days.ts';
import type { RouteTable } from './table.ts';
import type { OverAllowance } from './warm-up.ts';
import { warmUpsOf } from './warm-up-view.ts';

export interface SpentAllowance {
  readonly allowed: number;
  readonly over: OverAllowance;
  /** The start of the next day. */
  readonly until: Date;
}

/** Null if more may be sent, or if no limit applies. */
export type SpentToday = (address: string, provider: string) => SpentAllowance | null;

/** Makes no query if no address is in warm-up. */
export async function readSpent(db: Sql, table: RouteTable, nowMs: number): Promise<SpentToday> {
  const warming = table.transports.flatMap((one) =>
    one.kind === 'direct' ? one.sources.filter(({ warm_up }) => warm_up).map(({ address }) => address) : [],
  );
  if (warming.length === 0) return () => null;
  const all = warmUpsOf(table, await daysOfSources(db, warming), utcDay(nowMs));
  const until = new Date((Math.floor(nowMs / DAY_MS) + 1) * DAY_MS);
  return (address, provider) => {
    const one = all.find((entry) => entry.address === address && entry.provider === provider);
    if (!one || one.allowed === null || one.used < one.allowed) return null;
    return { allowed: one.allowed, over: one.over, until };
  };
}
