/** Two real clusters, of which one follows the other, and two processes of the API that read lists from that one. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Database } from '../../src/database/database.ts';
import { embeddedCluster } from '../../src/database/embedded/cluster-home.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/database/embedded-postgres.ts';
import { migrate } from '../../src/database/migrate.ts';
import { READ_TIMEOUT_MS } from '../../src/database/reads.ts';
import type { Sql } from '../../src/database/sql.ts';
import { createLog } from '../../src/runtime/log.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { sendLetter } from '../support/emails.ts';
import { follow, onServer, type Standby } from '../support/standby.ts';
import { until } from '../support/until.ts';

const log = createLog('test', 'silent');

/** Counts what it has answered of what is read on behalf of organizations. */
class CountingDatabase extends Database {
  answered = 0;

  override reading(timeoutMs: number, first?: string): Sql {
    const db = super.reading(timeoutMs, first);
    if (timeoutMs !== READ_TIMEOUT_MS) return db;
    const counted = async <T>(answer: Promise<T>) => {
      const value = await answer;
      this.answered += 1;
      return value;
    };
    return {
      many: (statement, params) => counted(db.many(statement, params)),
      maybeOne: (statement, params) => counted(db.maybeOne(statement, params)),
      one: (statement, params) => counted(db.one(statement, params)),
      exec: (statement, params) => counted(db.exec(statement, params)),
    };
  }
}

let dataDir: string;
let primary: EmbeddedPostgres;
let standby: Standby;
let db: Database;
let standbyDb: CountingDatabase;
let api: TestApi;
let other: TestApi;
let org: TestOrganization;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'postrider-standby-'));
  await chmod(dataDir, 0o755);
  primary = await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' }, log: () => undefined });
  await migrate(primary.url);
  standby = await follow(primary.url, (await embeddedCluster(dataDir))?.clusterDir ?? '');
  db = new Database({ url: primary.url, log, applicationName: 'test' });
  standbyDb = new CountingDatabase({ url: standby.url, wanted: 'standby', log, applicationName: 'test' });
  const database = { url: primary.url, db, drop: () => db.close() };
  api = await startApi({ database, standby: standbyDb });
  other = await startApi({ database });
  org = await api.createOrganization();
}, 120_000);

afterAll(async () => {
  await other?.stop();
  await api?.stop();
  await db?.close();
  await standbyDb?.close();
  await standby?.stop();
  await primary?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function get(path: string) {
  const { status, body } = await api.api('GET', path, undefined, org.key);
  expect(status).toBe(200);
  return body.data;
}

/** Statistics say up to which moment they go. */
const timeless = (data: unknown) =>
  JSON.parse(JSON.stringify(data, (name, value) => (name === 'from' || name === 'to' ? undefined : value)));

const listedIds = async (): Promise<string[]> => (await get('/emails')).map(({ id }: { id: string }) => id);

const replay = (what: 'pause' | 'resume') =>
  onServer(standby.url, (client) => client.query(`SELECT pg_wal_replay_${what}()`));

/** Asks until the standby has answered one of them: a machine that is busy may let it be late. */
async function untilTheStandbyAnswers(path: string): Promise<unknown> {
  const before = standbyDb.answered;
  return until(
    () => get(path),
    () => standbyDb.answered > before,
  );
}

describe('a standby to read from', { timeout: 120_000 }, () => {
  beforeEach(() => untilTheStandbyAnswers('/emails'));

  it.each([
    '/emails',
    '/emails?subject=Hello&status=queued',
    '/emails?tag=a',
    '/stats?range=7d',
    '/stats/attention',
    '/events',
    '/suppressions',
    '/templates',
    '/sites',
  ])('answers %s', async (path) => {
    const { body } = await other.api('GET', path, undefined, org.key);
    expect(timeless(await untilTheStandbyAnswers(path))).toEqual(timeless(body.data));
  });

  it('is not asked for one email, which the primary has', async () => {
    const id = await sendLetter(api, org);
    const before = standbyDb.answered;
    expect(await get(`/emails/${id}`)).toMatchObject({ id });
    expect(standbyDb.answered).toBe(before);
  });

  it('shows what was sent a moment ago, through whichever process', async () => {
    for (const through of [api, other]) {
      const id = await sendLetter(through, org);
      expect(await listedIds()).toContain(id);
    }
  });

  it('that lags is not read: what another process accepted is in the list', async () => {
    await replay('pause');
    try {
      const id = await sendLetter(other, org);
      const before = standbyDb.answered;
      expect(await listedIds()).toContain(id);
      expect(standbyDb.answered).toBe(before);
    } finally {
      await replay('resume');
    }
  });

  it('that is gone is not missed, and read again when it is back', async () => {
    await standby.stop();
    const id = await sendLetter(other, org);
    expect(await listedIds()).toContain(id);
    await standby.start();
    await untilTheStandbyAnswers('/emails');
    expect(await listedIds()).toContain(id);
  });

  it('that was promoted is not read', async () => {
    await standby.promote();
    const before = standbyDb.answered;
    const id = await sendLetter(other, org);
    expect(await listedIds()).toContain(id);
    expect(standbyDb.answered).toBe(before);
  });
});
