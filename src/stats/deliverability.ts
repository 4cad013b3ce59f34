/** Outcomes of deliveries by dimension: sums, series over time, and latencies. */

import { type Dimension, NOTHING } from '../counters/delivery-counts.ts';
import { latencyPercentile } from '../counters/latency-buckets.ts';
import { type Sql, sql } from '../database/sql.ts';
import { periodOf, type Range, withoutGaps } from './overview.ts';

/** The groups with the most mail; all others are summed. */
const MAX_GROUPS = 50;

interface CountRow {
  at: Date;
  name: string;
  sent: number;
  delivered: number;
  deferred: number;
  bounced: number;
  failed: number;
  complained: number;
}

const COUNTS = ['sent', 'delivered', 'deferred', 'bounced', 'failed', 'complained'] as const;
type DeliveryCounts = Readonly<Record<(typeof COUNTS)[number], number>>;

const select = sql<CountRow>(
  'delivery_counts.by_name',
  `WITH counted AS MATERIALIZED (
     SELECT * FROM delivery_counts WHERE organization_id = $1 AND dimension = $2 AND hour >= $3 AND hour <= $4
   ), top AS (
     SELECT name FROM counted WHERE name <> '' GROUP BY name
     ORDER BY sum(sent + delivered + deferred + bounced + failed) DESC, name LIMIT $6
   )
   SELECT date_trunc($5::text, hour, 'UTC') AS at, coalesce(top.name, '') AS name, sum(sent)::int AS sent,
          sum(delivered)::int AS delivered, sum(deferred)::int AS deferred, sum(bounced)::int AS bounced,
          sum(failed)::int AS failed, sum(complained)::int AS complained
   FROM counted LEFT JOIN top ON top.name = counted.name GROUP BY 1, 2`,
  { home: 'cell', organization: '$1' },
);

const selectTook = sql<{ name: string; place: number; count: number }>(
  'delivery_counts.took',
  `SELECT CASE WHEN c.name = ANY ($5::text[]) THEN c.name ELSE '' END AS name, took.place::int - 1 AS place,
          sum(took.count)::int AS count
   FROM delivery_counts c CROSS JOIN LATERAL unnest(c.took) WITH ORDINALITY AS took(count, place)
   WHERE c.organization_id = $1 AND c.dimension = $2 AND c.hour >= $3 AND c.hour <= $4 AND took.count > 0
   GROUP BY 1, 2`,
  { home: 'cell', organization: '$1' },
);

const selectTemplateNames = sql<{ id: string; name: string }>(
  'templates.names',
  'SELECT id, name FROM templates WHERE organization_id = $1 AND id = ANY ($2::text[])',
  { home: 'cell', organization: '$1' },
);

interface Asked {
  readonly range: Range;
  readonly by: Dimension;
}

export async function deliverabilityOf(db: Sql, organizationId: string, { range, by }: Asked, nowMs: number) {
  const period = periodOf(range, nowMs);
  const read = (dimension: Dimension) => groupsBy(db, organizationId, dimension, period);
  // Every delivery has exactly one sender domain, so the sum over all domains is all mail.
  const [groups, all] = await Promise.all([read(by), by === 'domain' ? null : read('domain')]);
  const labels = by === 'template' ? await templateNames(db, organizationId, groups) : new Map();
  return {
    by,
    range,
    interval: period.unit,
    from: new Date(period.fromMs),
    to: new Date(nowMs),
    ...totalsOf(all ?? groups, period),
    groups: groups.map(({ took: _, rows, ...group }) => ({
      ...group,
      label: labels.get(group.name) ?? null,
      trend: trendOf(rows, period),
    })),
  };
}

type Period = ReturnType<typeof periodOf>;

interface Group extends DeliveryCounts {
  readonly name: string;
  readonly rates: ReturnType<typeof ratesOf>;
  readonly p50_seconds: number | null;
  readonly p95_seconds: number | null;
  readonly rows: readonly CountRow[];
  readonly took: readonly number[];
}

