/** Measures benches at full size, one after the other, and writes what they found into bench/RESULTS.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { benchFile } from './catalogue.ts';
import { BUSY_SHARE, busyShare, commit, machine } from './machine.ts';
import { blockOf, withBlock } from './results.ts';
import { type Ended, supervise } from './supervise.ts';
import { number, percent } from './table.ts';

const RESULTS = new URL('../RESULTS.md', import.meta.url);
const CHARTS = new URL('../charts/', import.meta.url);
/** The longest, `growth`, takes about half an hour. */
const LIMIT_MS = 3 * 60 * 60_000;
/** PostgreSQL and the disk may go on working for a while after a bench. */
const SETTLE_MS = 3 * 60_000;
const SAMPLE_MS = 3_000;

/** Goes on when one fails; its block says so. Returns the exit code. */
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

/** Each block is written at once: what was measured stays, whatever becomes of the others. */
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

/** With the settings that make it another measurement than the usual one. */
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
