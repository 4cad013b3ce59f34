/** Accepting with traces off, against the same program with every call of tracing cut out of it; and with traces on. */
import { rmSync } from 'node:fs';
import { startOtlpReceiver } from '../test/support/otlp-receiver.ts';
import type { BenchResult, Progress, Size } from './support/bench.ts';
import { type Cut, cutProgram } from './support/cut-program.ts';
import { measureInTurns } from './support/in-turns.ts';
import { type Installation, startInstallation } from './support/installation.ts';
import { expectOnly, load } from './support/load.ts';
import { median } from './support/measure.ts';
import { residentMegabytes } from './support/memory.ts';
import { sendRequest } from './support/send-request.ts';
import { number } from './support/table.ts';
import { waitFor } from './support/wait.ts';

export const title =
  'Accepting a 4 KB email with traces off, on, and without the code that makes them, 64 connections';
export const claim =
  'with traces off the API accepts at least 0.97 of what it accepts without the tracing code';

const TARGET = 0.97;
const SIZES = {
  full: { connections: 64, rounds: 7, roundMs: 3_000 },
  smoke: { connections: 8, rounds: 1, roundMs: 300 },
};
const WITHOUT = 'api-without-tracing';

/** Every place where the API does something for traces, as it stands in the built program, and what is left without it. */
const CUTS: readonly Cut[] = [
  [/traceRequests\(app, options\.tracer\);/, ''],
  [/const traced = traceAccept\(tracer, submission\);/, 'const traced = { submission, span: null };'],
];

type Name = 'without' | 'off' | 'on';

export async function run(progress: Progress, size: Size): Promise<BenchResult> {
  const { connections, rounds, roundMs } = SIZES[size];
  const measure = (one: Installation) => acceptedPerSecond(one, connections, roundMs);
  const collector = await startOtlpReceiver();
  const program = cutProgram(WITHOUT, CUTS);
  const installations = new Map<Name, Installation>();
  try {
    installations.set('without', await startInstallation({}, WITHOUT));
    installations.set('off', await startInstallation());
    installations.set('on', await startInstallation({ POSTRIDER_TRACES_URL: collector.url }));
    for (const { db } of installations.values())
      await db.exec({ name: '', text: 'UPDATE organizations SET daily_limit = 2000000000' });
    const rates = await measureInTurns(installations, rounds, measure, progress);
    // Spans are sent every few seconds; without any, nothing would have been traced.
    await waitFor('the first span', () => collector.spans.length > 0);
    return report(rates, installations);
  } finally {
    for (const installation of installations.values()) await installation.stop();
    await collector.close();
    rmSync(program);
  }
}

async function acceptedPerSecond(
  installation: Installation,
  connections: number,
  durationMs: number,
): Promise<number> {
  const order = { port: installation.apiPort, connections, durationMs };
  const findings = await load(sendRequest(installation), order);
  expectOnly(201, findings);
  return findings.answers / findings.seconds;
}

function report(
  all: ReadonlyMap<Name, readonly number[]>,
  installations: ReadonlyMap<Name, Installation>,
): BenchResult {
  const rates = new Map([...all].map(([name, rounds]) => [name, median(rounds)]));
  const without = rates.get('without') ?? Number.NaN;
  const part = (name: Name) => (rates.get(name) ?? Number.NaN) / without;
  const memory = (name: Name) => residentMegabytes(installations.get(name)?.apiPid ?? 0);
  return {
    ratio: part('off'),
    target: TARGET,
    table: {
      columns: ['traces', 'accepted a second', 'of without', 'API MB'],
      rows: [...rates].map(([name, rate]) => [
        name,
        number(rate),
        number(part(name), 2),
        String(memory(name)),
      ]),
    },
    figures: { off: Number(part('off').toFixed(3)), on: Number(part('on').toFixed(3)) },
  };
}
