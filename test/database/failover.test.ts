/**
 * Two real clusters, of which one follows the other, and an address that names both: what callers are told while the
 * standby is away, and how mail goes on when the primary is lost.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../src/kit/database/database.ts';
import { embeddedCluster } from '../../src/kit/database/embedded/cluster-home.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/kit/database/embedded-postgres.ts';
import { migrate } from '../../src/kit/database/migrate.ts';
import { READ_TIMEOUT_MS } from '../../src/kit/database/reads.ts';
import { adHoc, type Sql } from '../../src/kit/database/sql.ts';
import { createLog } from '../../src/kit/runtime/log.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { holding } from '../support/database.ts';
import { letter, sendLetter } from '../support/emails.ts';
import { startMailWorker, type TestWorker } from '../support/mail-worker.ts';
import { followSynchronously, onServer, type Standby } from '../support/standby.ts';
import { until } from '../support/until.ts';

const COMMIT_WITHIN_MS = 1_000;
const log = createLog('test', 'silent');

/** Counts what is read on behalf of an organization. */
class CountingDatabase extends Database {
  lists = 0;

  override reading(timeoutMs: number): Sql {
    if (timeoutMs === READ_TIMEOUT_MS) this.lists += 1;
    return super.reading(timeoutMs);
  }
}

let dataDir: string;
let primary: EmbeddedPostgres;
let standby: Standby;
/** On the primary alone. */
let onPrimary: Database;
/** On whichever takes writes. */
let db: Database;
let standbyDb: CountingDatabase;
let server: TestApi;
let worker: TestWorker;
let org: TestOrganization;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'postrider-failover-'));
  await chmod(dataDir, 0o755);
  primary = await startPrimary();
  await migrate(primary.url);
  standby = await followSynchronously(primary.url, (await embeddedCluster(dataDir))?.clusterDir ?? '');
  const { username, password, pathname } = new URL(primary.url);
  const hosts = [standby, primary].map(({ port }) => `127.0.0.1:${port}`).join(',');
  const url = `postgres://${username}:${password}@${hosts}${pathname}?target_session_attrs=read-write`;
  onPrimary = new Database({ url: primary.url, log, applicationName: 'test', maxConnections: 2 });
  db = new Database({ url, log, applicationName: 'test', commitWithinMs: COMMIT_WITHIN_MS });
  const database = { url, db, drop: () => db.close() };
  standbyDb = new CountingDatabase({ url: standby.url, wanted: 'standby', log, applicationName: 'test' });
  server = await startApi({ database, standby: standbyDb });
  org = await server.createOrganization();
  worker = await startMailWorker(database);
}, 120_000);

afterAll(async () => {
  await worker?.stop();
  await server?.stop();
  await db?.close();
  await standbyDb?.close();
  await onPrimary?.close();
  await standby?.stop();
  await primary?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

function startPrimary(): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' }, log: () => undefined });
}

async function stateOf(url: string): Promise<unknown> {
  const one = new Database({ url, log, applicationName: 'test', maxConnections: 1 });
  const ask = `SELECT pg_is_in_recovery() AS standby, current_setting('transaction_read_only') AS "readOnly"`;
  return one.one(adHoc(ask)).finally(() => one.close());
}

async function send(key: string) {
  const response = await fetch(`${server.url}/api/v1/emails/send`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${org.key}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify(letter(org, { subject: key })),
  });
  const body = (await response.json()) as { data: { message_id: string; status: string } };
  return { status: response.status, body };
}

/** What a client does that was not told how it ended. */
const sendUntilAccepted = (key: string) =>
  until(
    () => send(key),
    ({ status }) => status === 201,
  );

async function stored(subject: string): Promise<number> {
  const count = adHoc<{ count: number }>('SELECT count(*) FROM emails WHERE subject = $1');
  return (await db.one(count, [subject])).count;
}

async function deliveredOnce(id: string): Promise<void> {
  const read = () => server.api('GET', `/emails/${id}`, undefined, org.key);
  const { body } = await until(read, (answer) => answer.body.data?.status === 'delivered');
  expect(body.data.events.filter(({ type }: { type: string }) => type === 'delivered')).toHaveLength(1);
}

const whenSomebodyWaitsFor = (what: 'SyncRep' | 'relation') =>
  until(() => onPrimary.maybeOne(adHoc(`SELECT FROM pg_stat_activity WHERE wait_event = '${what}'`)));

describe('an address with several hosts', { timeout: 120_000 }, () => {
  it('leads to the one that takes writes, though a standby is named first', async () => {
    expect(await db.one(adHoc('SELECT pg_is_in_recovery() AS standby'))).toEqual({ standby: false });
    await deliveredOnce(await sendLetter(server, org));
  });

  it('has lists read from the standby, but by those who have sent what it may not show yet', async () => {
    const list = async () => (await server.api('GET', '/emails', undefined, org.key)).body.data;
    await until(async () => {
      await list();
      return standbyDb.lists > 0;
    });
    await onServer(standby.url, (client) => client.query('SELECT pg_wal_replay_pause()'));
    const id = await sendLetter(server, org);
    expect((await list()).map((one: { id: string }) => one.id)).toContain(id);
    await onServer(standby.url, (client) => client.query('SELECT pg_wal_replay_resume()'));
  });

  it('has a commit answered 503 that waits for a standby, and a repeat is told of it once it is done', async () => {
    let sending: ReturnType<typeof send> | undefined;
    await holding(onPrimary, async (tx) => {
      await tx.exec(adHoc('LOCK TABLE email_counts IN EXCLUSIVE MODE'));
      sending = send('waits');
      await whenSomebodyWaitsFor('relation');
      await standby.stop();
      throw new Error('gives it back without a commit');
    }).catch(() => undefined);
    await whenSomebodyWaitsFor('SyncRep');
    expect((await sending)?.status).toBe(503);
    expect([409, 503]).toContain((await send('waits')).status);
    expect(await stored('waits')).toBe(0);
    await standby.start();
    const { body } = await sendUntilAccepted('waits');
    expect(await stored('waits')).toBe(1);
    await deliveredOnce(body.data.message_id);
  });

  it('goes on with mail when the primary is killed, and does once what only that one had', async () => {
    await standby.stop();
    expect((await send('lost')).status).toBe(503);
    // Also what was answered before: should the primary have started anew, it may be on its disk alone.
    expect((await send('waits')).status).toBe(503);
    primary.kill();
    await standby.start();
    await standby.promote();
    const { body } = await sendUntilAccepted('lost');
    expect(await stored('lost')).toBe(1);
    await deliveredOnce(body.data.message_id);
    expect((await send('waits')).body).toMatchObject({ data: { status: 'queued' } });
    expect(await stored('waits')).toBe(1);
  });

  it('leads to the one that was promoted last, though the other is back and does not know', async () => {
    primary = await startPrimary();
    expect(await stateOf(primary.url)).toEqual({ standby: false, readOnly: 'off' });
    const another = new Database({ url: server.database.url, log, applicationName: 'test' });
    const port = adHoc<{ port: string }>("SELECT current_setting('port') AS port");
    expect(await another.one(port)).toEqual({ port: String(standby.port) });
    await another.close();
  });
});
