/** Whether lists stay as fast when there is a hundred times as much mail, through the API, totals checked. */
import type { ChildProcess } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createApiKey } from '../src/accounts/api-keys/service.ts';
import { Database } from '../src/database/database.ts';
import { startEmbeddedPostgres } from '../src/database/embedded-postgres.ts';
import { migrate } from '../src/database/migrate.ts';
import { adHoc } from '../src/database/sql.ts';
import { systemClock } from '../src/runtime/clock.ts';
import { createLog } from '../src/runtime/log.ts';
import type { BenchResult, Progress, Size } from './support/bench.ts';
import { renderChart } from './support/chart.ts';
import { end, freePort, startRole, untilReady } from './support/installation.ts';
import { COLD, type Seeded, SHAPES, type Shape } from './support/list-shapes.ts';
import { expectedEvents, expectedTotal } from './support/list-totals.ts';
import { median, percentile } from './support/measure.ts';
import { organizationId, seedEmails } from './support/seed-emails.ts';
import { number } from './support/table.ts';

export const title = 'Lists with 1,000,000 emails against 10,000';
export const claim =
  'every list takes at most 3 times as long with 1,000,000 emails as with 10,000, and every total is exact';

const SIZES = {
  full: {
    emails: (process.env.BENCH_SIZES ?? '10000,100000,1000000').split(',').map(Number),
    rounds: 25,
    warmUp: 3,
  },
  smoke: { emails: [2_000, 4_000], rounds: 1, warmUp: 1 },
};
type Numbers = (typeof SIZES)[Size];
const TIMES_AS_LONG = 3;
const KEY = 'bench_key_0123456789abcdef';
const CHARTED = [
  'first page',
  'last page',
  'status failed',
  'three weeks',
  'to one address',
  'an order number in the subject',
  'one email',
];

interface Site {
  readonly seeded: Seeded;
  readonly db: Database;
  readonly api: ChildProcess;
  readonly port: number;
}

/** Milliseconds of one shape: what the first request took, and the median of those after it, for each size. */
interface Measured {
  readonly shape: Shape;
  readonly firstMs: readonly number[];
  readonly medianMs: readonly number[];
  /** Of the largest size. */
  readonly timesMs: readonly number[];
}

export async function run(progress: Progress, size: Size): Promise<BenchResult> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'postrider-bench-'));
  await chmod(dataDir, 0o755); // under root PostgreSQL runs as another account, which has to get in
  // What is measured is reading; filling the tables need not wait for the disk.
  const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
  try {
    const server = await startEmbeddedPostgres({ dataDir, settings, log: () => undefined });
    try {
      return await compare(server.url, dataDir, SIZES[size], progress);
    } finally {
      await server.stop();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function compare(
  serverUrl: string,
  dataDir: string,
  numbers: Numbers,
  progress: Progress,
): Promise<BenchResult> {
  const sites: Site[] = [];
  try {
    for (const emails of numbers.emails) sites.push(await prepare(serverUrl, dataDir, emails, progress));
    const measured: Measured[] = [];
    for (const shape of SHAPES) {
      const one = await measure(shape, sites, numbers);
      measured.push(one);
      progress(`${shape.name}: ${one.medianMs.map((ms) => number(ms, 1)).join(', ')} ms`);
    }
    return report(measured, numbers.emails);
  } finally {
    for (const { api, db } of sites) {
      await end(api);
      await db.close();
    }
  }
}

/** A database and an API of its own for each size. */
async function prepare(
  serverUrl: string,
  dataDir: string,
  emails: number,
  progress: Progress,
): Promise<Site> {
  const open = (address: string) =>
    new Database({ url: address, log: createLog('bench', 'silent'), applicationName: 'bench' });
  const admin = open(serverUrl);
  await admin.exec(adHoc(`CREATE DATABASE bench_${emails}`));
  await admin.close();
  const url = new URL(serverUrl);
  url.pathname = `/bench_${emails}`;
  await migrate(url.toString());
  const db = open(url.toString());
  progress(`seeding ${number(emails)} emails`);
  const nowMs = Date.now();
  await seedEmails(db, url.toString(), emails, nowMs, progress);
  const key = { name: 'bench', scope: 'full' as const, domain: null, expiresAt: null };
  await createApiKey(db, systemClock, organizationId(0), key, { secret: KEY });
  const port = await freePort();
  const api = startRole('api', {
    DATABASE_URL: url.toString(),
    POSTRIDER_DATA_DIR: dataDir,
    POSTRIDER_PORT: String(port),
    POSTRIDER_RATE_LIMIT: '10000000',
    POSTRIDER_LOG_LEVEL: 'warn',
  });
  await untilReady(port, api);
  return { seeded: { emails, nowMs }, db, api, port };
}

/** In turns, so that whatever else the machine does hits all sizes alike. */
async function measure(shape: Shape, sites: readonly Site[], { rounds, warmUp }: Numbers): Promise<Measured> {
  const times = sites.map((): number[] => []);
  const firstMs: number[] = [];
  for (let round = -warmUp; round < rounds; round += 1) {
    const order = [...sites.entries()];
    for (const [index, site] of round % 2 === 0 ? order : order.toReversed()) {
      const { ms, answer, query } = await ask(site, shape, round + warmUp);
      if (round === -warmUp) {
        firstMs[index] = ms;
        await check(site, query, answer);
      } else if (round >= 0) times[index]?.push(ms);
    }
  }
  return { shape, firstMs, medianMs: times.map(median), timesMs: times.at(-1) ?? [] };
}

interface Answer {
  readonly data: readonly unknown[] | object;
  /** Lists by cursor tell no total. */
  readonly pagination?: { readonly total_count?: number };
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

async function ask({ port, seeded }: Site, shape: Shape, n: number) {
  const query = shape.path(seeded, n);
  const started = performance.now();
  const { status, body } = await request(port, query);
  const ms = performance.now() - started;
  if (status !== 200) throw new Error(`${query} answered ${status}: ${body}`);
  return { ms, query, answer: JSON.parse(body) as Answer };
}

function request(port: number, query: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const options = { port, agent, path: `/api/v1${query}`, headers: { authorization: `Bearer ${KEY}` } };
    get(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }),
      );
    }).on('error', reject);
  });
}

