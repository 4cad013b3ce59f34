/** Accepting single emails over HTTP, against the bare framework with one durable insert per flush, and Postfix. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type BenchResult, MissingPeer, type Progress, type Size } from './support/bench.ts';
import { renderChart } from './support/chart.ts';
import { end, freePort, type Installation, startInstallation, untilReady } from './support/installation.ts';
import { expectOnly, load } from './support/load.ts';
import type { LoadFindings } from './support/load-process.ts';
import { startMailSink } from './support/mail-sink.ts';
import { median, untilSteady } from './support/measure.ts';
import { residentMegabytes } from './support/memory.ts';
import { requirePostfix, startPostfix } from './support/postfix.ts';
import { CONTENT_BYTES } from './support/receipt.ts';
import { sendRequest } from './support/send-request.ts';
import { number } from './support/table.ts';

export const title = 'Accepting a 4 KB email: key, verified domain, suppressions, daily limit, fsync on';
export const claim =
  'at least 0.45 of the rate of the bare framework with one durable insert per flush at 1 connection, 0.40 at 8, 0.50 at 64 and at 256; p99 at 64 at most 2.5 times as long';

/** How much of the reference has to be reached, by connections. */
const TARGETS = new Map([
  [1, 0.45],
  [8, 0.4],
  [64, 0.5],
  [256, 0.5],
]);
const TARGET_P99 = 2.5;
const CONNECTIONS = [...TARGETS.keys()];
const HEADLINE = 64;
const WARM_UP_CONNECTIONS = 32;
const SIZES = {
  full: { rounds: 3, roundMs: 4_000, warmUps: 8, postfixMails: 5_000 },
  smoke: { rounds: 1, roundMs: 300, warmUps: 1, postfixMails: 100 },
};
type Numbers = (typeof SIZES)[Size];

type Name = 'postrider' | 'reference';
type Rounds = Map<number, Record<Name, LoadFindings[]>>;

