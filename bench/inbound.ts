/** How fast bounces are taken and recorded, against a bare server that only stores them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { adHoc } from '../src/database/sql.ts';
import { encodeReference, returnPathOf } from '../src/protocols/message/return-path.ts';
import { uuidv7 } from '../src/runtime/ids.ts';
import { SecretKey } from '../src/runtime/secret-key.ts';
import type { BenchResult, Progress, Size } from './support/bench.ts';
import { end, freePort, type Installation, startInstallation, startRole } from './support/installation.ts';
import { median } from './support/measure.ts';
import { number } from './support/table.ts';
import { waitUntilDone, within } from './support/wait.ts';

export const title = 'Bounces taken and recorded';
export const claim =
  'reports are taken, read and recorded (status, event, suppression, counters) at 0.4 or more of the rate at which smtp-server with one INSERT each only stores them, in flat memory';

const SECRET_KEY = 'a-master-key-for-benches-and-nothing-else';
const HOST = 'mail.bench.test';
const SIZES = {
  full: {
    reports: Number(process.env.BENCH_REPORTS ?? 5_000),
    rounds: Number(process.env.BENCH_ROUNDS ?? 3),
    connections: 32,
  },
  smoke: { reports: 200, rounds: 2, connections: 8 },
};
const TARGET = 0.4;
/** A load says something when all of its reports were taken. */
const FIRST_LINE_MS = 5 * 60_000;
/** What a process may grow by between the end of the first round and the last. */
const MAX_GROWTH_MB = 40;

export async function run(progress: Progress, size: Size): Promise<BenchResult> {
  const { reports, rounds, connections } = SIZES[size];
  const installation = await startInstallation({ POSTRIDER_SECRET_KEY: SECRET_KEY });
  const folder = mkdtempSync(join(tmpdir(), 'postrider-bench-inbound-'));
  const port = await freePort();
  const role = startRole('inbound', {
    DATABASE_URL: installation.databaseUrl,
    POSTRIDER_DATA_DIR: folder,
    POSTRIDER_SECRET_KEY: SECRET_KEY,
    POSTRIDER_HOSTNAME: HOST,
    POSTRIDER_INBOUND_PORT: String(port),
    POSTRIDER_LOG_LEVEL: 'error',
  });
  const bare = startBench('bare-receiver-process.ts', [installation.databaseUrl]);
  try {
    const barePort = Number(await firstLine(bare));
    const ours: number[] = [];
    const theirs: number[] = [];
    const memoryMb: number[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      const list = await seed(installation, folder, reports);
      theirs.push((reports * 1000) / (await load(barePort, connections, list)));
      ours.push((reports * 1000) / (await record(installation, port, connections, list)));
      memoryMb.push(residentMb(role));
      progress(`round ${round}: ${number(ours.at(-1) ?? 0)}/s, only stored ${number(theirs.at(-1) ?? 0)}/s`);
    }
    return result(median(ours), median(theirs), memoryMb);
  } finally {
    await end(bare);
    await end(role);
    await installation.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function result(ours: number, theirs: number, memoryMb: readonly number[]): BenchResult {
  const growth = (memoryMb.at(-1) ?? 0) - (memoryMb[0] ?? 0);
  const flat = growth <= MAX_GROWTH_MB;
  const memory = memoryMb.map((mb) => number(mb)).join(', ');
  return {
    ratio: flat ? ours / theirs : 0,
    target: TARGET,
    table: {
      columns: ['receiver', 'reports/s'],
      rows: [
        ['postrider: taken, read and recorded', number(ours)],
        ['smtp-server: stored, one INSERT each', number(theirs)],
        ['MB resident after each round', memory],
      ],
    },
    figures: { perSecond: Math.round(ours), barePerSecond: Math.round(theirs), growthMb: Math.round(growth) },
  };
}

/** Delivered mail, one recipient each, and the file with the return paths that its bounces go to. */
async function seed({ db, organizationId }: Installation, folder: string, reports: number): Promise<string> {
  const key = new SecretKey(Buffer.from(SECRET_KEY)).derive('return-path');
  const ids = Array.from({ length: reports }, () => uuidv7(Date.now()));
  await db.exec(
    adHoc(`WITH new AS MATERIALIZED (
             INSERT INTO emails (organization_id, id, status, priority, created_at, updated_at, from_email, subject,
                                 addresses)
             SELECT $1, id, 'delivered', 1, now(), now(), 'shop@example.org', 'Your order', '{"to": []}'
             FROM unnest($2::uuid[]) AS id RETURNING id
           ), counted AS (
             INSERT INTO email_counts (organization_id, day, status, count)
             SELECT $1, (now() AT TIME ZONE 'UTC')::date, 'delivered', count(*) FROM new
             ON CONFLICT (organization_id, day, status) DO UPDATE SET count = email_counts.count + excluded.count
           )
           INSERT INTO recipients (organization_id, email_id, position, kind, address, state, attempts, updated_at)
           SELECT $1, id, 0, 'to', 'c' || id || '@example.net', 'delivered', 1, now() FROM new`),
    [organizationId, ids],
  );
  const file = join(folder, 'return-paths');
  const paths = ids.map((emailId) =>
    returnPathOf(encodeReference({ organizationId, emailId, position: 0 }, key, Date.now()), HOST),
  );
  writeFileSync(file, `${paths.join('\n')}\n`);
  return file;
}

/** Milliseconds from the first connection until the last of them is recorded. */
async function record(
  { db }: Installation,
  port: number,
  connections: number,
  list: string,
): Promise<number> {
  const started = performance.now();
  await load(port, connections, list);
  const count = adHoc<{ count: number }>('SELECT count(*) FROM inbound_messages');
  const left = async () => (await db.one(count)).count;
  await waitUntilDone({
    what: 'every report to be recorded',
    isDone: async () => (await left()) === 0,
    left,
    everyMs: 5,
  });
  return performance.now() - started;
}

async function load(port: number, connections: number, list: string): Promise<number> {
  const child = startBench('report-load-process.ts', [String(port), String(connections), list]);
  const { ms } = JSON.parse(await firstLine(child)) as { ms: number };
  return ms;
}

function startBench(script: string, args: readonly string[]): ChildProcess {
  const path = fileURLToPath(new URL(`support/${script}`, import.meta.url));
  return spawn(process.execPath, ['--import', 'tsx', path, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('It has no output.');
  const lines = createInterface(child.stdout);
  const ended = once(child, 'exit').then(() => {
    throw new Error('A helper process of the bench ended before it said anything.');
  });
  ended.catch(() => {}); // it ends later, as it should
  const said = Promise.race([once(lines, 'line'), ended]);
  const [line] = (await within('the first line of a helper process', said, FIRST_LINE_MS)) as [string];
  return line;
}

function residentMb({ pid }: ChildProcess): number {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0) / 1024;
}
