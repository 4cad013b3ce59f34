/** How long one sign-in code takes: from the request's first byte to the receiving server's final dot; against Postfix. */
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchResult, Progress, Size } from './support/bench.ts';
import { load } from './support/load.ts';
import type { LoadFindings } from './support/load-process.ts';
import { DOMAINS } from './support/mail-sink.ts';
import { percentile } from './support/measure.ts';
import { requireOpenDkim, startSigningFilter } from './support/opendkim.ts';
import { POSTFIX_SENDER, requirePostfix, startPostfix } from './support/postfix.ts';
import { httpProbe, type ProbeClient, smtpProbe } from './support/probe-client.ts';
import { number } from './support/table.ts';
import { startWholeWay, type WholeWay } from './support/whole-way.ts';

export const title = 'One sign-in code, from the first byte of the request to the final dot';
export const claim =
  'idle, p50 and p99 are at most those of Postfix in the same run; beside half of the mail that the machine can deliver (at most 1,000 emails a second), p99 is at most 3 times as long as idle';

const TARGETS = { busy: 3 };
/**
 * `limit`: how the most that the machine can pass is found. `busy`: what passes by is that many a second, or half of the most;
 * beyond that a queue grows, and nothing is steady. `ramp`: until that is steady.
 */
const SIZES = {
  full: {
    ...{ rounds: 4, probes: 100, warmUpProbes: 100, rampMs: 3_000 },
    busy: { perSecond: 1_000, part: 0.5, connections: 50, seconds: 30 },
    limit: { connections: 64, durationMs: 8_000 },
    destinations: DOMAINS,
  },
  smoke: {
    ...{ rounds: 1, probes: 5, warmUpProbes: 2, rampMs: 300 },
    busy: { perSecond: 100, part: 0.5, connections: 10, seconds: 2 },
    limit: { connections: 16, durationMs: 30_000, most: 300 },
    // If all of these mails went to one person, the guard would hold them, and the bench would fail.
    destinations: 1,
  },
};
type Numbers = (typeof SIZES)[Size];
/** One person at a time, now and then; not in step with anything that ticks. */
const PAUSE_MS = { from: 20, to: 80 };
const CODE = { subject: 'Your sign-in code', text: 'Your code is 483 920. It is valid for ten minutes.' };

export async function run(progress: Progress, size: Size): Promise<BenchResult> {
  const numbers = SIZES[size];
  requirePostfix();
  requireOpenDkim();
  const way = await startWholeWay(1);
  const postfix = await startPostfix(way.sink);
  const filter = await startSigningFilter(POSTFIX_SENDER);
  const signing = await startPostfix(way.sink, filter.milter);
  const to = (n: number) => `probe-${n}@${way.sink.domain(n)}`;
  const ours = await httpProbe(way.installation.apiPort, (n) => way.requestTo(to(n), CODE));
  const content = `From: codes@${POSTFIX_SENDER}\r\nSubject: ${CODE.subject}\r\n\r\n${CODE.text}`;
  const mail = { from: `codes@${POSTFIX_SENDER}`, to, content };
  const theirs = await smtpProbe(postfix.port, mail);
  const theirsSigned = await smtpProbe(signing.port, mail);
  try {
    const idle = await measureIdle(way, { ours, postfix: theirs, signed: theirsSigned }, numbers, progress);
    const stages = await way.stages();
    const busy = await measureBusy(way, ours, numbers, progress);
    return report(idle, busy, stages);
  } finally {
    ours.stop();
    theirs.stop();
    theirsSigned.stop();
    await postfix.stop();
    await signing.stop();
    await filter.stop();
    await way.stop();
  }
}

let sent = 0;

/** Milliseconds of each. */
async function measure(way: WholeWay, client: ProbeClient, count: number): Promise<number[]> {
  const tookMs: number[] = [];
  for (let i = 0; i < count; i += 1) {
    sent += 1;
    const [arrivedNs, sentNs] = await Promise.all([way.probed(sent), client.send(sent)]);
    tookMs.push(Number(arrivedNs - sentNs) / 1e6);
    await sleep(PAUSE_MS.from + (PAUSE_MS.to - PAUSE_MS.from) * Math.random());
  }
  return tookMs;
}

const PEERS = ['ours', 'postfix', 'signed'] as const;
type Peers<T> = Readonly<Record<(typeof PEERS)[number], T>>;

interface Idle extends Peers<readonly number[]> {
  /** The RSA operation alone, one at a time. */
  readonly rsa: readonly number[];
}

