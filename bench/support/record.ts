/** Measures benches at full size, one after the other, and writes their results to bench/RESULTS.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { benchFile } from './catalogue.ts';
import { BUSY_SHARE, busyShare, commit, machine } from './machine.ts';
import { blockOf, withBlock } from './results.ts';
import { type Ended, supervise } from './supervise.ts';
import { number, percent } from './table.ts';

const RESULTS = new URL('../RESULTS.md', import.meta.url);
const CHARTS = new URL('../charts/', import.meta.url);
/** The time limit of one bench. The longest bench, `growth`, takes about half an hour. */
const LIMIT_MS = 3 * 60 * 60_000;
/** The longest wait before a bench, because PostgreSQL and the disk may still be busy after the previous bench. */
const SETTLE_MS = 3 * 60_000;
const SAMPLE_MS = 3_000;

/** Continues after a failed bench and writes the failure to its block. Returns the exit code. */
export async function record(names: readonly string[]): Promise<number> {
  let failed = 0;
  for (const name of names) {
    const share = await settle();
    if (share > BUSY_SHARE)
      console.error(`${percent(share)} of the processors are in use; the result will say so.`);
    const ended = await measure(name, share);
    if (ended.kind === 'failed') failed += 1;
    console.log(
      `${name}: ${ended.kind === 'measured' ? `ratio ${number(ended.result.ratio, 2)}` : ended.why}`,
    );
  }
  return failed > 0 ? 1 : 0;
}

/** Writes each block at once, so that results are kept if a later bench fails. */
async function measure(name: string, share: number): Promise<Ended> {
  const circumstances = {
    machine: machine(),
    date: new Date().toISOString().slice(0, 10),
    commit: commit(),
    command: commandFor(name),
    busyShare: share > BUSY_SHARE ? share : null,
  };
  const order = { name, file: benchFile(name), size: 'full', limitMs: LIMIT_MS, isShown: true } as const;
  const ended = await supervise(order);
  writeFileSync(RESULTS, withBlock(readFileSync(RESULTS, 'utf8'), name, blockOf(ended, circumstances)));
  if (ended.kind === 'measured' && ended.result.chart !== undefined)
    writeFileSync(new URL(`${name}.svg`, CHARTS), ended.result.chart);
  return ended;
}

/** The command of a bench, including settings that change the measurement. */
function commandFor(name: string): string {
  const settings = Object.entries(process.env).filter(([key]) => key.startsWith('BENCH_'));
  return [...settings.map(([key, value]) => `${key}=${value}`), `npm run bench -- ${name}`].join(' ');
}

/** Waits until the machine is quiet, or for `SETTLE_MS`. Returns the share of its cores that was in use last. */
async function settle(): Promise<number> {
  const deadline = performance.now() + SETTLE_MS;
  for (;;) {
    const share = await busyShare(SAMPLE_MS);
    if (share <= BUSY_SHARE || performance.now() > deadline) return share;
  }
}
