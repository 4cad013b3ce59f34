/**
 * Processor time of accepting while one request in ten is refused and logged, against the same program without the request
 * log. Not rates: from round to round they differ by more than what is measured here.
 */
import { rmSync } from 'node:fs';
import { adHoc } from '../src/database/sql.ts';
import type { BenchResult, Progress, Size } from './support/bench.ts';
import { cpuSeconds } from './support/cpu.ts';
import { cutProgram } from './support/cut-program.ts';
import { measureInTurns } from './support/in-turns.ts';
import { type Installation, startInstallation } from './support/installation.ts';
import { load } from './support/load.ts';
import { median } from './support/measure.ts';
import { sendRequest } from './support/send-request.ts';
import { number } from './support/table.ts';
import { waitFor } from './support/wait.ts';

export const title = 'Accepting a 4 KB email while one request in ten is refused, 64 connections';
export const claim = 'a request takes at most 2 % more processor time with the request log than without it';

const TARGET = 0.98;
const CONNECTIONS = 64;
/** The first half of the rounds warms up: the engine goes on compiling for that long. */
const SIZES = { full: { rounds: 16, roundMs: 3_000 }, smoke: { rounds: 2, roundMs: 400 } };
const WITHOUT = 'api-without-request-log';

type Name = 'without' | 'with';

export async function run(progress: Progress, size: Size): Promise<BenchResult> {
  const { rounds, roundMs } = SIZES[size];
  const program = cutProgram(WITHOUT, [[/reportRefusedRequests\(app, onRefused\);/, '']]);
  const installations = new Map<Name, Installation>();
  try {
    installations.set('without', await startInstallation({}, WITHOUT));
    installations.set('with', await startInstallation());
    for (const { db } of installations.values())
      await db.exec({ name: '', text: 'UPDATE organizations SET daily_limit = 2000000000' });
    const rates = await measureInTurns(installations, rounds, (one) => measure(one, roundMs), progress);
    await expectLogged(installations);
    return report(rates, rounds);
  } finally {
    for (const installation of installations.values()) await installation.stop();
    rmSync(program);
  }
}

/** Nine emails that are accepted, and one that is not: its sender's address is as long, and no address. In us a request. */
async function measure(installation: Installation, durationMs: number): Promise<number> {
  const accepted = sendRequest(installation);
  const refused = {
    ...accepted,
    body: { ...(accepted.body as object), from: { email: 'orders%sandbox.test', name: 'The Shop' } },
  };
  const before = usedSeconds(installation);
  const order = { port: installation.apiPort, connections: CONNECTIONS, durationMs };
  const { statuses } = await load([...Array<typeof accepted>(9).fill(accepted), refused], order);
  const { 201: sent = 0, 400: turnedAway = 0, ...others } = statuses;
  if (turnedAway === 0 || Object.keys(others).length > 0)
    throw new Error(`Other answers than wanted: ${JSON.stringify(statuses)}`);
  return ((usedSeconds(installation) - before) * 1e6) / (sent + turnedAway);
}

function usedSeconds({ apiPid, databasePid }: Installation): number {
  return cpuSeconds(apiPid) + cpuSeconds(databasePid);
}

const anyLogged = adHoc<{ logged: boolean }>('SELECT EXISTS (SELECT FROM request_logs) AS logged');

async function expectLogged(installations: ReadonlyMap<Name, Installation>): Promise<void> {
  for (const [name, { db }] of installations) {
    const isLogged = async () => (await db.one(anyLogged)).logged;
    // Refused requests are written once a second.
    if (name === 'with') await waitFor('a refused request in the log', isLogged);
    else if (await isLogged()) throw new Error('Without the log, a request was logged.');
  }
}

function report(all: ReadonlyMap<Name, readonly number[]>, count: number): BenchResult {
  const costs = new Map([...all].map(([name, rounds]) => [name, leastOf(rounds.slice(count / 2))]));
  const without = costs.get('without') ?? Number.NaN;
  const ratio = without / (costs.get('with') ?? Number.NaN);
  return {
    ratio,
    target: TARGET,
    table: {
      columns: ['request log', 'us of API and PostgreSQL a request', 'of without'],
      rows: [...costs].map(([name, cost]) => [name, number(cost), number(cost / without, 3)]),
    },
    figures: { with: Number(ratio.toFixed(3)) },
  };
}

/** The median of the cheaper half: whatever else the machine does only adds. */
function leastOf(rounds: readonly number[]): number {
  return median(rounds.toSorted((a, b) => a - b).slice(0, Math.ceil(rounds.length / 2)));
}
