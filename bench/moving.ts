/** An organization with a lot of mail goes to another cell and back while it sends: how long each step takes, and how long sends are refused. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Database } from '../src/database/database.ts';
import type { EmbeddedPostgres } from '../src/database/embedded-postgres.ts';
import { adHoc } from '../src/database/sql.ts';
import { freePort, Supervised } from '../test/processes/supervised.ts';
import { TEST_SECRET_KEY } from '../test/support/secret-key.ts';
import type { BenchResult, Progress, Size } from './support/bench.ts';
import { built } from './support/built.ts';
import { describeQueue } from './support/queue.ts';
import { seedWeeks } from './support/seed-weeks.ts';
import { number } from './support/table.ts';
import { waitUntilDone, within } from './support/wait.ts';

export const title = 'Moving an organization to another cell while it sends';
export const claim = 'sends are refused for two seconds at most';

const ALLOWED_MS = 2_000;
/** An installation that starts for the first time migrates two servers. */
const READY_MS = 60_000;
const DOMAIN = 'mover.test';
const START = fileURLToPath(new URL('../dist/processes/start.js', import.meta.url));
const COMMANDS = fileURLToPath(new URL('../dist/processes/cli.js', import.meta.url));

/** What the command says when a step begins, and what we call it. */
const STEPS: readonly (readonly [RegExp, string])[] = [
  [/^\d+ rows from/, 'counting'],
  [/^Preparing/, 'preparing and copying'],
  [/^Compared/, 'quieting: caught up again'],
  [/^Moving/, 'moving (sends are refused)'],
  [/^The organization is now in/, 'settling'],
  [/^Workers of/, 'clearing'],
];
/**
 * `killedAt`: in each of these steps the command is killed once. `calmMs`: how long mail is sent before and after a move.
 * `pauseMs`: between the sends of a client.
 */
const SIZES = {
  full: {
    emails: Number(process.env.BENCH_EMAILS ?? 50_000),
    ...{ calmMs: 2_000, pauseMs: 20 },
    killedAt: STEPS.map(([said]) => said).toSpliced(2, 0, /^Copying/),
  },
  smoke: { emails: 200, calmMs: 300, pauseMs: 300, killedAt: [] },
};
type Numbers = (typeof SIZES)[Size];

interface BenchContext {
  readonly servers: Readonly<Record<string, { readonly url: string; readonly db: Database }>>;
  readonly env: Record<string, string>;
  readonly port: number;
  readonly org: string;
  readonly key: string;
  readonly numbers: Numbers;
  readonly progress: Progress;
}

export async function run(progress: Progress, size: Size): Promise<BenchResult> {
  const { startEmbeddedPostgres } = await built<typeof import('../src/database/embedded-postgres.ts')>(
    'database/embedded-postgres',
  );
  const root = await mkdtemp(path.join(tmpdir(), 'postrider-bench-'));
  await chmod(root, 0o755); // under root PostgreSQL runs as another account, which has to get in
  progress('starting two servers and an installation');
  const started: EmbeddedPostgres[] = [];
  for (const name of ['main', 'two']) {
    const dataDir = path.join(root, name);
    await mkdir(dataDir);
    const settings = { wal_level: 'logical' };
    started.push(await startEmbeddedPostgres({ dataDir, settings, log: () => undefined }));
  }
  let supervised: Supervised | undefined;
  try {
    const env = await environment(root, started);
    supervised = await Supervised.start([], env, START);
    await within('the installation to be ready', supervised.says(/is ready/), READY_MS);
    return await measure(env, supervised.port, SIZES[size], progress);
  } finally {
    await supervised?.clear();
    for (const one of started) await one.stop();
    await rm(root, { recursive: true, force: true });
  }
}

async function environment(root: string, [main, two]: readonly EmbeddedPostgres[]) {
  const port = async () => String(await freePort());
  return {
    DATABASE_URL: main?.url ?? '',
    POSTRIDER_CELLS: `two=${two?.url}`,
    POSTRIDER_SECRET_KEY: TEST_SECRET_KEY,
    POSTRIDER_DATA_DIR: path.join(root, 'data'),
    POSTRIDER_INBOUND_PORT: await port(),
    POSTRIDER_SUBMISSION_PORT: await port(),
    POSTRIDER_PORT: await port(),
  };
}

