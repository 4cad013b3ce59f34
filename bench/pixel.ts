/** Pixels: signed tokens of mail that was delivered, each open written to the database, against the bare framework. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { adHoc } from '../src/database/sql.ts';
import { pixelUrl } from '../src/protocols/message/tracking-links.ts';
import { uuidv7 } from '../src/runtime/ids.ts';
import { SecretKey } from '../src/runtime/secret-key.ts';
import type { BenchResult, Progress, Size } from './support/bench.ts';
import { end, freePort, type Installation, startInstallation, untilReady } from './support/installation.ts';
import { expectOnly, type HttpRequest, load } from './support/load.ts';
import type { LoadFindings } from './support/load-process.ts';
import { median } from './support/measure.ts';
import { residentMegabytes } from './support/memory.ts';
import { number } from './support/table.ts';

export const title = 'Answering the pixel of a tracked mail, and recording the opens';
export const claim =
  'at least 0.25 of the bare framework with the same 43 bytes at 64 connections; 99 % within 5 ms at 500/s; memory flat';

const SECRET_KEY = 'bench-secret-key-bench-secret-key-0123456789';
const CONNECTIONS = 64;
const SIZES = {
  full: { deliveries: 20_000, rounds: 4, lightRounds: 3, roundMs: 3_000, warmUpMs: 8_000 },
  smoke: { deliveries: 500, rounds: 1, lightRounds: 1, roundMs: 400, warmUpMs: 1_000 },
};
type Numbers = (typeof SIZES)[Size];
const POLL_MS = 50;
/** Nothing is waiting any more when nothing was recorded for so long. */
const QUIET_POLLS = 20;
/** Ten requests at a time, about fifty rounds of them a second. */
const LIGHT = { connections: 10, pauseMs: 19 };
const TARGETS = { throughput: 0.25, withinFiveMs: 0.99, growthMb: 32 };

type Name = 'postrider' | 'reference';
type Figure = 'recordedPerSecond' | 'beforeMb' | 'afterMb' | 'withinFiveMs';
type Load = (order: { connections: number; durationMs: number; pauseMs?: number }) => Promise<LoadFindings>;