/** By number of deliveries, largest first; the group of the others is last. */
async function groupsBy(db: Sql, organizationId: string, by: Dimension, period: Period): Promise<Group[]> {
  const within = [organizationId, by, new Date(period.fromMs), new Date(period.toMs)];
  const rows = await db.many(select, [...within, period.unit, MAX_GROUPS]);
  const names = [...new Set(rows.map(({ name }) => name))];
  const took = await db.many(selectTook, [...within, names]);
  const groups = names.map((name): Group => {
    const own = rows.filter((row) => row.name === name);
    const times: number[] = [];
    for (const one of took) if (one.name === name) times[one.place] = one.count;
    return {
      name,
      ...figuresOf(
        own,
        Array.from(times, (count) => count ?? 0),
      ),
      rows: own,
    };
  });
  const size = ({ name, sent, deferred, bounced, failed }: Group) =>
    name === '' ? -1 : sent + deferred + bounced + failed;
  return groups.sort((a, b) => size(b) - size(a) || (a.name < b.name ? -1 : 1));
}

function figuresOf(rows: readonly DeliveryCounts[], took: readonly number[]) {
  const counts = sumOf(rows);
  return {
    ...counts,
    rates: ratesOf(counts),
    p50_seconds: latencyPercentile(took, 0.5),
    p95_seconds: latencyPercentile(took, 0.95),
    took,
  };
}

function totalsOf(groups: readonly Group[], period: Period) {
  const length = Math.max(0, ...groups.map(({ took }) => took.length));
  const times = Array.from({ length }, (_, at) => groups.reduce((sum, one) => sum + (one.took[at] ?? 0), 0));
  const { took: _, ...totals } = figuresOf(groups, times);
  const rows = groups.flatMap((group) => group.rows);
  return { totals, series: pointsOf(rows, period) };
}

/** Rates of decided deliveries; deferred ones are still in progress. */
function ratesOf({ delivered, deferred, bounced, failed, complained }: DeliveryCounts) {
  const decided = delivered + bounced + failed;
  const part = (of: number, whole: number) => (whole > 0 ? Math.round((of / whole) * 10_000) / 10_000 : null);
  return {
    delivered: part(delivered, decided),
    bounced: part(bounced, decided),
    deferred: part(deferred, decided + deferred),
    complained: part(complained, delivered),
  };
}

function pointsOf(rows: readonly CountRow[], { fromMs, stepMs, steps }: Period) {
  const sums = new Map<number, DeliveryCounts>();
  for (const row of rows) {
    const known = sums.get(row.at.getTime());
    sums.set(row.at.getTime(), known === undefined ? row : sumOf([known, row]));
  }
  return withoutGaps(fromMs, stepMs, steps, (atMs) => sumOf([sums.get(atMs) ?? NOTHING]));
}

/** One number for each point of the series. */
function trendOf(rows: readonly CountRow[], period: Period) {
  const points = pointsOf(rows, period);
  const of = (count: (typeof COUNTS)[number]) => points.map((point) => point[count]);
  return { sent: of('sent'), delivered: of('delivered'), deferred: of('deferred'), bounced: of('bounced') };
}

function sumOf(all: readonly DeliveryCounts[]): DeliveryCounts {
  const sum = (count: (typeof COUNTS)[number]) => all.reduce((total, one) => total + one[count], 0);
  return {
    sent: sum('sent'),
    delivered: sum('delivered'),
    deferred: sum('deferred'),
    bounced: sum('bounced'),
    failed: sum('failed'),
    complained: sum('complained'),
  };
}

async function templateNames(
  db: Sql,
  organizationId: string,
  groups: readonly { readonly name: string }[],
): Promise<Map<string, string>> {
  const rows = await db.many(selectTemplateNames, [organizationId, groups.map(({ name }) => name)]);
  return new Map(rows.map(({ id, name }) => [id, name]));
}