export async function run(progress: Progress, size: Size): Promise<BenchResult> {
  const numbers = SIZES[size];
  progress('starting PostgreSQL and the API');
  const installation = await startInstallation();
  const port = await freePort();
  const script = fileURLToPath(new URL('./support/reference-server.ts', import.meta.url));
  const reference = spawn(
    process.execPath,
    ['--import', 'tsx', script, String(port), installation.databaseUrl],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  try {
    await liftDailyLimit(installation);
    await untilReady(port, reference);
    const rounds = await measure(installation, port, numbers, progress);
    const rssMegabytes = residentMegabytes(installation.apiPid);
    return report(rounds, rssMegabytes, await measurePostfix(numbers, progress));
  } finally {
    await end(reference);
    await installation.stop();
  }
}

async function liftDailyLimit({ db, organizationId }: Installation): Promise<void> {
  await db.exec({ name: '', text: 'UPDATE organizations SET daily_limit = 2000000000 WHERE id = $1' }, [
    organizationId,
  ]);
}

/** In turns, and the other way round every time. */
async function measure(
  installation: Installation,
  port: number,
  { rounds: count, roundMs, warmUps }: Numbers,
  progress: Progress,
): Promise<Rounds> {
  const contestants = {
    postrider: (connections: number, durationMs: number) =>
      load(sendRequest(installation, '/api/v1/emails/send'), {
        port: installation.apiPort,
        connections,
        durationMs,
      }),
    reference: (connections: number, durationMs: number) =>
      load(sendRequest(installation, '/'), { port, connections, durationMs }),
  };
  const names: Name[] = ['postrider', 'reference'];
  progress('warming up');
  for (const name of names) {
    await untilSteady(async () => {
      const findings = await contestants[name](WARM_UP_CONNECTIONS, roundMs);
      expectOnly(201, findings);
      return rateOf(findings);
    }, warmUps);
  }
  const rounds: Rounds = new Map(
    CONNECTIONS.map((connections) => [connections, { postrider: [], reference: [] }]),
  );
  for (const connections of CONNECTIONS) {
    for (let round = 1; round <= count; round += 1) {
      for (const name of round % 2 === 0 ? names.toReversed() : names) {
        const findings = await contestants[name](connections, roundMs);
        expectOnly(201, findings);
        rounds.get(connections)?.[name].push(findings);
      }
      const last = (name: Name) => rateOf(rounds.get(connections)?.[name].at(-1));
      progress(
        `${connections} connections, round ${round}: ${number(last('postrider'))}/s against ${number(last('reference'))}/s`,
      );
    }
  }
  return rounds;
}

/** On the same disk, after and not beside the others; null where it is not installed. */
async function measurePostfix({ postfixMails }: Numbers, progress: Progress): Promise<number | null> {
  try {
    requirePostfix();
  } catch (error) {
    if (!(error instanceof MissingPeer)) throw error;
    progress(`without Postfix: ${error.message}`);
    return null;
  }
  progress('Postfix');
  const sink = await startMailSink();
  const postfix = await startPostfix(sink);
  try {
    return await postfix.accept(postfixMails, CONTENT_BYTES);
  } finally {
    await postfix.stop();
    await sink.stop();
  }
}

function report(rounds: Rounds, rssMegabytes: number, postfix: number | null): BenchResult {
  const rows = CONNECTIONS.map((connections) => {
    const { postrider, reference } = rounds.get(connections) as Record<Name, LoadFindings[]>;
    return { connections, ours: summary(postrider), theirs: summary(reference) };
  });
  const headline = rows.find((row) => row.connections === HEADLINE) as (typeof rows)[number];
  const throughput = headline.ours.rate / headline.theirs.rate;
  const slower = headline.ours.p99Ms / headline.theirs.p99Ms;
  const timesPostfix = postfix === null ? null : headline.ours.rate / postfix;
  return {
    // The weakest of the claims, each as a part of its own target.
    ratio: Math.min(
      ...rows.map((row) => row.ours.rate / row.theirs.rate / (TARGETS.get(row.connections) as number)),
      TARGET_P99 / slower,
    ),
    target: 1,
    table: {
      columns: ['connections', 'postrider/s', 'reference/s', 'ratio', 'target', 'p99 ms', 'reference p99 ms'],
      rows: rows.map(({ connections, ours, theirs }) => [
        String(connections),
        number(ours.rate),
        number(theirs.rate),
        number(ours.rate / theirs.rate, 2),
        number(TARGETS.get(connections) as number, 2),
        number(ours.p99Ms, 1),
        number(theirs.p99Ms, 1),
      ]),
    },
    figures: {
      throughput_ratio: Number(throughput.toFixed(3)),
      p99_ratio: Number(slower.toFixed(2)),
      per_second: Math.round(headline.ours.rate),
      reference_per_second: Math.round(headline.theirs.rate),
      postfix_per_second: postfix === null ? 'not installed' : Math.round(postfix),
      times_postfix: timesPostfix === null ? 'not installed' : Number(timesPostfix.toFixed(2)),
      api_rss_mb: rssMegabytes,
    },
    chart: chart(rows),
  };
}

interface Row {
  readonly connections: number;
  readonly ours: { readonly rate: number };
  readonly theirs: { readonly rate: number };
}

function chart(rows: readonly Row[]): string {
  return renderChart({
    title: 'Emails accepted a second, by connections',
    xLabel: 'connections',
    yLabel: 'accepted a second',
    series: [
      { name: 'Postrider', points: rows.map(({ connections, ours }) => [connections, ours.rate] as const) },
      {
        name: 'bare framework, one insert',
        points: rows.map(({ connections, theirs }) => [connections, theirs.rate] as const),
      },
    ],
  });
}

function summary(findings: readonly LoadFindings[]): { rate: number; p99Ms: number } {
  return { rate: median(findings.map(rateOf)), p99Ms: median(findings.map((one) => one.p99Ms)) };
}

function rateOf(findings: LoadFindings | undefined): number {
  return findings === undefined ? 0 : findings.answers / findings.seconds;
}
