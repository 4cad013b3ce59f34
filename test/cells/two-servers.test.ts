/** Two cells on two servers of PostgreSQL, and the API and workers in front of them. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CellDirectory } from '../../src/cells/directory.ts';
import { RoutedDatabase } from '../../src/cells/routed-database.ts';
import { assignCell } from '../../src/cells/store.ts';
import { Database } from '../../src/database/database.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/database/embedded-postgres.ts';
import { migrate } from '../../src/database/migrate.ts';
import { adHoc } from '../../src/database/sql.ts';
import { copyOrganization, findOrganization, type OrganizationRow } from '../../src/organizations/store.ts';
import { createLog } from '../../src/runtime/log.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { dropControl } from '../support/celled-database.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { letter } from '../support/emails.ts';
import { startMailWorker, type TestWorker } from '../support/mail-worker.ts';

const log = createLog('test', 'silent');

let dataDir: string;
let control: TestDatabase;
let server: EmbeddedPostgres;
let two: Database;
let routed: Database;
let directory: CellDirectory;
let api: TestApi;
let workers: TestWorker[];
let here: TestOrganization;
let there: TestOrganization;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'postrider-cells-'));
  await chmod(dataDir, 0o755);
  [control, server] = await Promise.all([createTestDatabase(), startServer()]);
  await migrate(server.url);
  two = new Database({ url: server.url, log, applicationName: 'test' });
  await dropControl(two);
  directory = new CellDirectory({ db: control.db, log });
  routed = new RoutedDatabase({ main: control.db, others: new Map([['two', two]]), directory });
  await directory.start();
  api = await startApi({ database: { ...control, db: routed } });
  here = await api.createOrganization('Here');
  there = await createThere();
  workers = await Promise.all(
    routed.cells.map(({ name, db }) =>
      startMailWorker({ db, url: name === 'main' ? control.url : server.url, drop: async () => {} }),
    ),
  );
}, 120_000);

afterAll(async () => {
  await Promise.all(workers?.map((worker) => worker.stop()) ?? []);
  await api?.stop();
  await directory?.stop();
  await two?.close();
  await server?.stop();
  await control?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

function startServer(): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' }, log: () => undefined });
}

/** Made, and placed in the second cell before it has anything. */
async function createThere(): Promise<TestOrganization> {
  const { id } = await api.createOrganization('Placeholder');
  await control.db.exec(adHoc(`DELETE FROM domains WHERE organization_id = '${id}'`));
  const row = (await findOrganization(routed, id)) as OrganizationRow;
  await control.db.transaction((tx) => assignCell(tx, id, 'two'));
  await directory.refresh();
  await copyOrganization(routed, row);
  const domain = 'there.test';
  await api.addVerifiedDomain(id, domain);
  return { id, domain, key: await api.createKey(id) };
}

const send = (org: TestOrganization) => api.api('POST', '/emails/send', letter(org), org.key);

async function delivered(org: TestOrganization, id: string): Promise<void> {
  const status = async () => (await api.api('GET', `/emails/${id}`, undefined, org.key)).body.data?.status;
  await expect.poll(status, { timeout: 30_000 }).toBe('delivered');
}

async function countIn(db: Database, org: TestOrganization): Promise<number> {
  const rows = await db.many(
    adHoc<{ count: number }>('SELECT count(*) FROM emails WHERE organization_id = $1'),
    [org.id],
  );
  return rows[0]?.count ?? 0;
}

describe('two cells', () => {
  it('have the mail of their own organizations, which is accepted and delivered by the same API', async () => {
    for (const org of [here, there]) {
      const sent = await send(org);
      expect(sent.status).toBe(201);
      await delivered(org, sent.body.data.message_id);
    }
    expect([await countIn(control.db, here), await countIn(control.db, there)]).toEqual([1, 0]);
    expect([await countIn(two, here), await countIn(two, there)]).toEqual([0, 1]);
  });
});

describe('when the server of one cell is killed', () => {
  it('organizations of the other do not notice, and its own go on when it is back', async () => {
    server.kill();
    await server.exited;
    const refused = await send(there);
    expect([refused.status, refused.body.error?.code]).toEqual([503, 'UNAVAILABLE']);
    for (let times = 0; times < 10; times += 1) {
      const sent = await send(here);
      expect(sent.status).toBe(201);
      await delivered(here, sent.body.data.message_id);
    }
    const held = await api.api('POST', '/holds', { scope: 'organization', reason: 'Alone' }, here.key);
    expect(held.status).toBe(201);
    const path = `/holds/${held.body.data.id}`;
    expect((await api.api('GET', path, undefined, here.key)).body.data.reason).toBe('Alone');
    expect((await api.api('POST', `${path}/release`, {}, here.key)).status).toBe(200);
    server = await startServer();
    await expect.poll(async () => (await send(there)).status, { timeout: 60_000 }).toBe(201);
    await expect
      .poll(
        async () =>
          (await api.api('GET', '/emails?status=queued', undefined, there.key)).body.pagination?.total_count,
        {
          timeout: 60_000,
        },
      )
      .toBe(0);
  }, 120_000);
});
