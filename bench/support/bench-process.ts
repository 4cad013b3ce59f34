/**
 * Runs one bench in its own process: `bench-process.ts FILE NAME SIZE`. Progress goes to stderr, the table to stdout, and the
 * last line of stdout is one JSON object. A parent process with IPC also gets the whole result (supervise.ts).
 */
import { pathToFileURL } from 'node:url';
import { type Bench, type BenchResult, MissingPeer, type Size } from './bench.ts';
import { machine } from './machine.ts';
import { number, renderTable } from './table.ts';

export const EXIT = { done: 0, failed: 1, missingPeer: 2 } as const;

const [file = '', name = '', size = 'full'] = process.argv.slice(2);
process.exitCode = await run((await import(pathToFileURL(file).href)) as Bench, size as Size);
process.disconnect?.();

async function run(bench: Bench, size: Size): Promise<number> {
  const progress = (text: string) => console.error(`[${name}] ${text}`);
  progress(size === 'smoke' ? `${bench.title} (smoke)` : bench.title);
  try {
    const result = await bench.run(progress, size);
    await new Promise((resolve) => (process.send ? process.send(result, resolve) : resolve(null)));
    print(bench, result, size);
    return size === 'smoke' || result.ratio >= result.target ? EXIT.done : EXIT.failed;
  } catch (error) {
    if (!(error instanceof MissingPeer)) throw error;
    console.log(error.message);
    const missing = { peer: error.peer, install: error.install };
    console.log(JSON.stringify({ name, size, ratio: null, target: null, holds: false, missing }));
    return EXIT.missingPeer;
  }
}

function print({ title, claim }: Bench, { ratio, target, table, figures }: BenchResult, size: Size): void {
  const holds = ratio >= target;
  console.log(`\n${title}\n${machine()}\n`);
  console.log(renderTable(table));
  const verdict = size === 'smoke' ? 'not judged' : holds ? 'holds' : 'DOES NOT HOLD';
  console.log(`\n${claim}: ${verdict} (${number(ratio, 2)}, target ${target})\n`);
  const judged = size === 'smoke' ? {} : { holds };
  console.log(JSON.stringify({ name, size, ratio: Number(ratio.toFixed(3)), target, ...judged, ...figures }));
}
