/** More than the API can take, and ten thousand connections that say nothing. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { BenchResult, Progress } from './support/bench.ts';
import { type Installation, startInstallation } from './support/installation.ts';
import { expectOnly, load } from './support/load.ts';
import type { LoadFindings } from './support/load-process.ts';
import { residentMegabytes } from './support/memory.ts';
import { sendRequest } from './support/send-request.ts';
import { number } from './support/table.ts';

export const title = 'Accepting under more load than it can take, and among 10,000 idle connections';
export const claim =
  'idle connections cost at most a tenth of the rate; under overload there is nothing but 201 and 503, memory does not grow, and right after it the rate is back';

const IDLE = 10_000;
const OPENED_AT_ONCE = 500;
const BUSY = 64;
/** More requests at once than may wait. */
const TOO_MANY = 6_000;
const ROUND_MS = 5_000;
const RIGHT_AFTER_MS = 1_000;
const TARGETS = { rate: 0.9, growth: 1.15 };

export async function run(progress: Progress): Promise<BenchResult> {
  progress('starting PostgreSQL and the API');
  const installation = await startInstallation();
  try {
    return report(await measure(installation, progress));
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

async function measure(installation: Installation, progress: Progress): Promise<Findings> {
  const send = (connections: number, durationMs = ROUND_MS) =>
    load(sendRequest(installation), { port: installation.apiPort, connections, durationMs });
  const rss = () => residentMegabytes(installation.apiPid);
  progress('warming up');
  await send(BUSY);
  const usual = await send(BUSY);
  expectOnly(201, usual);
  const usualMb = rss();
  progress(`${number(rateOf(usual))}/s; opening ${number(IDLE)} idle connections`);
  const idle = await openIdle(installation.apiPort);
  const amongIdle = await send(BUSY);
  expectOnly(201, amongIdle);
  const idleMb = rss();
  for (const socket of idle) socket.destroy();
  progress(`${number(rateOf(amongIdle))}/s; overload`);
  await send(TOO_MANY);
  const first = rss();
  const overload = await send(TOO_MANY);
  const second = rss();
  const after = await send(BUSY, RIGHT_AFTER_MS);
  progress(`${JSON.stringify(overload.statuses)}; right after: ${number(rateOf(after))}/s`);
  return {
    usual: rateOf(usual),
    amongIdle: rateOf(amongIdle),
    overload,
    after: rateOf(after),
    rssMb: { usual: usualMb, idle: idleMb, first, second },
  };
}

function report({ usual, amongIdle, overload, after, rssMb }: Findings): BenchResult {
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
        ['accepted/s, 64 connections', number(usual), ''],
        [
          'the same among 10,000 idle ones',
          `${number(amongIdle)} (${number(amongIdle / usual, 2)})`,
          '>= 0.9',
        ],
        [`accepted/s, ${number(TOO_MANY)} connections`, number(taken / overload.seconds), ''],
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

async function openIdle(port: number): Promise<Socket[]> {
  const sockets: Socket[] = [];
  while (sockets.length < IDLE) {
    const some = Array.from({ length: OPENED_AT_ONCE }, () => connect(port, '127.0.0.1'));
    await Promise.all(some.map((socket) => once(socket, 'connect')));
    for (const socket of some) socket.on('error', () => {});
    sockets.push(...some);
  }
  return sockets;
}

function rateOf(findings: LoadFindings): number {
  return (findings.statuses[201] ?? 0) / findings.seconds;
}
