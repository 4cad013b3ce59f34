/** Real failures of a real PostgreSQL: the effect of each kind on sending, and the automatic recovery. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { Database } from '../../src/database/database.ts';
import { adHoc } from '../../src/database/sql.ts';
import { createLog } from '../../src/runtime/log.ts';
import { type Answer, startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { admin, createTestDatabase, type TestDatabase } from '../support/database.ts';
import { letter, sendLetter, storedRows } from '../support/emails.ts';
import { Rival } from '../support/rival.ts';

const CONNECTIONS = 12;

/** Not a superuser, because superusers may always connect. */
const role = `test_${randomBytes(8).toString('hex')}`;
let database: TestDatabase;
let url: string;
let db: Database;
let server: TestApi;
let org: TestOrganization;
beforeAll(async () => {
  database = await createTestDatabase();
  await admin(database.url, `CREATE ROLE ${role} LOGIN PASSWORD 'secret' CONNECTION LIMIT ${CONNECTIONS}`);
  await admin(database.url, `GRANT ALL ON ALL TABLES IN SCHEMA public TO ${role}`);
  await admin(database.url, `GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO ${role}`);
  url = Object.assign(new URL(database.url), { username: role, password: 'secret' }).toString();
  db = new Database({ url, log: createLog('test', 'silent'), applicationName: 'trouble' });
  server = await startApi({ database: { ...database, db } });
  org = await server.createOrganization();
  await sendLetter(server, org);
});
afterAll(async () => {
  await server.stop();
  await db.close();
  await database.drop();
  await admin(inject('databaseUrl'), `DROP ROLE ${role}`);
});

const send = () => server.api('POST', '/emails/send', letter(org), org.key);
const list = () => server.api('GET', '/emails', undefined, org.key);

function expectRetryLater(answer: Answer): void {
  expect([answer.status, answer.body.error?.code]).toEqual([503, 'UNAVAILABLE']);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
}

async function emails(): Promise<number> {
  return (await storedRows(database.db)).emails;
}

/** Locks the counters in another transaction. The returned function releases the locks, unless the transaction was ended. */
async function lockCounters(): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: database.url });
  client.on('error', () => {});
  await client.connect();
  await client.query('BEGIN; LOCK TABLE email_counts IN EXCLUSIVE MODE');
  return () => client.end();
}

/** Does something to the session that accepts mail once it waits for a lock. */
async function whenItWaits(does: 'pg_cancel_backend' | 'pg_terminate_backend'): Promise<void> {
  const hit = adHoc<{ hit: boolean }>(
    `SELECT ${does}(pid) AS hit FROM pg_stat_activity WHERE usename = $1 AND wait_event_type = 'Lock'`,
  );
  await expect.poll(() => database.db.many(hit, [role]), { interval: 20 }).toEqual([{ hit: true }]);
}

async function endSessions(): Promise<void> {
  const end = adHoc('SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE usename = $1');
  await database.db.exec(end, [role]);
}

/** Holds for all sessions that begin from now on, and there are none that began before. */
async function withSetting(setting: string, value: string, work: () => Promise<void>): Promise<void> {
  await database.db.exec(adHoc(`ALTER ROLE ${role} SET ${setting} = '${value}'`));
  try {
    await endSessions();
    await work();
  } finally {
    await database.db.exec(adHoc(`ALTER ROLE ${role} RESET ${setting}`));
  }
}

describe('a server that only reads (25006)', () => {
  it('is read from, and accepts at once when it writes again, on whichever connection', async () => {
    const before = await emails();
    await withSetting('default_transaction_read_only', 'on', async () => {
      await expect.poll(async () => (await list()).status).toBe(200); // the sessions that ended were noticed
      for (let i = 0; i < 3; i += 1) expectRetryLater(await send());
      expect((await Promise.all(Array.from({ length: 30 }, list))).map(({ status }) => status)).toEqual(
        Array(30).fill(200),
      );
    });
    const answers = await Promise.all(Array.from({ length: 10 }, send));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201));
    expect(await emails()).toBe(before + 10);
    await endSessions();
    await expect.poll(async () => (await list()).status).toBe(200);
  });
});

describe.each([
  ['cancelled (57014)', 'pg_cancel_backend'],
  ['ended with its session (57P01)', 'pg_terminate_backend'],
] as const)('a commit that is %s', (_, does) => {
  it('leaves nothing behind, and the same again works', async () => {
    const before = await emails();
    const unlock = await lockCounters();
    const answer = send();
    await whenItWaits(does);
    expectRetryLater(await answer);
    await unlock();
    expect(await emails()).toBe(before);
    expect((await send()).status).toBe(201);
  });
});

describe('what somebody else has locked', () => {
  it('for longer than is waited for (55P03) leaves nothing behind, and the same again works', async () => {
    await withSetting('lock_timeout', '100ms', async () => {
      await expect.poll(async () => (await list()).status).toBe(200);
      const before = await emails();
      const unlock = await lockCounters();
      expectRetryLater(await send());
      await unlock();
      expect(await emails()).toBe(before);
      expect((await send()).status).toBe(201);
    });
    await endSessions();
    await expect.poll(async () => (await list()).status).toBe(200);
  });

  it('inside a transaction that does not go on (25P03) is free after two seconds', async () => {
    const before = await emails();
    let frozen: Promise<unknown> | undefined;
    let thaw = () => {};
    await new Promise<void>((locked) => {
      frozen = db.transaction(async (tx) => {
        await tx.exec(adHoc('LOCK TABLE email_counts IN EXCLUSIVE MODE'));
        locked();
        await new Promise<void>((resolve) => {
          thaw = resolve;
        });
      });
      frozen.catch(() => {});
    });
    expect((await send()).status).toBe(201);
    thaw();
    await expect(frozen).rejects.toThrow();
    expect(await emails()).toBe(before + 1);
  });
});

describe('a commit that gave way to a deadlock (40P01)', () => {
  it('leaves nothing behind, and the same again works', async () => {
    const before = await emails();
    const rival = await Rival.holding(database.url, 'LOCK TABLE email_counts IN EXCLUSIVE MODE');
    const answer = send();
    await rival.isWaitedFor();
    await rival.wants(`UPDATE daily_usage SET recipients = recipients WHERE organization_id = '${org.id}'`);
    await rival.letGo();
    expectRetryLater(await answer);
    expect(await emails()).toBe(before);
    expect((await send()).status).toBe(201);
  });
});

describe('a server that takes no more connections (53300)', () => {
  it('is reported, and sending works again when there is space', async () => {
    await admin(database.url, `ALTER ROLE ${role} CONNECTION LIMIT 0`);
    await endSessions();
    await expect.poll(async () => (await send()).status).toBe(503); // the sessions that ended were noticed
    expectRetryLater(await send());
    await expect(new pg.Client({ connectionString: url }).connect()).rejects.toMatchObject({ code: '53300' });
    await admin(database.url, `ALTER ROLE ${role} CONNECTION LIMIT ${CONNECTIONS}`);
    await expect.poll(async () => (await send()).status).toBe(201);
  });
});
