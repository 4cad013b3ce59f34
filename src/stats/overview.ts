/** Sums and rates over a period, computed from hourly counts. */

import { countsByPeriod, type PeriodCounts } from '../counters/hourly-counts.ts';
import { streamCountsByPeriod } from '../counters/stream-counts.ts';
import type { Sql } from '../database/sql.ts';
import { DAY_MS, HOUR_MS } from '../runtime/durations.ts';

export const RANGES = ['24h', '7d', '30d'] as const;
export type Range = (typeof RANGES)[number];

const SHAPES = {
  '24h': { unit: 'hour', stepMs: HOUR_MS, steps: 24 },
  '7d': { unit: 'day', stepMs: DAY_MS, steps: 7 },
  '30d': { unit: 'day', stepMs: DAY_MS, steps: 30 },
} as const;

export interface Counts {
  readonly sent: number;
  readonly queued: number;
  /** Includes opened mail. */
  readonly delivered: number;
  readonly bounced: number;
  readonly failed: number;
  readonly opened: number;
  readonly complained: number;
  /** Recipients that followed a link. */
  readonly clicked: number;
}

interface OverviewRequest {
  readonly range: Range;
  /** Limits the counts to this stream. */
  readonly stream?: string | undefined;
}

export async function overviewOf(db: Sql, organizationId: string, asked: OverviewRequest, nowMs: number) {
  const { range, stream } = asked;
  const period = periodOf(range, nowMs);
  const { unit, stepMs, steps, fromMs } = period;
  const all = await countsByPeriod(db, organizationId, period);
  const rows =
    stream === undefined ? all : await streamCountsByPeriod(db, organizationId, stream, period, all);
  const known = new Map(rows.map((row) => [row.at.getTime(), row]));
  const series = withoutGaps(fromMs, stepMs, steps, (atMs) => countsOf(known.get(atMs)));
  const totals = sumOf(series);
  const from = new Date(fromMs);
  return { range, interval: unit, from, to: new Date(nowMs), totals, rates: ratesOf(totals), series };
}

/** From the start of the first step to now. */
export function periodOf(range: Range, nowMs: number) {
  const { unit, stepMs, steps } = SHAPES[range];
  return { unit, stepMs, steps, fromMs: (Math.floor(nowMs / stepMs) - steps + 1) * stepMs, toMs: nowMs };
}

/** Rates relative to decided mail (bounces) or delivered mail (complaints and others). Null without any mail. */
export function ratesOf({ sent, queued, delivered, bounced, failed, opened, complained, clicked }: Counts) {
  const decided = sent - queued;
  return {
    delivered: part(delivered, decided),
    bounced: part(bounced, decided),
    failed: part(failed, decided),
    opened: part(opened, delivered),
    complained: part(complained, delivered),
    clicked: part(clicked, delivered),
  };
}

function part(of: number, whole: number): number | null {
  return whole > 0 ? Math.round((of / whole) * 10_000) / 10_000 : null;
}

/** One point for every step, even without mail. */
export function withoutGaps<Point extends object>(
  fromMs: number,
  stepMs: number,
  steps: number,
  pointAt: (atMs: number) => Point,
) {
  return Array.from({ length: steps }, (_, i) => {
    const atMs = fromMs + i * stepMs;
    return { at: new Date(atMs), ...pointAt(atMs) };
  });
}

const NONE: Counts = {
  sent: 0,
  queued: 0,
  delivered: 0,
  bounced: 0,
  failed: 0,
  opened: 0,
  complained: 0,
  clicked: 0,
};

function countsOf(row: PeriodCounts | undefined): Counts {
  if (!row) return NONE;
  const { accepted, delivered, bounced, failed, opened, complaints, clicked } = row;
  return {
    sent: accepted,
    // A stream may have outcomes of mail that was accepted before streams were counted, so the difference can be
    // negative.
    queued: Math.max(0, accepted - delivered - bounced - failed - opened),
    delivered: delivered + opened,
    bounced,
    failed,
    opened,
    complained: complaints,
    clicked,
  };
}

function sumOf(all: readonly Counts[]): Counts {
  return all.reduce<Counts>(
    (sum, one) => ({
      sent: sum.sent + one.sent,
      queued: sum.queued + one.queued,
      delivered: sum.delivered + one.delivered,
      bounced: sum.bounced + one.bounced,
      failed: sum.failed + one.failed,
      opened: sum.opened + one.opened,
      complained: sum.complained + one.complained,
      clicked: sum.clicked + one.clicked,
    }),
    NONE,
  );
}
