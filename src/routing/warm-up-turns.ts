/** Recent warm-up changes that operators should know of: an allowance that fell, or a completed warm-up. */
import type { Sql } from '../database/sql.ts';
import { DAY_MS } from '../runtime/durations.ts';
import { utcDay } from '../runtime/timestamp.ts';
import { daysOfSources } from './source-days.ts';
import { readTable } from './store.ts';
import type { RouteTable } from './table.ts';
import { type SourceDayRow, warmUpsOf } from './warm-up-view.ts';

export interface WarmUpTurn {
  readonly address: string;
  readonly provider: string;
  readonly kind: 'bent' | 'done';
  /** The deciding day, its allowance, and the new one; null is unlimited. */
  readonly day: string;
  readonly before: number | null;
  readonly after: number | null;
  readonly used: number;
  readonly objected: number;
  readonly complained: number;
}

/** How many days a change is reported. */
const LATELY_DAYS = 2;

export async function readWarmUpTurns(db: Sql, nowMs: number): Promise<WarmUpTurn[]> {
  const table = await readTable(db);
  const warming = table.transports.flatMap((one) =>
    one.kind === 'direct' ? one.sources.filter(({ warm_up }) => warm_up).map(({ address }) => address) : [],
  );
  return warming.length === 0 ? [] : warmUpTurns(table, await daysOfSources(db, warming), nowMs);
}

export function warmUpTurns(table: RouteTable, rows: readonly SourceDayRow[], nowMs: number): WarmUpTurn[] {
  const today = utcDay(nowMs);
  const earliest = utcDay(nowMs - LATELY_DAYS * DAY_MS);
  return warmUpsOf(table, rows, today).flatMap(({ address, provider, days, allowed: after }) => {
    const last = days.findLast(({ day }) => day < today);
    if (provider === null || last === undefined || last.day < earliest) return [];
    const { day, allowed: before, used, objected, complained } = last;
    const isBent = after !== null && (before === null || after < before);
    const isDone = after === null && before !== null;
    if (!isBent && !isDone) return [];
    const kind = isBent ? ('bent' as const) : ('done' as const);
    return [{ address, provider, kind, day, before, after, used, objected, complained }];
  });
}

export function turnSentence(turn: WarmUpTurn): string {
  const { address, provider, kind, before, after, day, used, objected, complained } = turn;
  if (kind === 'done')
    return `${address} is warmed up for ${provider}. Its mail has no daily limit any more.`;
  const was = before === null ? 'no limit' : before.toLocaleString('en');
  const now = after === null ? 'no limit' : after.toLocaleString('en');
  return `The daily limit of ${address} for ${provider} changed from ${was} to ${now}: of ${used} emails on ${day}, ${objected} were refused or deferred and ${complained} reported as spam.`;
}
