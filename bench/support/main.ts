/** `npm run bench` ends up here: without a name it lists the benches, with one it runs that bench. */
import { readdirSync } from 'node:fs';
import os from 'node:os';
import { type Bench, MissingPeer } from './bench.ts';
import { processTree } from './cpu.ts';
import { number, renderTable } from './table.ts';

const FOLDER = new URL('..', import.meta.url);
const EXIT_FAILED = 1;
const EXIT_MISSING_PEER = 2;

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, endAll);
process.exitCode = await main(process.argv.slice(2));

/** What was started would go on, and slow down whatever is measured next. */
function endAll(): void {
  for (const pid of processTree(process.pid).slice(1)) {
    try {
      process.kill(pid, 'SIGTERM');
    } catch {
      // It has ended by itself.
    }
  }
  process.exit(EXIT_FAILED);
}

async function main(args: readonly string[]): Promise<number> {
  const [name] = args;
  if (name === undefined) return list();
  if (!benchNames().includes(name)) {
    console.error(`There is no bench ${JSON.stringify(name)}.\n`);
    await list();
    return EXIT_FAILED;
  }
  return run(name, await load(name));
}

async function list(): Promise<number> {
  const rows: string[][] = [];
  for (const name of benchNames()) rows.push([name, (await load(name)).claim]);
  const width = Math.max(...rows.map((row) => row[0]?.length ?? 0));
  console.log('Run one with: npm run bench -- NAME\n');
  for (const [name = '', claim] of rows) console.log(`  ${name.padEnd(width)}  ${claim}`);
  return 0;
}

async function run(name: string, bench: Bench): Promise<number> {
  const progress = (text: string) => console.error(`[${name}] ${text}`);
  progress(bench.title);
  try {
    const { ratio, target, table, figures } = await bench.run(progress);
    const holds = ratio >= target;
    console.log(`\n${bench.title}\nNode ${process.version}, ${machine()}\n`);
    console.log(renderTable(table));
    console.log(
      `\n${bench.claim}: ${holds ? 'holds' : 'DOES NOT HOLD'} (${number(ratio, 2)}, target ${target})\n`,
    );
    console.log(JSON.stringify({ name, ratio: Number(ratio.toFixed(3)), target, holds, ...figures }));
    return holds ? 0 : EXIT_FAILED;
  } catch (error) {
    if (!(error instanceof MissingPeer)) throw error;
    console.log(error.message);
    const missing = { peer: error.peer, install: error.install };
    console.log(JSON.stringify({ name, ratio: null, target: null, holds: false, missing }));
    return EXIT_MISSING_PEER;
  }
}

function benchNames(): string[] {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.ts'));
  return files.map((file) => file.slice(0, -'.ts'.length)).sort();
}

async function load(name: string): Promise<Bench> {
  return (await import(new URL(`${name}.ts`, FOLDER).href)) as Bench;
}

function machine(): string {
  const cpus = os.cpus();
  return `${cpus.length} x ${cpus[0]?.model.trim() ?? 'unknown processor'}, ${process.platform} ${process.arch}`;
}
