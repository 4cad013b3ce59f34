import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { placeHold } from '../../src/interventions/holds/store.ts';
import { BoundSockets } from '../../src/supervisor/open-ports.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { SETUP_TOKEN } from '../support/secret-key.ts';
import { seedMail } from '../support/seed-mail.ts';
import { until } from '../support/until.ts';
import { freePort, isAlive, Supervised } from './supervised.ts';

const run = promisify(execFile);
const ADMIN = { POSTRIDER_ADMIN_EMAIL: 'ada@example.org', POSTRIDER_ADMIN_PASSWORD: 'correct horse battery' };

let database: TestDatabase;
let running: Supervised | undefined;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  await running?.clear();
  await database.drop();
});

async function start(roles: string[], env: Record<string, string> = {}): Promise<Supervised> {
  running = await Supervised.start(roles, { DATABASE_URL: database.url, ...env });
  return running;
}

/** A private network: nobody asks for a public name. */
const LIVE = { POSTRIDER_MODE: 'live', POSTRIDER_ALLOW_PRIVATE_DESTINATIONS: 'true' };

describe('the supervisor', () => {
  it('shows the address, a key of the first organization and a line to paste, once it is ready', async () => {
    const first = await start(['api.mjs']);
    const [, key] = await first.says(/API key +(\S+) .*shown only once/);
    const [curl] = await first.says(/curl .*/);
    expect(curl).toContain(`http://127.0.0.1:${first.port}/api/v1/emails/send`);
    expect(curl).toContain(`Bearer ${key}`);
    expect(first.output).toContain(`http://localhost:${first.port}`);
    await first.says(/is ready/);
    await first.clear();

    const second = await start(['api.mjs']);
    await second.says(/is ready/);
    expect(second.output).not.toContain('shown only once');
    expect(second.output).not.toContain(key);
  });

  it('says at the end of a start that everything is held, and why', async () => {
    await placeHold(database.db, { scope: 'all', reason: 'Restored from a backup' });
    const held = await start(['api.mjs']);
    await held.says(/is ready, and everything is held: .*`npx postrider release` \(Restored from a backup\)/);
    expect(held.output).not.toContain('Sandbox mode:');
  });

  it('shows the same setup link at every start, until there is a user', async () => {
    const link = (port: number) => `Dashboard      http://localhost:${port}/#setup=${SETUP_TOKEN}`;
    for (let starts = 0; starts < 2; starts += 1) {
      const before = await start(['api.mjs']);
      await before.says(/is ready/);
      expect(before.output).toContain(link(before.port));
      await before.clear();
    }
    const after = await start(['api.mjs'], ADMIN);
    await after.says(/is ready/);
    expect(after.output).toMatch(new RegExp(`Dashboard +http://localhost:${after.port}\n`));
    expect(after.output).not.toContain('setup');
  });

  it('never shows a key it was given, and shows a line that works where that key is exported', async () => {
    const key = 'a-key-that-the-operator-chose';
    const supervised = await start(['api.mjs'], { POSTRIDER_API_KEY: key });
    const [curl] = await supervised.says(/curl .*/);
    await supervised.says(/is ready/);
    expect(supervised.output).not.toContain(key);
    expect(supervised.output).toMatch(/API key +the one in POSTRIDER_API_KEY/);
    const env = { ...process.env, POSTRIDER_API_KEY: key };
    const { stdout } = await run('bash', ['-c', `${curl} -s`], { env });
    expect(JSON.parse(stdout)).toMatchObject({ authorization: `Bearer ${key}` });
    expect(supervised.output).toMatch(/Warning: POSTRIDER_API_KEY is now called POSTRIDER_BOOTSTRAP_API_KEY/);
  });

  it('names POSTRIDER_BOOTSTRAP_API_KEY where the key was given in it, and warns of nothing', async () => {
    const supervised = await start(['api.mjs'], { POSTRIDER_BOOTSTRAP_API_KEY: 'a-key-of-the-operator' });
    await supervised.says(/is ready/);
    expect(supervised.output).toMatch(/API key +the one in POSTRIDER_BOOTSTRAP_API_KEY/);
    expect(supervised.output).not.toContain('is now called');
  });

  it('does not start in live mode under a name that mail servers refuse, and says what to set', async () => {
    const refused = await start(['api.mjs'], { POSTRIDER_MODE: 'live', POSTRIDER_HOSTNAME: 'vm' });
    await refused.says(
      /failed: The host name "vm" is not fully qualified.*Set POSTRIDER_HOSTNAME .*such as mail\.example\.org/,
    );
    expect(await refused.exited()).toBe(1);
    expect(refused.output).not.toContain('API key');
  });

  it('does not start in live mode where others reach it, while nobody owns it', async () => {
    const env = { ...LIVE, POSTRIDER_HOST: '0.0.0.0' };
    const refused = await start(['api.mjs'], env);
    await refused.says(
      /failed: In live mode it does not listen on 0\.0\.0\.0, where others .*POSTRIDER_ADMIN_EMAIL/,
    );
    expect(await refused.exited()).toBe(1);
    expect(refused.output).not.toContain('API key');

    const nearby = await start(['api.mjs'], { ...env, POSTRIDER_HOST: '127.0.0.1' });
    await nearby.says(/#setup=[\s\S]*API key[\s\S]*is ready/);
    await nearby.clear();

    const owned = await start(['api.mjs'], { ...env, ...ADMIN });
    await owned.says(/is ready/);
    await owned.clear();

    const later = await start(['api.mjs'], env);
    await later.says(/is ready/);
  });

  it('starts a role again that was killed, and says so', async () => {
    const supervised = await start(['api.mjs']);
    await supervised.says(/is ready/);
    const { pid } = await supervised.api();
    process.kill(pid, 'SIGKILL');
    await supervised.says(/"reason":"signal SIGKILL".*ended unexpectedly; restarting/);
    await until(() =>
      supervised.api().then(
        (now) => now.pid !== pid,
        () => false,
      ),
    );
  });

  it('lets requests wait that come while no API runs', async () => {
    const supervised = await start(['api.mjs']);
    await supervised.says(/is ready/);
    const { pid } = await supervised.api();
    process.kill(pid, 'SIGKILL');
    await until(() => !isAlive(pid));
    expect((await supervised.api()).pid).not.toBe(pid);
  });

  it('replaces a role on SIGHUP, while every request is answered', async () => {
    const supervised = await start(['api.mjs', 'worker.mjs']);
    await supervised.says(/is ready/);
    const { pid } = await supervised.api();
    supervised.child.kill('SIGHUP');
    await until(async () => (await supervised.api()).pid !== pid);
    await supervised.says(
      /Restarted the api\.[\s\S]*Restarted the worker\.[\s\S]*Restarted\. This is Postrider \d/,
    );
    await until(() => !isAlive(pid));
    expect(supervised.output).not.toContain('ended unexpectedly');
  });

  it('keeps a role whose successor is not ready before it ends, and everything after it', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'postrider-supervisor-'));
    const supervised = await start(['api.mjs', 'brittle.mjs', 'worker.mjs'], { POSTRIDER_DATA_DIR: dataDir });
    await supervised.says(/is ready/);
    writeFileSync(join(dataDir, 'broken'), '');
    supervised.child.kill('SIGHUP');
    await supervised.says(/The new brittle did not become ready \(exit code 3\)\. The old brittle continues/);
    expect(supervised.output).toContain('Restarted the api.');
    expect(supervised.output).not.toContain('Restarted the worker.');
    rmSync(join(dataDir, 'broken'));
    supervised.child.kill('SIGHUP');
    await supervised.says(/Restarted the worker\.[\s\S]*Restarted\. This is/);
    rmSync(dataDir, { recursive: true });
  });

  it('changes nothing on SIGHUP when the schema cannot be brought up to date', async () => {
    const supervised = await start(['api.mjs']);
    await supervised.says(/is ready/);
    const { pid } = await supervised.api();
    await database.db.exec(adHoc(`INSERT INTO schema_migrations (version, name) VALUES (9999, 'later')`));
    supervised.child.kill('SIGHUP');
    await supervised.says(/Update Postrider[\s\S]*The running processes continue unchanged/);
    expect((await supervised.api()).pid).toBe(pid);
  });

  it('uses sockets that a service manager holds, and a restart refuses nobody', async () => {
    const sockets = new BoundSockets({});
    const port = await freePort();
    const [socket] = await sockets.bind({ host: '127.0.0.1', port });
    const env = { POSTRIDER_PORT: String(port), DATABASE_URL: database.url };
    const first = await Supervised.start(['api.mjs'], env, undefined, socket?.fd);
    running = first;
    await first.says(/is ready/);
    const { pid } = await first.api();
    await first.clear();
    const waiting = first.api();
    running = await Supervised.start(['api.mjs'], env, undefined, socket?.fd);
    expect((await waiting).pid).not.toBe(pid);
    sockets.close();
  });

  it('warns of a socket that a service manager holds for nobody', async () => {
    const sockets = new BoundSockets({});
    const port = await freePort();
    const [socket] = await sockets.bind({ host: '127.0.0.1', port });
    running = await Supervised.start(['waiting.mjs'], { DATABASE_URL: database.url }, undefined, socket?.fd);
    await running.says(new RegExp(`Warning: the service manager holds port ${port}, where nothing listens`));
    sockets.close();
  });

  it('starts as many workers as were asked for', async () => {
    const supervised = await start(['api.mjs', 'worker.mjs'], { POSTRIDER_WORKERS: '2' });
    await supervised.says(/a worker runs[\s\S]*a worker runs/);
    await supervised.says(/is ready/);
  });

  it('serves the numbers of all its roles on one port, and says which of them does not answer', async () => {
    const port = await freePort();
    const env = { POSTRIDER_WORKERS: '2', POSTRIDER_METRICS_PORT: String(port) };
    const supervised = await start(['api.mjs', 'worker.mjs'], env);
    await supervised.says(/a worker runs[\s\S]*a worker runs/);
    await supervised.says(/is ready/);
    expect(supervised.output).toContain(`Metrics are at http://127.0.0.1:${port}/metrics.`);
    // The output is for people.
    expect(supervised.output).not.toContain('{"level"');
    const page = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    // The stand-in of the API answers no questions.
    expect(page.split('\n').filter((line) => !line.startsWith('#'))).toEqual([
      'postrider_process_up{role="api",process="api"} 0',
      'postrider_process_up{role="worker",process="worker"} 1',
      'postrider_process_up{role="worker",process="worker 2"} 1',
      'postrider_process_restarts_total{role="api",process="api"} 0',
      'postrider_process_restarts_total{role="worker",process="worker"} 0',
      'postrider_process_restarts_total{role="worker",process="worker 2"} 0',
      'mails{process="worker",role="worker"} 7',
      'mails{process="worker 2",role="worker"} 7',
      '',
    ]);
  });

  it('counts how often a role had to be started again', async () => {
    const port = await freePort();
    const supervised = await start(['api.mjs', 'worker.mjs'], { POSTRIDER_METRICS_PORT: String(port) });
    await supervised.says(/is ready/);
    process.kill((await supervised.api()).pid, 'SIGKILL');
    await supervised.says(/ended unexpectedly; restarting/);
    const page = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    expect(page).toContain('postrider_process_restarts_total{role="api",process="api"} 1');
  });

  it('says at a live start how many deliveries of the sandbox are withdrawn', async () => {
    await seedMail(database.db, { organizationId: 'org_a', domain: 'there.test', count: 3, mode: 'sandbox' });
    const supervised = await start(['api.mjs'], LIVE);
    await supervised.says(/3 deliveries of the sandbox are withdrawn/);
    await supervised.says(/is ready/);
  });

  it('does not start a sandbox over live mail, and says what to do', async () => {
    await seedMail(database.db, { organizationId: 'org_a', domain: 'there.test', count: 1 });
    const supervised = await start(['api.mjs']);
    await supervised.says(/failed: 1 delivery of live mail is still in the queue.*POSTRIDER_MODE=live/);
    expect(await supervised.exited()).toBe(1);
  });

  it('stops everything when asked, and exits 0', async () => {
    const supervised = await start(['api.mjs']);
    await supervised.says(/is ready/);
    const { pid } = await supervised.api();
    supervised.child.kill('SIGTERM');
    // npm passes on the signal that the terminal sent already; that is not impatience.
    supervised.child.kill('SIGINT');
    expect(await supervised.exited()).toBe(0);
    expect(isAlive(pid)).toBe(false);
  });

  it('kills a role that does not stop, within ten seconds', async () => {
    const supervised = await start(['api.mjs', 'stubborn.mjs']);
    await supervised.says(/is ready/);
    const began = performance.now();
    supervised.child.kill('SIGTERM');
    expect(await supervised.exited()).toBe(0);
    expect(performance.now() - began).toBeLessThan(10_000);
  });

  it('leaves no role behind when it is killed itself', async () => {
    const supervised = await start(['api.mjs', 'stubborn.mjs']);
    await supervised.says(/is ready/);
    const { pid } = await supervised.api();
    supervised.child.kill('SIGKILL');
    await supervised.exited();
    await until(() => !isAlive(pid));
  });

  it('names the variable when the HTTP port is taken', async () => {
    const squatter = createServer().listen(0, '127.0.0.1');
    await once(squatter, 'listening');
    const { port } = squatter.address() as { port: number };
    const supervised = await start(['api.mjs'], { POSTRIDER_PORT: String(port) });
    await supervised.says(new RegExp(`failed: Port ${port} .*POSTRIDER_PORT`));
    expect(await supervised.exited()).toBe(1);
    squatter.close();
  });

  it('lets roles load at once, and go on when the database is right', async () => {
    const supervised = await start(['api.mjs', 'waiting.mjs']);
    await supervised.says(/is ready/);
    await supervised.says(/waiting as [\s\S]*told to go on with postgres:.* and \d+/);
    // The key is shown when the database holds it, so that is when the schema was there.
    expect(supervised.output).toMatch(/API key[\s\S]*told to go on/);
  });

  it('ends roles that wait with one message when the database cannot be used', async () => {
    const supervised = await start(['waiting.mjs'], { DATABASE_URL: 'postgres://x:y@127.0.0.1:9/z' });
    expect(await supervised.exited()).toBe(1);
    const said = supervised.output.replace(/^waiting as \d+\n/m, '');
    expect(said).toMatch(
      /^failed: The database that DATABASE_URL names cannot be used: .*\nStopping…\nStopped\.\n$/,
    );
    const pid = Number(/waiting as (\d+)/.exec(supervised.output)?.[1] ?? 0);
    expect(pid !== 0 && isAlive(pid)).toBe(false);
  });

  it('names the variable when the database it was given does not answer', async () => {
    const supervised = await start(['api.mjs'], { DATABASE_URL: 'postgres://x:y@127.0.0.1:9/z' });
    await supervised.says(/failed: The database that DATABASE_URL names cannot be used: .*ECONNREFUSED/);
    expect(await supervised.exited()).toBe(1);
  });
});
