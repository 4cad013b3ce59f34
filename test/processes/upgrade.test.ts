/**
 * An upgrade while mail flows: the processes of one version go on with the schema of the next, and are replaced one by
 * one by its processes. The next version is this build, with migrations of every kind that are allowed to it.
 *
 * The version before is this build, too, unless POSTRIDER_PREVIOUS names the folder of an installed package.
 */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { effectsOf } from '../../src/database/migration-plan.ts';
import { SANDBOX_DOMAIN } from '../../src/domains/sandbox-domain.ts';
import { BuildCopy } from '../support/build-copy.ts';
import { admin, withDatabase } from '../support/database.ts';
import { KeptConnection } from '../support/kept-connection.ts';
import { MailFlow } from '../support/mail-flow.ts';
import { until } from '../support/until.ts';
import { freePort, Supervised } from './supervised.ts';

const KEY = 'upgrade_key_0123456789';
const NEXT = '99.0.0';
/** Several programs start one after the other, perhaps on a machine that is busy. */
const TIMEOUT_MS = 240_000;
const LOST_CONNECTION = /not queryable|idle-in-transaction|Connection terminated/;
const name = `upgrade_${randomBytes(8).toString('hex')}`;

let build: BuildCopy;
let dataDir: string;
let env: Record<string, string>;
let database: pg.Client;
let supervised: Supervised;
let flow: MailFlow;

beforeAll(async () => {
  build = new BuildCopy(process.env.POSTRIDER_PREVIOUS);
  dataDir = mkdtempSync(join(tmpdir(), 'postrider-upgrade-'));
  await admin(inject('databaseUrl'), `CREATE DATABASE ${name}`);
  const url = withDatabase(inject('databaseUrl'), name);
  const smtpPort = await freePort();
  env = {
    DATABASE_URL: url,
    POSTRIDER_DATA_DIR: dataDir,
    POSTRIDER_API_KEY: KEY,
    POSTRIDER_RATE_LIMIT: '1000000',
    POSTRIDER_SUBMISSION_PORT: String(smtpPort),
    POSTRIDER_INBOUND_PORT: String(await freePort()),
  };
  supervised = await Supervised.start([], env, build.program('start'));
  await supervised.says(/is ready/);
  database = new pg.Client({ connectionString: url });
  await database.connect();
  flow = new MailFlow({ httpPort: supervised.port, smtpPort, key: KEY, from: `hello@${SANDBOX_DOMAIN}` });
  await flow.goesOn(5);
});
afterAll(async () => {
  await flow.stop();
  await supervised.clear();
  await database.end();
  await admin(inject('databaseUrl'), `DROP DATABASE ${name} WITH (FORCE)`);
  rmSync(dataDir, { recursive: true, force: true });
  build.remove();
});

const TABLES = `
  SELECT relname AS name, relkind AS kind FROM pg_class
  WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace ORDER BY 1`;
const FUNCTIONS = `
  SELECT pg_get_functiondef(oid) AS text FROM pg_proc WHERE prokind = 'f' AND pronamespace = 'public'::regnamespace`;

/** A column more in every table, every function compiled anew, a table and an index. */
async function laterMigrations(): Promise<Record<string, string>> {
  const tables = (await database.query<{ name: string }>(TABLES)).rows;
  const functions = (await database.query<{ text: string }>(FUNCTIONS)).rows;
  const texts = [
    ...tables.map((table) => `ALTER TABLE ${table.name} ADD COLUMN later boolean NOT NULL DEFAULT false`),
    ...functions.map(({ text }) => text),
    'CREATE TABLE later_things (id text PRIMARY KEY)',
    '-- no-transaction\nCREATE INDEX CONCURRENTLY IF NOT EXISTS later_index ON outbox (due_at)',
  ];
  expect(tables.map((table) => table.name)).toContain('outbox');
  expect(texts.flatMap(effectsOf).filter(({ kind }) => kind === 'breaks')).toEqual([]);
  const first = build.migrations.length + 1;
  return Object.fromEntries(texts.map((text, i) => [`${String(first + i).padStart(4, '0')}_later`, text]));
}

it('the processes of the version before go on with the schema of the next one', {
  timeout: TIMEOUT_MS,
}, async () => {
  build.install(NEXT);
  const later = await laterMigrations();
  build.addMigrations(later);
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, [build.program('cli'), 'migrate', '--online'], {
    env: { ...process.env, ...env },
  });
  expect(stdout).toContain(`Applied ${Object.keys(later).at(-1)}`);
  await flow.goesOn(10);
  expect(flow.failures).toEqual([]);
});

it('SIGHUP replaces them one by one by the version on disk, and nobody is refused', {
  timeout: TIMEOUT_MS,
}, async () => {
  const idle = new KeptConnection(supervised.port);
  await idle.ask();
  supervised.child.kill('SIGHUP');
  await supervised.says(/Restarted the api\./);
  // It was idle all the time, and belongs to the process that was replaced.
  expect(await idle.ask()).toMatchObject({ isKept: true, status: 200, connection: 'close' });
  expect(await idle.ask()).toMatchObject({ isKept: false, status: 200, connection: 'keep-alive' });
  idle.close();
  await supervised.says(
    new RegExp(`Restarted\\. This is Postrider ${NEXT}\\.\nThe supervisor itself is still`),
  );
  for (const role of ['worker', 'smtp']) expect(supervised.output).toContain(`Restarted the ${role}.`);
  await flow.goesOn(10);
  expect(flow.failures).toEqual([]);
  const openapi = await fetch(`http://127.0.0.1:${supervised.port}/openapi.json`);
  expect(await openapi.json()).toMatchObject({ info: { version: NEXT } });
});

it('a version that does not start leaves the one that runs as it is, and says why', {
  timeout: TIMEOUT_MS,
}, async () => {
  writeFileSync(build.program('api'), 'console.log("broken"); process.exit(7);');
  supervised.child.kill('SIGHUP');
  await supervised.says(/The new api did not become ready \(exit code 7\)\. The old api continues/);
  await flow.goesOn(5);
  expect(flow.failures).toEqual([]);
});

it('all that was accepted is there once, and delivered once', { timeout: TIMEOUT_MS }, async () => {
  await flow.stop();
  const { ids } = flow;
  const count = async (sql: string) => Number((await database.query(sql)).rows[0].count);
  await until(async () => (await count('SELECT count(*) FROM outbox')) === 0, Boolean, 100);
  const stored = await database.query<{ id: string; status: string }>('SELECT id, status FROM emails');
  expect(stored.rows.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  expect(stored.rows.filter(({ status }) => status !== 'delivered')).toEqual([]);
  // The inbox forgets the oldest; none of those that it has came twice.
  expect(await count('SELECT count(*) - count(DISTINCT email_id) AS count FROM sandbox_messages')).toBe(0);
  expect(warnings().filter((line) => !isAboutLostConnection(line))).toEqual([]);
});

function warnings(): string[] {
  const lines = [...supervised.output.matchAll(/^\{"level":(\d+).*$/gm)];
  return lines.filter(([, level]) => Number(level) >= 40).map(([line]) => line);
}

/**
 * PostgreSQL ends the session of a process that does not run for two seconds within a transaction, as happens on a busy
 * machine. The process does its work again, and the last test shows that nothing is lost. An upgrade does not cause it.
 */
function isAboutLostConnection(line: string): boolean {
  const { err } = JSON.parse(line) as { err?: { message: string } };
  return LOST_CONNECTION.test(err?.message ?? '');
}
