import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { listUsers } from '../../src/accounts/users/store.ts';
import { adHoc } from '../../src/database/sql.ts';
import { bootstrap } from '../../src/operations/bootstrap.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { parseConfig } from '../../src/runtime/config.ts';
import { EXIT_CONFIG } from '../../src/runtime/refused-start.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { TEST_SECRET_KEY } from '../support/secret-key.ts';
import { openTcpGate, type TcpGate } from '../support/tcp-gate.ts';

const KEY = 'the-key-of-the-process-tests';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
  await bootstrap(test.db, parseConfig({ POSTRIDER_BOOTSTRAP_API_KEY: KEY }), systemClock);
});
afterAll(() => test.drop());

const running: ChildProcess[] = [];
afterEach(async () => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});

/** Starts the process and gathers what it says. */
function start(env: Record<string, string>) {
  const child = spawn(process.execPath, ['dist/processes/api.js'], {
    env: {
      ...process.env,
      POSTRIDER_PORT: '0',
      DATABASE_URL: test.url,
      POSTRIDER_SECRET_KEY: TEST_SECRET_KEY,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  running.push(child);
  const stdout = child.stdout as Readable;
  // Not 'close': it does not come after a disconnect. What was said is complete when stdout has ended.
  const exited = Promise.all([once(child, 'exit'), once(stdout, 'end')]).then(([exit]) => exit);
  let said = '';
  const listening = new Promise<string>((resolve, reject) => {
    stdout.on('data', (chunk) => {
      said += chunk;
      const url = /"url":"([^"]+)","msg":"listening"/.exec(said)?.[1];
      if (url !== undefined) resolve(url);
    });
    child.once('exit', () => reject(new Error(`ended before it listened: ${said}`)));
  });
  listening.catch(() => undefined);
  return { child, exited, listening, said: () => said };
}

const askKeys = (url: string) =>
  fetch(`${url}/api/v1/api-keys`, { headers: { authorization: `Bearer ${KEY}` } });

describe('the API process', () => {
  it('serves, is ready, and ends with 0 when asked', async () => {
    const api = start({});
    const url = await api.listening;
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect((await askKeys(url)).status).toBe(200);
    api.child.kill('SIGTERM');
    expect(await api.exited).toEqual([0, null]);
  });

  it('writes down the last use of a key before it ends', async () => {
    await test.db.exec(adHoc('UPDATE api_keys SET last_used_at = NULL'));
    const api = start({});
    expect((await askKeys(await api.listening)).status).toBe(200);
    api.child.kill('SIGINT');
    await api.exited;
    const select = adHoc<{ last_used_at: Date | null }>('SELECT last_used_at FROM api_keys');
    expect((await test.db.one(select)).last_used_at).not.toBeNull();
  });

  it('ends when its supervisor is gone', async () => {
    const api = start({});
    await api.listening;
    api.child.disconnect();
    expect(await api.exited).toEqual([0, null]);
  });

  it('names POSTRIDER_PORT when its port is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const api = start({ POSTRIDER_PORT: String(port) });
    expect(await api.exited).toEqual([1, null]);
    expect(api.said()).toMatch(new RegExp(`Port ${port} on 127.0.0.1 is taken.*POSTRIDER_PORT`));
    taken.close();
  });

  it('says that it needs DATABASE_URL when it runs alone', async () => {
    const api = start({ DATABASE_URL: '' });
    expect(await api.exited).toEqual([EXIT_CONFIG, null]);
    expect(api.said()).toContain('DATABASE_URL is not set');
  });

  it('does not listen in live mode where others reach it, until somebody owns it', async () => {
    const env = { POSTRIDER_MODE: 'live', POSTRIDER_HOST: '0.0.0.0' };
    const refused = start(env);
    expect(await refused.exited).toEqual([EXIT_CONFIG, null]);
    expect(refused.said()).toMatch(/does not listen on 0\.0\.0\.0, where others .*POSTRIDER_ADMIN_EMAIL/);
    expect(refused.said()).not.toContain('listening');

    const owned = start({
      ...env,
      POSTRIDER_ADMIN_EMAIL: 'ada@example.org',
      POSTRIDER_ADMIN_PASSWORD: 'correct horse battery',
    });
    await owned.listening;
    expect(await listUsers(test.db)).toMatchObject([{ email: 'ada@example.org' }]);
  });

  it('refuses a schema that is newer than itself', async () => {
    const newer = await createTestDatabase();
    await newer.db.exec(adHoc(`INSERT INTO schema_migrations (version, name) VALUES (9999, 'later')`));
    const api = start({ DATABASE_URL: newer.url });
    expect(await api.exited).toEqual([1, null]);
    expect(api.said()).toContain('newer than this code knows');
    await newer.drop();
  });
});

describe('when PostgreSQL goes away', () => {
  let gate: TcpGate;
  const gated = () => {
    const url = new URL(test.url);
    url.port = String(gate.port);
    return url.toString();
  };
  afterEach(() => gate.shut().catch(() => undefined));

  it('answers 503 meanwhile and 200 afterwards, in the same process', async () => {
    gate = await openTcpGate('127.0.0.1', Number(new URL(test.url).port));
    const api = start({ DATABASE_URL: gated() });
    const url = await api.listening;
    const statuses = async () =>
      Promise.all([askKeys(url), fetch(`${url}/readyz`)].map(async (one) => (await one).status));
    expect(await statuses()).toEqual([200, 200]);

    await gate.shut();
    await expect.poll(statuses, { timeout: 10_000 }).toEqual([503, 503]);
    const refused = await askKeys(url);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await refused.json()).toMatchObject({ error: { code: 'UNAVAILABLE' } });
    expect((await fetch(`${url}/healthz`)).status).toBe(200);

    await gate.open();
    await expect.poll(statuses, { timeout: 10_000 }).toEqual([200, 200]);
    expect(api.child.exitCode).toBeNull();
  });

  it('waits for it when it is not there yet', async () => {
    gate = await openTcpGate('127.0.0.1', Number(new URL(test.url).port));
    await gate.shut();
    const api = start({ DATABASE_URL: gated() });
    const url = await api.listening;
    expect((await fetch(`${url}/readyz`)).status).toBe(503);
    await gate.open();
    await expect.poll(async () => (await fetch(`${url}/readyz`)).status, { timeout: 10_000 }).toBe(200);
  });
});
