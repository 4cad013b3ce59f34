/** Everything on one machine, started while the server of other cells is down: what becomes of each when it is back. Nothing is restarted. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claimCell, identityOf } from '../../src/cells/identity.ts';
import { assignCell } from '../../src/cells/store.ts';
import { Database } from '../../src/database/database.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/database/embedded-postgres.ts';
import { knownSchema, migrate, readMigrations, schemaVersions } from '../../src/database/migrate.ts';
import { adHoc } from '../../src/database/sql.ts';
import { createLog } from '../../src/runtime/log.ts';
import { freePort, Supervised } from '../processes/supervised.ts';
import { childrenOf } from '../storm/processes.ts';
import { runCommand } from '../support/command-line.ts';
import { createEmptyDatabase, type TestDatabase } from '../support/database.ts';
import { TEST_SECRET_KEY } from '../support/secret-key.ts';
import type { Parsed } from '../support/two-cells.ts';

const START = fileURLToPath(new URL('../../dist/processes/start.js', import.meta.url));
const log = createLog('test', 'silent');
const OLD = readMigrations().slice(0, -2);
const OLD_SCHEMA = OLD.at(-1)?.version;
const OTHERS = '11111111-2222-4333-8444-555555555555';

let root: string;
let main: TestDatabase;
let server: EmbeddedPostgres;
let env: Record<string, string>;
let supervised: Supervised;
let orgs: Record<string, { id: string; key: string }>;

const startServer = () =>
  startEmbeddedPostgres({
    ...{ dataDir: join(root, 'server'), settings: { fsync: 'off' }, log: () => undefined },
  });
const urlOf = (name: string) => {
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  return url.href;
};

async function on<T>(url: string, work: (db: Database) => Promise<T>): Promise<T> {
  const db = new Database({ url, log, applicationName: 'test', maxConnections: 2 });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'postrider-cells-'));
  await chmod(root, 0o755);
  [main, server] = await Promise.all([createEmptyDatabase(), startServer()]);
  await on(server.url, async (db) => {
    for (const name of ['two', 'old', 'other']) await db.exec(adHoc(`CREATE DATABASE ${name}`));
  });
  env = {
    DATABASE_URL: main.url,
    POSTRIDER_CELLS: `two=${urlOf('two')}`,
    POSTRIDER_SECRET_KEY: TEST_SECRET_KEY,
    POSTRIDER_DATA_DIR: join(root, 'data'),
    POSTRIDER_INBOUND_PORT: String(await freePort()),
    POSTRIDER_SUBMISSION_PORT: String(await freePort()),
    POSTRIDER_PORT: String(await freePort()),
    POSTRIDER_METRICS_PORT: String(await freePort()),
  };
  await json('migrate');
  for (const name of ['old', 'other']) await migrate(urlOf(name), { migrations: OLD });
  const ours = await identityOf(main.db);
  await on(urlOf('old'), (db) => claimCell(db, 'old', ours ?? { installation_id: '', cell: '' }));
  await on(urlOf('other'), (db) => claimCell(db, 'other', { installation_id: OTHERS, cell: 'main' }));
  orgs = { main: await organizationIn('main'), two: await organizationIn('two') };
  for (const cell of ['old', 'other', 'missing']) orgs[cell] = await organizationBySql(cell);
  await server.stop(0);
  env.POSTRIDER_CELLS = ['two', 'old', 'other', 'missing'].map((name) => `${name}=${urlOf(name)}`).join(' ');
  supervised = await Supervised.start([], env, START);
  await supervised.says(/is ready/);
}, 180_000);
afterAll(async () => {
  await supervised?.clear();
  await Promise.all([main?.drop(), server?.stop(0)]);
  await rm(root, { recursive: true, force: true });
});

async function json(...argv: string[]): Promise<Parsed> {
  const { code, out, err } = await runCommand([...argv, '--json'], env);
  expect({ code, err }, argv.join(' ')).toEqual({ code: 0, err: '' });
  return JSON.parse(out);
}

async function organizationIn(cell: string): Promise<{ id: string; key: string }> {
  const { id } = await json('org', 'create', `In ${cell}`, '--cell', cell);
  await json('domain', 'add', `${cell}.test`, '--org', id);
  await json('domain', 'verify', `${cell}.test`, '--org', id);
  return { id, key: (await json('key', 'create', '--org', id, '--name', 'k', '--scope', 'full')).key };
}

/** Of a cell that commands refuse: one that was here when there was another version, or by somebody's mistake. */
async function organizationBySql(cell: string): Promise<{ id: string; key: string }> {
  const { id } = await json('org', 'create', `In ${cell}`);
  const { key } = await json('key', 'create', '--org', id, '--name', 'k', '--scope', 'full');
  await main.db.transaction((tx) => assignCell(tx, id, cell));
  if (cell === 'old')
    await on(urlOf(cell), (db) =>
      db.exec(
        adHoc('INSERT INTO organizations (id, name, daily_limit, created_at) VALUES ($1, $2, 0, now())'),
        [id, 'Old'],
      ),
    );
  return { id, key };
}

