/** `npm run soak`: see `USAGE`. Exit code 0 only when everything is flat and all mail is accounted for. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandOptions } from '../support/command-options.ts';
import { soakChart } from './chart.ts';
import { isFlat, tableOf } from './report.ts';
import { runSoak, type SoakOptions } from './soak.ts';

const USAGE = `usage: npm run soak -- [options]
  --minutes N      how long in all, the minute that measures the capacity included (60)
  --load N         part of the capacity to send at (0.7)
  --rate N         emails a second instead; the capacity is not measured
  --workers N      worker processes (2)
  --seed N         repeats what is sent
  --json FILE      the report with every sample, for programs
  --chart FILE     the chart, as SVG
  --keep           leaves the data folder even when all is well
SIGUSR2 ends the work early; what was seen until then is judged.`;

/** Of a minute or two no quarter has enough samples. */
const LEAST_MINUTES = 3;

process.exitCode = await main();

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

async function main(): Promise<number> {
  const values = commandOptions(USAGE, {
    minutes: { type: 'string', default: '60' },
    load: { type: 'string', default: '0.7' },
    rate: { type: 'string' },
    workers: { type: 'string', default: '2' },
    seed: { type: 'string', default: String(Math.ceil(Math.random() * 1_000_000)) },
    json: { type: 'string' },
    chart: { type: 'string' },
    keep: { type: 'boolean', default: false },
  });
  const numbers = [values.load, values.rate ?? '1', values.workers, values.seed].map(Number);
  if (!(Number(values.minutes) >= LEAST_MINUTES) || numbers.some((one) => !(one > 0))) {
    say(`${USAGE}\nAll numbers are above 0, and minutes at least ${LEAST_MINUTES}.`);
    return 2;
  }
  const folder = mkdtempSync(join(tmpdir(), 'postrider-soak-'));
  const dataDir = join(folder, 'data');
  mkdirSync(dataDir);
  // PostgreSQL may run as somebody else.
  for (const one of [folder, dataDir]) chmodSync(one, 0o755);
  const enough = new AbortController();
  process.once('SIGUSR2', () => enough.abort());
  const options: SoakOptions = {
    dataDir,
    outsideFile: join(folder, 'outside.jsonl'),
    samplesFile: join(folder, 'samples.jsonl'),
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
    forMs: Number(values.minutes) * 60_000,
    workers: Number(values.workers),
    seed: Number(values.seed),
    pace: values.rate === undefined ? { load: Number(values.load) } : { rate: Number(values.rate) },
    enough: enough.signal,
    say,
  };
  return soak(options, { folder, ...values });
}

interface Output {
  readonly folder: string;
  readonly json?: string | undefined;
  readonly chart?: string | undefined;
  readonly keep: boolean;
}

async function soak(options: SoakOptions, { folder, json, chart, keep }: Output): Promise<number> {
  say(
    `Soaking for ${options.forMs / 60_000} minutes, seed ${options.seed}, data in ${folder}, process ${process.pid}.`,
  );
  try {
    const report = await runSoak(options);
    const flat = isFlat(report);
    process.stdout.write(`\n${tableOf(report)}\n\n`);
    for (const problem of report.problems) process.stdout.write(`${problem}\n`);
    if (json !== undefined) writeFileSync(json, `${JSON.stringify({ flat, ...report }, null, 1)}\n`);
    if (chart !== undefined) writeFileSync(chart, soakChart(report));
    if (flat && !keep) rmSync(folder, { recursive: true, force: true });
    else say(`Data and logs are in ${folder}.`);
    say(flat ? 'All is flat, and all mail is accounted for.' : 'NOT all is flat and accounted for.');
    return flat ? 0 : 1;
  } catch (error) {
    say(`The soak could not be brought to its end; data and logs are in ${folder}.`);
    say(error instanceof Error ? (error.stack ?? error.message) : String(error));
    return 1;
  }
}