async function measure(
  env: Record<string, string>,
  port: number,
  numbers: Numbers,
  progress: Progress,
): Promise<BenchResult> {
  const { Database: Opened } = await built<typeof import('../src/database/database.ts')>('database/database');
  const { createLog } = await built<typeof import('../src/runtime/log.ts')>('runtime/log');
  const log = createLog('bench', 'silent');
  const open = (url = '') => ({ url, db: new Opened({ url, log, applicationName: 'bench' }) });
  const servers = { main: open(env.DATABASE_URL), two: open(env.POSTRIDER_CELLS?.slice('two='.length)) };
  try {
    const org = (await json(env, 'org', 'create', 'Mover')).id as string;
    await json(env, 'domain', 'add', DOMAIN, '--org', org);
    await json(env, 'domain', 'verify', DOMAIN, '--org', org);
    const key = (await json(env, 'key', 'create', '--org', org, '--name', 'k', '--scope', 'full'))
      .key as string;
    const context = { servers, env, port, org, key, numbers, progress };
    progress(`${number(numbers.emails)} emails of five weeks, with events`);
    await seedWeeks(servers.main.db, org, numbers.emails);
    return await thereAndBack(context);
  } finally {
    await Promise.all(Object.values(servers).map(({ db }) => db.close()));
  }
}

/** Once in one go, which is measured, and back with a death in every step. */
async function thereAndBack(context: BenchContext): Promise<BenchResult> {
  const { emails, calmMs, killedAt } = context.numbers;
  const stop = new AbortController();
  const sent: Sent = { ids: [], atMs: [], tries: 0, refused: 0, problems: [] };
  const sending = [keepSending(context, stop.signal, sent), keepSending(context, stop.signal, sent)];
  await sleep(calmMs);
  const there = await moved(context, 'two');
  expectAllSteps(there);
  await sleep(calmMs);
  const refusedMs = longestGap(sent.atMs, there.beganMs);
  context.progress(`there: refused for ${number(refusedMs)} ms; and back, killed ${killedAt.length} times`);
  const began = performance.now();
  let deaths = 0;
  for (const point of killedAt) if ((await moved(context, 'main', point)).isKilled) deaths += 1;
  await moved(context, 'main').catch(() => undefined); // what the last of them left, if anything
  const backMs = performance.now() - began;
  stop.abort();
  await Promise.all(sending);
  if (sent.problems.length > 0) throw new Error(`Sends failed: ${sent.problems[0]}`);
  const counted = await accountFor(context, sent.ids);
  return {
    ratio: ALLOWED_MS / refusedMs,
    target: 1,
    table: {
      columns: ['step', 'seconds'],
      rows: [
        ...there.steps.map(([name, ms]) => [name, number(ms / 1_000, 2)]),
        ['all', number(there.tookMs / 1_000, 1)],
        [`back, killed ${deaths} times`, number(backMs / 1_000, 1)],
      ],
    },
    figures: {
      ...{ emails, rows: counted.rows, sent: sent.ids.length, refusals: sent.refused },
      ...{ refused_ms: Math.round(refusedMs), mover_mb: Math.round(there.peakMb), deaths },
      ...{ missing: counted.missing, twice: counted.twice, left_behind: counted.left },
    },
  };
}

interface Sent {
  readonly ids: string[];
  readonly atMs: number[];
  tries: number;
  refused: number;
  readonly problems: string[];
}

