/**
 * What a whole installation needs in memory while nothing happens: supervisor, API, worker, inbound and PostgreSQL,
 * as proportional shares (PSS), against the bare framework and an empty PostgreSQL with the same settings.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startEmbeddedPostgres } from '../src/database/embedded-postgres.ts';
import type { BenchResult, Progress, Size } from './support/bench.ts';
import { processTree } from './support/cpu.ts';
import { end, freePort, untilReady } from './support/installation.ts';
import { median } from './support/measure.ts';
import { proportionalMegabytes } from './support/memory.ts';
import { number } from './support/table.ts';

export const title = 'Memory of an idle installation, PostgreSQL included';
export const claim = 'under 300 MB in all, a minute after the start';

const TARGET_MB = 300;
const SIZES = {
  full: { restMs: Number(process.env.BENCH_REST_SECONDS ?? 60) * 1_000, samples: 5, sampleEveryMs: 1_000 },
  smoke: { restMs: 500, samples: 2, sampleEveryMs: 100 },
};
type Numbers = (typeof SIZES)[Size];
const START = fileURLToPath(new URL('../dist/processes/start.js', import.meta.url));
/** Built code has no loader in memory, so neither has the reference. */
const BARE = `import { fastify } from 'fastify';
const app = fastify({ logger: false });
app.get('/readyz', async () => ({ status: 'ready' }));
await app.listen({ port: Number(process.argv[1]), host: '127.0.0.1' });`;

/** Megabytes of each part, by its name. */
type Parts = ReadonlyMap<string, number>;

export async function run(progress: Progress, size: Size): Promise<BenchResult> {
  progress('an empty PostgreSQL and the bare framework');
  const bare = await inFolder(measureBare, SIZES[size]);
  progress('the whole installation');
  const whole = await inFolder(measureWhole, SIZES[size]);
  return report(whole, bare);
}

/** With a Node of its own: what it would share with other Node processes of this machine is not theirs to pay. */
async function inFolder(
  measure: (dataDir: string, node: string, numbers: Numbers) => Promise<Parts>,
  numbers: Numbers,
): Promise<Parts> {
  const dataDir = mkdtempSync(join(tmpdir(), 'postrider-bench-'));
  chmodSync(dataDir, 0o755); // under root PostgreSQL runs as another account, which has to get in
  const node = join(dataDir, 'node');
  copyFileSync(process.execPath, node);
  try {
    return await measure(dataDir, node, numbers);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function measureBare(dataDir: string, node: string, numbers: Numbers): Promise<Parts> {
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => undefined });
  const port = await freePort();
  const server = spawn(node, ['--input-type=module', '-e', BARE, String(port)]);
  try {
    await untilReady(port, server);
    return await atRest([postgres.pid, server.pid ?? 0], numbers);
  } finally {
    await end(server);
    await postgres.stop();
  }
}

async function measureWhole(dataDir: string, node: string, numbers: Numbers): Promise<Parts> {
  const port = await freePort();
  const supervisor: ChildProcess = spawn(node, [START], {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      POSTRIDER_DATA_DIR: dataDir,
      POSTRIDER_PORT: String(port),
      POSTRIDER_INBOUND_PORT: String(await freePort()),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    await untilReady(port, supervisor);
    return await atRest([supervisor.pid ?? 0], numbers);
  } finally {
    await end(supervisor);
  }
}

async function atRest(
  roots: readonly number[],
  { restMs, samples: count, sampleEveryMs }: Numbers,
): Promise<Parts> {
  await delay(restMs);
  const samples: Parts[] = [];
  for (let i = 0; i < count; i += 1) {
    samples.push(sharesOf(roots));
    await delay(sampleEveryMs);
  }
  const names = new Set(samples.flatMap((sample) => [...sample.keys()]));
  return new Map([...names].map((name) => [name, median(samples.map((sample) => sample.get(name) ?? 0))]));
}

function sharesOf(roots: readonly number[]): Parts {
  const parts = new Map<string, number>();
  for (const pid of roots.flatMap(processTree)) {
    try {
      const name = partOf(pid);
      parts.set(name, (parts.get(name) ?? 0) + proportionalMegabytes(pid));
    } catch (error) {
      // PostgreSQL's autovacuum comes and goes.
      if (!['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
  }
  return parts;
}

function partOf(pid: number): string {
  const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  if (/postgres/.test(words[0] ?? '')) return 'PostgreSQL';
  return words.map((word) => /processes\/(\w+)\.js$/.exec(word)?.[1]).find(Boolean) ?? 'bare framework';
}

function report(whole: Parts, bare: Parts): BenchResult {
  const total = (parts: Parts) => [...parts.values()].reduce((sum, mb) => sum + mb, 0);
  const [wholeMb, bareMb] = [total(whole), total(bare)];
  const names = [...new Set([...whole.keys(), ...bare.keys()])];
  const cell = (parts: Parts, name: string) => {
    const mb = parts.get(name);
    return mb === undefined ? '' : number(mb, 1);
  };
  return {
    ratio: TARGET_MB / wholeMb,
    target: 1,
    table: {
      columns: ['MB (PSS)', 'installation', 'reference'],
      rows: [
        ...names.map((name) => [name, cell(whole, name), cell(bare, name)]),
        ['in all', number(wholeMb, 1), number(bareMb, 1)],
      ],
    },
    figures: {
      whole_mb: Math.round(wholeMb),
      reference_mb: Math.round(bareMb),
      times_reference: Number((wholeMb / bareMb).toFixed(2)),
    },
  };
}