async function measureIdle(
  way: WholeWay,
  clients: Peers<ProbeClient>,
  { rounds, probes, warmUpProbes }: Numbers,
  progress: Progress,
): Promise<Idle> {
  progress('warming up');
  for (const peer of PEERS) await measure(way, clients[peer], warmUpProbes);
  const found: Record<keyof Idle, number[]> = { ours: [], postfix: [], signed: [], rsa: [] };
  const middle = (of: keyof Idle) => `${number(percentile(found[of], 0.5), 1)} ms`;
  for (let round = 1; round <= rounds; round += 1) {
    for (const peer of PEERS) found[peer].push(...(await measure(way, clients[peer], probes)));
    found.rsa.push(...(await signAlone(probes)));
    progress(
      `idle, round ${round} of ${rounds}: p50 ${middle('ours')}, Postfix ${middle('postfix')}, with OpenDKIM ${middle('signed')}, RSA alone ${middle('rsa')}`,
    );
  }
  return found;
}

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

async function signAlone(count: number): Promise<number[]> {
  const tookMs: number[] = [];
  for (let i = 0; i < count; i += 1) {
    await sleep(PAUSE_MS.from);
    const startedMs = performance.now();
    sign('sha256', randomBytes(500), privateKey);
    tookMs.push(performance.now() - startedMs);
  }
  return tookMs;
}

interface Busy {
  readonly ours: readonly number[];
  readonly load: LoadFindings;
  /** Emails a second that the machine can pass. */
  readonly most: number;
}

/** Emails a second, from the first request until nothing waits any more. */
async function mostPassed(way: WholeWay, { limit, destinations }: Numbers): Promise<number> {
  const startedMs = performance.now();
  const { answers } = await load(way.requests.slice(0, destinations), {
    port: way.installation.apiPort,
    ...limit,
  });
  await way.untilDone();
  return (answers * 1000) / (performance.now() - startedMs);
}

async function measureBusy(
  way: WholeWay,
  ours: ProbeClient,
  numbers: Numbers,
  progress: Progress,
): Promise<Busy> {
  const { busy, rampMs, rounds, probes } = numbers;
  const most = await mostPassed(way, numbers);
  const perSecond = Math.min(busy.perSecond, most * busy.part);
  progress(
    `while ${number(perSecond)} emails a second pass by, of ${number(most)} that the machine can pass`,
  );
  const others = load(way.requests, {
    port: way.installation.apiPort,
    connections: busy.connections,
    durationMs: busy.seconds * 1000,
    pauseMs: (busy.connections * 1000) / perSecond,
  });
  await sleep(rampMs);
  const probed = await measure(way, ours, rounds * probes);
  return { ours: probed, load: await others, most };
}

function report(idle: Idle, busy: Busy, stages: Readonly<Record<string, number>>): BenchResult {
  const row = (name: string, values: readonly number[]) => [
    name,
    ...[0.5, 0.9, 0.99].map((part) => number(percentile(values, part), 1)),
  ];
  const p50 = percentile(idle.postfix, 0.5) / percentile(idle.ours, 0.5);
  const p99 = percentile(idle.postfix, 0.99) / percentile(idle.ours, 0.99);
  const busyTimes = percentile(busy.ours, 0.99) / percentile(idle.ours, 0.99);
  return {
    // The weakest of the three, so that 1 means that all hold.
    ratio: Math.min(p50, p99, TARGETS.busy / busyTimes),
    target: 1,
    table: {
      columns: ['ms from first byte to final dot', 'p50', 'p90', 'p99'],
      rows: [
        row('postrider, idle', idle.ours),
        row('Postfix, idle, not signed', idle.postfix),
        row('Postfix with OpenDKIM, idle', idle.signed),
        row('one RSA-2048 signature and nothing else', idle.rsa),
        row(`postrider, ${number(busy.load.answers / busy.load.seconds)} emails/s beside it`, busy.ours),
      ],
    },
    figures: {
      p50_ms: Number(percentile(idle.ours, 0.5).toFixed(2)),
      p99_ms: Number(percentile(idle.ours, 0.99).toFixed(2)),
      postfix_p50_ms: Number(percentile(idle.postfix, 0.5).toFixed(2)),
      postfix_p99_ms: Number(percentile(idle.postfix, 0.99).toFixed(2)),
      postfix_opendkim_p50_ms: Number(percentile(idle.signed, 0.5).toFixed(2)),
      postfix_opendkim_p99_ms: Number(percentile(idle.signed, 0.99).toFixed(2)),
      rsa_p50_ms: Number(percentile(idle.rsa, 0.5).toFixed(2)),
      busy_p99_ms: Number(percentile(busy.ours, 0.99).toFixed(2)),
      busy_p99_times_idle: Number(busyTimes.toFixed(2)),
      ...Object.fromEntries(
        Object.entries(stages).map(([stage, ms]) => [`mean_${stage}_ms`, Number(ms.toFixed(2))]),
      ),
      most_per_second: Math.round(busy.most),
      others_per_second: Math.round(busy.load.answers / busy.load.seconds),
    },
  };
}
