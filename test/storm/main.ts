/** `npm run storm`: see `USAGE`. Exit code 0 only when everything that must be nothing is nothing. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandOptions } from '../support/command-options.ts';
import { isClean, tableOf } from './report.ts';
import type { Scenario, StormOptions } from './scenario.ts';
import { SCENARIOS } from './scenarios.ts';
import { FAULT_KINDS } from './schedule.ts';
import { runStorm } from './storm.ts';

const USAGE = `usage: npm run storm -- [options]
  --minutes N      how long faults last
  --rate N         emails a second at most; fewer are sent while the installation has enough to do
  --most-due N     deliveries that are due at once: nothing is sent while there are so many
  --workers N      worker processes
  --seed N         repeats a schedule of faults
  --faults a,b,c   only these: ${FAULT_KINDS.join(', ')}
  --kill-every S   seconds between two kills, on average
  --fault NAME     a scenario of its own:
${SCENARIOS.slice(1)
  .map(({ name, about }) => `                     ${name.padEnd(18)} ${about}`)
  .join('\n')}
  --plain          databases that fail over do so without Patroni, though it is installed
  --json FILE      the report, for programs
  --keep           leaves the data folder even when all is well
Ends with 0 when all is accounted for, 1 when not, 3 when the scenario cannot be done on this machine.`;

// A reader of the output that goes away, such as `head`, must not hide the verdict.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
// What a scenario has left open, such as a gate, must not keep it from ending.
process.exit(await main());

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

async function main(): Promise<number> {
  const values = commandOptions(USAGE, {
    minutes: { type: 'string' },
    rate: { type: 'string' },
    'most-due': { type: 'string' },
    workers: { type: 'string' },
    seed: { type: 'string' },
    faults: { type: 'string' },
    'kill-every': { type: 'string' },
    fault: { type: 'string' },
    json: { type: 'string' },
    keep: { type: 'boolean' },
    plain: { type: 'boolean' },
  });
  const scenario = SCENARIOS.find(({ name }) => name === (values.fault ?? SCENARIOS[0]?.name));
  const kinds = values.faults?.split(',') ?? FAULT_KINDS;
  const { minutes, rate, workers, seed } = values;
  const numbers = [minutes, rate, workers, seed, values['kill-every'], values['most-due']];
  const isWrong = numbers.some((one) => one !== undefined && !(Number(one) > 0));
  if (scenario === undefined || isWrong || kinds.some((kind) => !FAULT_KINDS.includes(kind))) {
    say(USAGE);
    return 2;
  }
  const whyNot = scenario.whyNot?.() ?? null;
  if (whyNot !== null) {
    say(`Skipped, and nothing is proved: ${whyNot}.`);
    return 3;
  }
  const dataDir = mkdtempSync(join(tmpdir(), 'postrider-storm-'));
  chmodSync(dataDir, 0o755);
  return storm(scenario, {
    json: values.json,
    keep: values.keep === true,
    seed: Number(seed ?? Math.ceil(Math.random() * 1_000_000)),
    forMs: Number(minutes ?? scenario.usual.minutes) * 60_000,
    workers: Number(workers ?? scenario.usual.workers),
    kinds: new Set(kinds),
    killEveryMs: Number(values['kill-every'] ?? 1.7) * 1_000,
    longestFreezeMs: 30_000,
    isPlain: values.plain === true,
    sending: { rate: Number(rate ?? scenario.usual.rate), keyed: scenario.keyed },
    ...(values['most-due'] === undefined ? {} : { mostDue: Number(values['most-due']) }),
    stuckAfterMs: 60_000,
    dataDir,
    say,
  });
}

async function storm(
  scenario: Scenario,
  { json, keep, ...options }: StormOptions & { readonly json: string | undefined; readonly keep: boolean },
): Promise<number> {
  const { dataDir } = options;
  const commit = commitOfCode();
  try {
    const report = await runStorm(scenario, {
      ...options,
      onStarted: (endAll) => endWhenAsked(endAll, scenario),
    });
    const clean = isClean(report);
    process.stdout.write(`\n${tableOf(report)}\n\n`);
    if (json !== undefined) writeFileSync(json, `${JSON.stringify({ commit, clean, ...report }, null, 2)}\n`);
    if (clean && !keep) {
      scenario.clear?.();
      rmSync(dataDir, { recursive: true, force: true });
    } else say(`Data, logs and what the outside world saw are in ${dataDir}.`);
    say(clean ? 'All is accounted for.' : 'NOT all is accounted for.');
    return clean ? 0 : 1;
  } catch (error) {
    say(`The storm could not be brought to its end; data and logs are in ${dataDir}.`);
    say(error instanceof Error ? (error.stack ?? error.message) : String(error));
    return 1;
  }
}

/** Ctrl-C must leave nothing behind, least of all something frozen. */
function endWhenAsked(endAll: () => Promise<void>, scenario: Scenario): void {
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.once(name, () => {
      say('Stopping…');
      void endAll().finally(() => {
        scenario.clear?.();
        process.exit(130);
      });
    });
}

/** Null outside of a clone. */
function commitOfCode(): string | null {
  const { status, stdout } = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
}
