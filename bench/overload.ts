/** More than the API can take, and ten thousand connections that say nothing. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { BenchResult, Progress, Size } from './support/bench.ts';
import { type Installation, startInstallation } from './support/installation.ts';
import { expectOnly, load } from './support/load.ts';
import type { LoadFindings } from './support/load-process.ts';
import { residentMegabytes } from './support/memory.ts';
import { sendRequest } from './support/send-request.ts';
import { number } from './support/table.ts';
import { within } from './support/wait.ts';

export const title = 'Accepting under more load than it can take, and among 10,000 idle connections';
export const claim =
  'idle connections cost at most a tenth of the rate; under overload the API answers only 201 and 503, memory does not grow, and the rate is back within a second';

/** `tooMany`: more requests at once than may wait. In smoke they are fewer: opening thousands takes too long there. */
const SIZES = {
  full: { idle: 10_000, openedAtOnce: 500, busy: 64, tooMany: 6_000, roundMs: 5_000, afterMs: 1_000 },
  smoke: { idle: 200, openedAtOnce: 100, busy: 16, tooMany: 300, roundMs: 300, afterMs: 300 },
};
type Numbers = (typeof SIZES)[Size];
const TARGETS = { rate: 0.9, growth: 1.15 };

export async function run(progress: Progress, size: Size): Promise<BenchResult> {
  progress('starting PostgreSQL and the API');
  const installation = await startInstallation();
  try {
    return report(await measure(installation, SIZES[size], progress), SIZES[size]);
  } finally {
    await installation.stop();
  }
}

interface Findings {
  readonly usual: number;
  readonly amongIdle: number;
  readonly overload: LoadFindings;
  readonly after: number;
  readonly rssMb: {
    readonly usual: number;
    readonly idle: number;
    readonly first: number;
    readonly second: number;
  };
}

async function measure(installation: Installation, numbers: Numbers, progress: Progress): Promise<Findings> {
  const { busy, tooMany } = numbers;
  const send = (connections: number, durationMs = numbers.roundMs) =>
    load(sendRequest(installation), { port: installation.apiPort, connections, durationMs });
  const rss = () => residentMegabytes(installation.apiPid);
  progress('warming up');
  await send(busy);
  const usual = await send(busy);
  expectOnly(201, usual);
  const usualMb = rss();
  progress(`${number(rateOf(usual))}/s; opening ${number(numbers.idle)} idle connections`);
  const idle = await openIdle(installation.apiPort, numbers);
  const amongIdle = await send(busy);
  expectOnly(201, amongIdle);
  const idleMb = rss();
  for (const socket of idle) socket.destroy();
  progress(`${number(rateOf(amongIdle))}/s; overload`);
  await send(tooMany);
  const first = rss();
  const overload = await send(tooMany);
  const second = rss();
  const after = await send(busy, numbers.afterMs);
  progress(`${JSON.stringify(overload.statuses)}; right after: ${number(rateOf(after))}/s`);
  return {
    usual: rateOf(usual),
    amongIdle: rateOf(amongIdle),
    overload,
    after: rateOf(after),
    rssMb: { usual: usualMb, idle: idleMb, first, second },
  };
}

function report(
  { usual, amongIdle, overload, after, rssMb }: Findings,
  { idle, busy, tooMany }: Numbers,
): BenchResult {
  const { 201: taken = 0, 503: refused = 0, ...others } = overload.statuses;
  const clean = refused > 0 && Object.keys(others).length === 0;
  const growth = rssMb.second / rssMb.first;
  const ratio = Math.min(
    amongIdle / usual / TARGETS.rate,
    after / usual / TARGETS.rate,
    TARGETS.growth / growth,
    clean ? Number.POSITIVE_INFINITY : 0,
  );
  return {
    ratio,
    target: 1,
    table: {
      columns: ['measured', 'value', 'target'],
      rows: [
        [`accepted/s, ${number(busy)} connections`, number(usual), ''],
        [
          `the same among ${number(idle)} idle ones`,
          `${number(amongIdle)} (${number(amongIdle / usual, 2)})`,
          '>= 0.9',
        ],
        [`accepted/s, ${number(tooMany)} connections`, number(taken / overload.seconds), ''],
        ['refused/s with 503', number(refused / overload.seconds), 'some'],
        ['other answers', JSON.stringify(others), '{}'],
        ['p99 of an answer, ms', number(overload.p99Ms), ''],
        ['accepted/s in the second after', `${number(after)} (${number(after / usual, 2)})`, '>= 0.9'],
        ['MB: usual, idle connections', `${rssMb.usual}, ${rssMb.idle}`, ''],
        ['MB: after one overload, after two', `${rssMb.first}, ${rssMb.second}`, '<= 1.15 x'],
      ],
    },
    figures: {
      kept_among_idle: Number((amongIdle / usual).toFixed(3)),
      kept_after: Number((after / usual).toFixed(3)),
      growth: Number(growth.toFixed(3)),
      refused_per_second: Math.round(refused / overload.seconds),
    },
  };
}

async function openIdle(port: number, { idle, openedAtOnce }: Numbers): Promise<Socket[]> {
  const sockets: Socket[] = [];
  while (sockets.length < idle) {
    const some = Array.from({ length: openedAtOnce }, () => connect(port, '127.0.0.1'));
    await within('idle connections to open', Promise.all(some.map((socket) => once(socket, 'connect'))));
    for (const socket of some) socket.on('error', () => {});
    sockets.push(...some);
  }
  return sockets;
}

function rateOf(findings: LoadFindings): number {
  return (findings.statuses[201] ?? 0) / findings.seconds;
}