export async function run(progress: Progress, size: Size): Promise<BenchResult> {
  progress('starting PostgreSQL and the API');
  const installation = await startInstallation({ POSTRIDER_SECRET_KEY: SECRET_KEY });
  const port = await freePort();
  const script = fileURLToPath(new URL('./support/pixel-server.ts', import.meta.url));
  const reference = spawn(process.execPath, ['--import', 'tsx', script, String(port)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    await untilReady(port, reference);
    const requests = await seedDeliveries(installation, SIZES[size].deliveries);
    const contestants: Record<Name, Load> = {
      postrider: (order) => load(requests, { ...order, port: installation.apiPort }),
      reference: (order) => load(requests, { ...order, port }),
    };
    return await measure(installation, contestants, SIZES[size], progress);
  } finally {
    await end(reference);
    await installation.stop();
  }
}

/** Emails that were delivered a while ago, and the request for the pixel of each. */
async function seedDeliveries(
  { db, organizationId }: Installation,
  deliveries: number,
): Promise<HttpRequest[]> {
  const ids = Array.from({ length: deliveries }, () => uuidv7(Date.now()));
  await db.exec(
    adHoc(`INSERT INTO emails (organization_id, id, status, priority, track_opens, created_at, updated_at, from_email,
                               subject, addresses, search)
           SELECT $1, id, 'delivered', 1, true, now(), now(), 'a@sandbox.test', 'Bench', '{}', '{}'
           FROM unnest($2::uuid[]) AS id`),
    [organizationId, ids],
  );
  await db.exec(
    adHoc(`INSERT INTO recipients (organization_id, email_id, position, kind, address, state, updated_at)
           SELECT $1, id, 0, 'to', 'ada@example.org', 'delivered', now() - interval '1 hour'
           FROM unnest($2::uuid[]) AS id`),
    [organizationId, ids],
  );
  const key = new SecretKey(Buffer.from(SECRET_KEY)).derive('tracking');
  const headers = {
    'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Thunderbird/128.4.0',
  };
  return ids.map((emailId) => ({
    method: 'GET',
    path: pixelUrl({ key, publicUrl: '' }, { organizationId, emailId, position: 0 }),
    headers,
  }));
}

async function measure(
  { apiPid, apiPort, db }: Installation,
  contestants: Readonly<Record<Name, Load>>,
  { rounds, lightRounds, roundMs, warmUpMs }: Numbers,
  progress: Progress,
): Promise<BenchResult> {
  const names: Name[] = ['postrider', 'reference'];
  const found: Record<Name, LoadFindings[]> = { postrider: [], reference: [] };
  progress('warming up: every delivery is opened for the first time');
  const warming = Promise.all(
    names.map((name) => contestants[name]({ connections: 16, durationMs: warmUpMs })),
  );
  const recordedPerSecond = await recordingRate(db, warming);
  for (const findings of await warming) expectOnly(200, findings);
  const beforeMb = residentMegabytes(apiPid);
  for (let round = 1; round <= rounds; round += 1) {
    for (const name of round % 2 === 0 ? names.toReversed() : names) {
      const findings = await contestants[name]({ connections: CONNECTIONS, durationMs: roundMs });
      expectOnly(200, findings);
      found[name].push(findings);
    }
    progress(
      `round ${round}: ${names.map((name) => `${name} ${number(rateOf(found[name].at(-1)))}/s`).join(', ')}`,
    );
  }
  const afterMb = residentMegabytes(apiPid);
  const before = await answeredBy(apiPort);
  const light: Record<Name, LoadFindings[]> = { postrider: [], reference: [] };
  for (let round = 1; round <= lightRounds; round += 1)
    for (const name of names) light[name].push(await contestants[name]({ ...LIGHT, durationMs: roundMs }));
  const after = await answeredBy(apiPort);
  const withinFiveMs = (after.soon - before.soon) / (after.all - before.all);
  return report(found, light, { recordedPerSecond, beforeMb, afterMb, withinFiveMs });
}

function report(
  found: Readonly<Record<Name, readonly LoadFindings[]>>,
  light: Readonly<Record<Name, readonly LoadFindings[]>>,
  { recordedPerSecond, beforeMb, afterMb, withinFiveMs }: Readonly<Record<Figure, number>>,
): BenchResult {
  const rate = (name: Name) => median(found[name].map(rateOf));
  const throughput = rate('postrider') / rate('reference');
  const row = (name: Name) => [
    name,
    number(rate(name)),
    number(median(found[name].map((one) => one.p99Ms)), 1),
    number(median(light[name].map((one) => one.p99Ms)), 1),
  ];
  return {
    // The weakest of the claims, each as a part of its own target.
    ratio: Math.min(
      throughput / TARGETS.throughput,
      withinFiveMs / TARGETS.withinFiveMs,
      TARGETS.growthMb / Math.max(afterMb - beforeMb, 1),
    ),
    target: 1,
    table: {
      columns: ['server', 'pixels/s', `p99 ms at ${CONNECTIONS} connections`, 'p99 ms at 500/s'],
      rows: [row('postrider'), row('reference')],
    },
    figures: {
      throughput_ratio: Number(throughput.toFixed(3)),
      per_second: Math.round(rate('postrider')),
      reference_per_second: Math.round(rate('reference')),
      within_5_ms: Number(withinFiveMs.toFixed(4)),
      opens_recorded_per_second: Math.round(recordedPerSecond),
      rss_mb_before: beforeMb,
      rss_mb_after: afterMb,
    },
  };
}

/** How many pixels the API has answered, and how many of them within 5 ms, by its own metrics. */
async function answeredBy(port: number): Promise<{ all: number; soon: number }> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const lines = text.split('\n').filter((line) => line.includes('route="/t/o/*"'));
  const of = (name: string, label = '') =>
    Number(
      lines
        .find((line) => line.startsWith(`${name}{`) && line.includes(label))
        ?.split(' ')
        .at(-1) ?? 0,
    );
  return {
    all: of('postrider_http_request_duration_seconds_count'),
    soon: of('postrider_http_request_duration_seconds_bucket', 'le="0.005"'),
  };
}

/** How many first opens become events in a second, while the pixels are fetched and the reference runs beside it. */
async function recordingRate(db: Installation['db'], loaded: Promise<unknown>): Promise<number> {
  const counts: { atMs: number; count: number }[] = [{ atMs: performance.now(), count: 0 }];
  let isLoading = true;
  void loaded.finally(() => {
    isLoading = false;
  });
  while (isLoading || counts.at(-1)?.count !== counts.at(-QUIET_POLLS)?.count) {
    counts.push({ atMs: performance.now(), count: await recordedOpens(db) });
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  const total = counts.at(-1)?.count ?? 0;
  const last = counts.find(({ count }) => count === total);
  if (total === 0 || last === undefined) throw new Error('No opens were recorded.');
  // From when the first were there; where all came at once, from the start.
  const first =
    counts.find(({ count }) => count > 0 && count < total) ?? (counts[0] as { atMs: number; count: number });
  return (total - first.count) / ((last.atMs - first.atMs) / 1000);
}

async function recordedOpens(db: Installation['db']): Promise<number> {
  const row = await db.one(
    adHoc<{ count: number }>(`SELECT count(*) AS count FROM events WHERE type = 'opened'`),
  );
  return row.count;
}

function rateOf(findings: LoadFindings | undefined): number {
  return findings === undefined ? 0 : findings.answers / findings.seconds;
}