/** Without a pause, and what is refused with 503 again, as clients do. */
async function keepSending(
  { port, key, numbers }: BenchContext,
  signal: AbortSignal,
  sent: Sent,
): Promise<void> {
  // Each to somebody else: the guard holds mail that floods one address.
  const bodyTo = (address: string) =>
    JSON.stringify({
      from: { email: `a@${DOMAIN}` },
      to: [{ email: address }],
      subject: 'Hello',
      text: 'Hello',
    });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  while (!signal.aborted) {
    sent.tries += 1;
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/emails/send`, {
      method: 'POST',
      headers,
      body: bodyTo(`someone-${sent.tries}@example.org`),
    });
    const answer = (await response.json()) as { data?: { message_id: string } };
    if (response.status === 201 && answer.data !== undefined) {
      sent.ids.push(answer.data.message_id);
      sent.atMs.push(performance.now());
    } else if (response.status === 503) sent.refused += 1;
    else sent.problems.push(`${response.status} ${JSON.stringify(answer)}`);
    await sleep(numbers.pauseMs);
  }
}

function longestGap(atMs: readonly number[], sinceMs: number): number {
  const since = atMs.filter((at) => at >= sinceMs).sort((a, b) => a - b);
  return Math.max(...since.map((at, i) => at - (since[i - 1] ?? at)));
}

interface Moved {
  readonly beganMs: number;
  readonly tookMs: number;
  readonly peakMb: number;
  readonly isKilled: boolean;
  readonly steps: readonly (readonly [string, number])[];
}

/** The command itself. */
async function moved({ env, org, progress }: BenchContext, to: string, killAt?: RegExp): Promise<Moved> {
  const beganMs = performance.now();
  const child = command(env, 'org', 'move', org, to);
  const begun: [string, number][] = [];
  let peakMb = 0;
  const watch = setInterval(() => {
    peakMb = Math.max(peakMb, peakOf(child));
  }, 50);
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    progress(`  ${line}`);
    const step = STEPS.find(([pattern]) => pattern.test(line));
    if (step !== undefined) begun.push([step[1], performance.now()]);
    if (killAt?.test(line)) child.kill('SIGKILL');
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  clearInterval(watch);
  const endedMs = performance.now();
  if (child.exitCode !== 0 && child.signalCode === null && killAt === undefined)
    throw new Error('It did not move.');
  const steps = begun.map(([name, at], i) => [name, (begun[i + 1]?.[1] ?? endedMs) - at] as const);
  return { beganMs, tookMs: endedMs - beganMs, peakMb, isKilled: child.signalCode !== null, steps };
}

/** A step that the command calls something else now would not be timed, nor killed in. */
function expectAllSteps({ steps }: Moved): void {
  const missing = STEPS.filter(([, name]) => !steps.some(([seen]) => seen === name));
  if (missing.length > 0) throw new Error(`The command did not say ${missing.map(([said]) => said).join()}.`);
}

function peakOf({ pid }: ChildProcess): number {
  try {
    const kb = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Number(kb ?? 0) / 1_024;
  } catch {
    return 0; // it has ended
  }
}

/** Every email is where the organization is, and was delivered once. */
async function accountFor({ servers, org, numbers }: BenchContext, ids: readonly string[]) {
  const count = async (name: string, text: string, params: readonly unknown[] = [org]) =>
    (await servers[name]?.db.one(adHoc<{ count: number }>(text), params))?.count ?? 0;
  const all = 'SELECT count(*) FROM emails WHERE organization_id = $1';
  const left = () => count('main', 'SELECT count(*) FROM outbox WHERE organization_id = $1');
  await waitUntilDone({
    what: 'all mail of the organization to be delivered',
    isDone: async () => (await left()) === 0,
    left,
    about: () => describeQueue((servers.main as { db: Database }).db),
  });
  // The inbox of the sandbox keeps the last thousand.
  const twice = `SELECT count(*) FROM (SELECT FROM sandbox_messages WHERE organization_id = $1
                                       GROUP BY email_id HAVING count(*) > 1) AS one`;
  return {
    rows: await count('main', 'SELECT count(*) FROM events WHERE organization_id = $1'),
    missing: numbers.emails + ids.length - (await count('main', `${all} AND status = 'delivered'`)),
    twice: await count('main', twice),
    left: await count('two', all),
  };
}

function command(env: Record<string, string>, ...argv: string[]): ChildProcess {
  return spawn(process.execPath, [COMMANDS, ...argv], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function json(env: Record<string, string>, ...argv: string[]): Promise<Record<string, unknown>> {
  const child = command(env, ...argv, '--json');
  let out = '';
  for await (const part of child.stdout as NodeJS.ReadableStream) out += part;
  return JSON.parse(out);
}
