/** Measures benches at full size, one after the other, and writes what they found into bench/RESULTS.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { benchFile } from './catalogue.ts';
import { BUSY_LOAD, commit, loadPerCore, machine } from './machine.ts';
import { blockOf, withBlock } from './results.ts';
import { type Ended, supervise } from './supervise.ts';
import { number } from './table.ts';

const RESULTS = new URL('../RESULTS.md', import.meta.url);
const CHARTS = new URL('../charts/', import.meta.url);
/** The longest, `growth`, takes about half an hour. */
const LIMIT_MS = 3 * 60 * 60_000;
/** A bench leaves a load average behind, which falls to half in 42 s. */
const SETTLE_MS = 3 * 60_000;
const LOOK_EVERY_MS = 5_000;

/** Goes on when one fails; its block says so. Returns the exit code. */
export async function record(names: readonly string[]): Promise<number> {
  const wasQuiet = loadPerCore() <= BUSY_LOAD;
  if (!wasQuiet)
    console.error(`The machine is busy (load ${number(loadPerCore(), 1)} a core); the results will say so.`);
  let failed = 0;
  for (const name of names) {
    if (wasQuiet) await settle();
    const ended = await measure(name);
    if (ended.kind === 'failed') failed += 1;
    console.log(
      `${name}: ${ended.kind === 'measured' ? `ratio ${number(ended.result.ratio, 2)}` : ended.why}`,
    );
  }
  return failed > 0 ? 1 : 0;
}

/** Each block is written at once: what was measured stays, whatever becomes of the others. */
async function measure(name: string): Promise<Ended> {
  const load = loadPerCore();
  const circumstances = {
    machine: machine(),
    date: new Date().toISOString().slice(0, 10),
    commit: commit(),
    command: commandFor(name),
    busyLoad: load > BUSY_LOAD ? load : null,
  };
  const order = { name, file: benchFile(name), size: 'full', limitMs: LIMIT_MS, isShown: true } as const;
  const ended = await supervise(order);
  writeFileSync(RESULTS, withBlock(readFileSync(RESULTS, 'utf8'), name, blockOf(ended, circumstances)));
  if (ended.kind === 'measured' && ended.result.chart !== undefined)
    writeFileSync(new URL(`${name}.svg`, CHARTS), ended.result.chart);
  return ended;
}

/** With the settings that make it another measurement than the usual one. */
function commandFor(name: string): string {
  const settings = Object.entries(process.env).filter(([key]) => key.startsWith('BENCH_'));
  return [...settings.map(([key, value]) => `${key}=${value}`), `npm run bench -- ${name}`].join(' ');
}

async function settle(): Promise<void> {
  for (let waitedMs = 0; loadPerCore() > BUSY_LOAD && waitedMs < SETTLE_MS; waitedMs += LOOK_EVERY_MS)
    await sleep(LOOK_EVERY_MS);
}