async function call(cell: string, method: string, path: string, body?: unknown) {
  const response = await fetch(`http://127.0.0.1:${supervised.port}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${orgs[cell]?.key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Parsed };
}

const send = (cell: string) =>
  call(cell, 'POST', '/emails/send', {
    from: { email: `a@${cell}.test` },
    to: [{ email: 'someone@example.org' }],
    subject: 'Hello',
    text: 'Hello',
  });

async function expectDelivered(cell: string): Promise<void> {
  const { status, body } = await send(cell);
  expect(status, JSON.stringify(body)).toBe(201);
  const now = async () => (await call(cell, 'GET', `/emails/${body.data.message_id}`)).body.data?.status;
  await expect.poll(now, { timeout: 30_000 }).toBe('delivered');
}

const untouched = adHoc<{ version: number; emails: number }>(
  `SELECT (SELECT max(version)::int FROM schema_migrations) AS version, (SELECT count(*) FROM emails) AS emails`,
);

function pidOf(script: string): number {
  const found = childrenOf(supervised.child.pid ?? 0).find(({ command }) => command.includes(script));
  if (found === undefined) throw new Error(`There is no ${script}.`);
  return found.pid;
}

describe('a start while the server of other cells is down', () => {
  it('says so, and serves everybody else', async () => {
    for (const cell of ['two', 'old', 'other', 'missing'])
      expect(supervised.output).toMatch(new RegExp(`Warning: the cell ${cell} does not answer`));
    await expectDelivered('main');
    for (const cell of ['two', 'old', 'other', 'missing']) expect((await send(cell)).status, cell).toBe(503);
  }, 60_000);
});

describe('when the server is back', () => {
  beforeAll(async () => {
    server = await startServer();
  });

  it('a cell is served, and its workers deliver', async () => {
    await supervised.says(/The cell two answers, and its schema is up to date/);
    await expect.poll(async () => (await send('two')).status, { timeout: 20_000 }).toBe(201);
    await expectDelivered('two');
  }, 60_000);

  it('one of an old schema is brought up to date first', async () => {
    await supervised.says(/The cell old answers, and its schema is up to date/);
    expect((await on(urlOf('old'), schemaVersions)).version).toBe(knownSchema());
    const served = async () => (await call('old', 'GET', '/domains')).status;
    await expect.poll(served, { timeout: 20_000 }).toBe(200);
    env.POSTRIDER_CELLS = `two=${urlOf('two')} old=${urlOf('old')}`;
    await json('domain', 'add', 'old.test', '--org', orgs.old?.id ?? '');
    await json('domain', 'verify', 'old.test', '--org', orgs.old?.id ?? '');
    await expectDelivered('old');
  }, 60_000);

  it('one of another installation is refused and left as it is, and others go on', async () => {
    await supervised.says(/the cell other cannot be used yet: .*the database of another installation/);
    expect((await send('other')).status).toBe(503);
    expect(await on(urlOf('other'), (db) => db.one(untouched))).toEqual({ version: OLD_SCHEMA, emails: 0 });
    await expectDelivered('two');
    expect(supervised.output.includes('ended unexpectedly')).toBe(false);
  }, 60_000);

  it('one whose database is not there yet is reported once by every role, and others go on', async () => {
    await supervised.says(/the cell missing cannot be used yet: .*database "missing" does not exist/);
    const reportingRoles = () =>
      supervised.output
        .split('\n')
        .filter((line) => line.includes('The cell missing: database') && line.includes('it is not used'))
        .map((line) => /"role":"(\w+)"/.exec(line)?.[1])
        .sort();
    await expect.poll(reportingRoles, { timeout: 20_000 }).toEqual(['api', 'smtp']);
    expect((await send('missing')).status).toBe(503);
    await expectDelivered('two');
    expect(reportingRoles()).toHaveLength(2);
    expect(supervised.output.includes('ended unexpectedly')).toBe(false);
  }, 60_000);

  it('and an API that is started again meanwhile serves them, too', async () => {
    process.kill(pidOf('api.js'), 'SIGKILL');
    await supervised.says(/the api ended unexpectedly/);
    await expect
      .poll(async () => (await send('two').catch(() => null))?.status, { timeout: 20_000 })
      .toBe(201);
    for (const cell of ['other', 'missing']) expect((await send(cell)).status, cell).toBe(503);
  }, 60_000);

  it('and is used when it is what its name says', async () => {
    const { installation_id } = (await identityOf(main.db)) ?? {};
    await on(urlOf('other'), (db) =>
      db.exec(adHoc('UPDATE cell_identity SET installation_id = $1'), [installation_id]),
    );
    await supervised.says(/The cell other answers, and its schema is up to date/);
    const served = async () => (await call('other', 'GET', '/domains')).status;
    await expect.poll(served, { timeout: 20_000 }).toBe(200);
  }, 60_000);

  it('as is the one whose database was made', async () => {
    await on(server.url, (db) => db.exec(adHoc('CREATE DATABASE missing')));
    await supervised.says(/The cell missing answers, and its schema is up to date/);
    const served = async () => (await call('missing', 'GET', '/domains')).status;
    await expect.poll(served, { timeout: 20_000 }).toBe(200);
  }, 60_000);
});
