/** Checks that the benches still work: runs each once with small numbers and a time limit. */
import { benchFile } from './catalogue.ts';
import { type Ended, supervise } from './supervise.ts';
import { number } from './table.ts';

/** A bench takes at most 15 s on two idle cores. With a load average of 20 the slowest took two minutes. */
export const SMOKE_LIMIT_MS = 240_000;
const SHOWN_LINES = 30;

/** Returns the exit code. Shows the output of a single bench; of several benches only the output of failures. */
export async function smoke(names: readonly string[]): Promise<number> {
  const counts = { measured: 0, failed: 0, skipped: 0 };
  for (const name of names) {
    const isShown = names.length === 1;
    const order = { name, file: benchFile(name), size: 'smoke', limitMs: SMOKE_LIMIT_MS, isShown } as const;
    const ended = await supervise(order);
    counts[ended.kind] += 1;
    if (ended.kind === 'failed' && !isShown) console.error(lastLines(ended.output));
    console.log(smokeLine(name, ended));
  }
  console.log(`${counts.measured} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  return counts.failed > 0 ? 1 : 0;
}

export function smokeLine(name: string, ended: Ended): string {
  const took = `${number(ended.seconds, 1)} s, CPU ${number(ended.cpuSeconds, 1)} s`;
  switch (ended.kind) {
    case 'measured':
      return `ok       ${name} (${took})`;
    case 'skipped':
      return `skipped  ${name}: ${ended.why} (${ended.install})`;
    case 'failed':
      return `failed   ${name} (${took}): ${ended.why}`;
  }
}

function lastLines(output: string): string {
  return output.trimEnd().split('\n').slice(-SHOWN_LINES).join('\n');
}