/** Against a full count by other means; and a list that finds nothing would be fast for nothing. */
async function check({ db }: Site, query: string, { data, pagination }: Answer): Promise<void> {
  if (pagination === undefined) return;
  if (query.startsWith('/events')) return checkEvents(db, query, data);
  const expected = await expectedTotal(db, organizationId(0), query);
  if (pagination.total_count !== expected) {
    throw new Error(`${query} says ${pagination.total_count} in all, but there are ${expected}.`);
  }
  if (!Array.isArray(data) || data.length === 0) throw new Error(`${query} found nothing.`);
}

async function checkEvents(db: Database, query: string, data: Answer['data']): Promise<void> {
  const expected = await expectedEvents(db, organizationId(0), query);
  const found = Array.isArray(data) ? data.map(({ id }: { id: string }) => id) : [];
  if (found.join() !== expected.join())
    throw new Error(`${query} found ${found.length} events; there are ${expected.length}, or others.`);
}

function report(measured: readonly Measured[], sizes: readonly number[]): BenchResult {
  const timesAsLong = ({ medianMs }: Measured) => (medianMs.at(-1) ?? 0) / (medianMs[0] ?? 1);
  const worst = measured.reduce((most, one) => (timesAsLong(one) > timesAsLong(most) ? one : most));
  return {
    ratio: 1 / timesAsLong(worst),
    target: Number((1 / TIMES_AS_LONG).toFixed(3)),
    table: {
      columns: ['median ms', ...sizes.map((size) => number(size)), 'times as long', 'first time'],
      rows: measured.map((one) => [
        one.shape.name,
        ...one.medianMs.map((ms) => number(ms, 1)),
        number(timesAsLong(one), 2),
        one.shape.asks === 'same' ? number(one.firstMs.at(-1) ?? 0, 1) : '',
      ]),
    },
    figures: {
      worst_times_as_long: Number(timesAsLong(worst).toFixed(3)),
      worst: worst.shape.name,
      median_times_as_long: Number(median(measured.map(timesAsLong)).toFixed(3)),
      cold_broad_p95_ms: Math.round(percentile(coldTimes(measured), 0.95)),
      slowest_first_time_ms: Math.round(Math.max(...measured.map(({ firstMs }) => firstMs.at(-1) ?? 0))),
    },
    chart: chart(measured, sizes),
  };
}

/** Every time of a broad search at the largest size that nothing remembered could help with. */
function coldTimes(measured: readonly Measured[]): number[] {
  return measured.flatMap(({ shape, firstMs, timesMs }) => {
    if (COLD.includes(shape)) return timesMs;
    return shape.asks === 'same' ? [firstMs.at(-1) ?? 0] : [];
  });
}

function chart(measured: readonly Measured[], sizes: readonly number[]): string {
  return renderChart({
    title: 'How long lists take, by how much mail there is',
    xLabel: 'emails',
    yLabel: 'median milliseconds of a request',
    series: measured
      .filter(({ shape }) => CHARTED.includes(shape.name))
      .map(({ shape, medianMs }) => ({
        name: shape.name,
        points: sizes.map((size, index) => [size, medianMs[index] ?? 0] as const),
      })),
  });
}
