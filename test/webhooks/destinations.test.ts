import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type DnsZoneServer, startDnsZone } from '../support/dns-zone.ts';
import { sendLetter } from '../support/emails.ts';
import { startMailWorker } from '../support/mail-worker.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

let zone: DnsZoneServer;
let database: TestDatabase;
let receiver: WebhookReceiver;
let live: TestApi;
let sandbox: TestApi;
let org: TestOrganization;

beforeAll(async () => {
  zone = await startDnsZone({
    'public.test': { A: ['93.184.216.34'] },
    'inside.test': { A: ['10.1.2.3'] },
    'metadata.test': { A: ['169.254.169.254'] },
    'six.test': { AAAA: ['fd00::1'] },
    'alias.test': { CNAME: 'inside.test' },
    'silent.test': 'SERVFAIL',
    'rebound.test': { A: ['93.184.216.34'], ttl: 0 },
  });
  database = await createTestDatabase();
  receiver = await startWebhookReceiver();
  const env = { POSTRIDER_DNS_SERVERS: zone.address };
  live = await startApi({ database, env: { ...env, POSTRIDER_MODE: 'live' } });
  const ports = { POSTRIDER_INBOUND_PORT: '2526', DATABASE_URL: database.url };
  sandbox = await startApi({ database, env: { ...env, ...ports } });
  org = await live.createOrganization();
});
afterAll(async () => {
  await Promise.all([live.stop(), sandbox.stop(), receiver.close(), zone.stop()]);
  await database.drop();
});
afterEach(async () => {
  for (const { id } of (await live.api('GET', '/webhooks', undefined, org.key)).body.data)
    await live.api('DELETE', `/webhooks/${id}`, undefined, org.key);
});

/** Of this process, which runs everything here. */
function listeningPorts(): number[] {
  const { libuv } = process.report.getReport() as unknown as {
    libuv: { type: string; localEndpoint?: { port: number } | null; remoteEndpoint?: object | null }[];
  };
  return libuv
    .filter(({ type, remoteEndpoint }) => type === 'tcp' && !remoteEndpoint)
    .flatMap(({ localEndpoint }) => localEndpoint?.port ?? []);
}

const save = (server: TestApi, url: string) => server.api('POST', '/webhooks', { url }, org.key);

describe('in live mode', () => {
  it.each([
    ['http://public.test/hook', 'must begin with https://'],
    ['ftp://public.test/hook', 'must begin with https://'],
    ['not a url', 'must be a URL such as https://example.org/hooks/mail'],
    ['https://user:secret@public.test/hook', 'must not contain a user name or password'],
    ['https://public.test/hook#part', 'must not contain a fragment (#…)'],
    ['https://127.0.0.1/hook', 'resolves to 127.0.0.1, which is not a public address'],
    ['https://2130706433/hook', 'resolves to 127.0.0.1, which is not a public address'],
    ['https://0x7f.1/hook', 'resolves to 127.0.0.1, which is not a public address'],
    ['https://localhost/hook', 'resolves to 127.0.0.1, which is not a public address'],
    ['https://[::1]/hook', 'resolves to ::1, which is not a public address'],
    ['https://[::ffff:7f00:1]/hook', 'resolves to ::ffff:7f00:1, which is not a public address'],
    ['https://inside.test/hook', 'resolves to 10.1.2.3, which is not a public address'],
    ['https://alias.test/hook', 'resolves to 10.1.2.3, which is not a public address'],
    ['https://metadata.test/hook', 'resolves to 169.254.169.254, which is not a public address'],
    ['https://six.test/hook', 'resolves to fd00::1, which is not a public address'],
    ['https://missing.test/hook', 'has a host that cannot be found in DNS'],
  ])('%s is refused', async (url, message) => {
    const { status, body } = await save(live, url);
    expect([status, body.error.details]).toEqual([400, [{ field: 'url', message }]]);
    expect(body.error.message).toContain(`url: ${message}`);
  });

  it.each(['https://public.test/hook', 'https://93.184.216.34:8443/', 'https://silent.test/hook'])(
    '%s is saved',
    async (url) => {
      expect((await save(live, url)).status).toBe(201);
    },
  );

  it('an endpoint cannot be changed to lead inside', async () => {
    const { id } = (await save(live, 'https://public.test/hook')).body.data;
    const answer = await live.api('PATCH', `/webhooks/${id}`, { url: 'https://inside.test/' }, org.key);
    expect(answer.status).toBe(400);
  });
});

describe('in sandbox mode', () => {
  it.each([
    'http://127.0.0.1:9000/hook',
    'http://localhost:9000/hook',
    'http://[::1]:9000/',
    'http://public.test/',
  ])('%s is saved', async (url) => {
    expect((await save(sandbox, url)).status).toBe(201);
  });

  it.each(['http://inside.test/', 'http://169.254.169.254/latest/meta-data', 'http://192.168.0.1/'])(
    '%s is refused',
    async (url) => {
      expect((await save(sandbox, url)).status).toBe(400);
    },
  );
});

describe('our own listeners', () => {
  const databasePort = () => new URL(database.url).port;
  it.each([
    ['the receiver of bounces', () => 'http://127.0.0.1:2526/'],
    ['the same by name', () => 'http://localhost:2526/'],
    ['the same over IPv6', () => 'http://[::1]:2526/'],
    ['PostgreSQL', () => `http://127.0.0.1:${databasePort()}/`],
  ])('are not saved: %s', async (_, url) => {
    const { status, body } = await save(sandbox, url());
    const message = expect.stringMatching(/^uses port \d+, where this installation itself listens$/);
    expect([status, body.error.details]).toEqual([400, [{ field: 'url', message }]]);
  });

  it('are not connected to either, whatever was saved', async () => {
    const hook = (await save(sandbox, `http://127.0.0.1:${receiver.port}/`)).body.data;
    const named = (await save(sandbox, `http://localhost:${receiver.port}/`)).body.data;
    const before = { connections: receiver.connections, listening: listeningPorts() };
    const worker = await startMailWorker(database, {
      POSTRIDER_DNS_SERVERS: zone.address,
      POSTRIDER_METRICS_PORT: String(receiver.port),
    });
    try {
      const [inbox] = listeningPorts().filter((port) => !before.listening.includes(port));
      const ofSandbox = (await save(sandbox, `http://127.0.0.1:${inbox}/`)).body.data;
      const tried = [
        [hook.id, receiver.port],
        [named.id, receiver.port],
        [ofSandbox.id, inbox],
      ];
      for (const [id, port] of tried) {
        await sandbox.api('POST', `/webhooks/${id}/test`, undefined, org.key);
        const log = async () =>
          (await sandbox.api('GET', `/webhooks/${id}/deliveries`, undefined, org.key)).body.data[0].attempts;
        const error = `uses port ${port}, where this installation itself listens`;
        await expect.poll(log, { timeout: 10_000 }).toMatchObject([{ status: null, error }]);
      }
      expect(receiver.connections).toBe(before.connections);
    } finally {
      await worker.stop();
    }
  });
});

describe('a name that comes to mean something else after it was saved', () => {
  it('is not connected to', async () => {
    const env = { POSTRIDER_DNS_SERVERS: zone.address };
    const worker = await startMailWorker(database, env);
    try {
      const hook = (await save(sandbox, `http://rebound.test:${receiver.port}/`)).body.data;
      zone.set('rebound.test', { A: ['10.9.8.7'], ttl: 0 });
      await sendLetter(sandbox, org);
      const attempt = async () =>
        (await sandbox.api('GET', `/webhooks/${hook.id}/deliveries`, undefined, org.key)).body.data
          .flatMap((one: { attempts: { error: string }[] }) => one.attempts)
          .map((one: { error: string }) => one.error);
      await expect
        .poll(attempt, { timeout: 10_000 })
        .toContain('resolves to 10.9.8.7, which is not a public address');
    } finally {
      await worker.stop();
    }
  });

  it('is not connected to on this machine in live mode, though somebody listens there', async () => {
    zone.set('rebound.test', { A: ['93.184.216.34'], ttl: 0 });
    const hook = (await save(live, `https://rebound.test:${receiver.port}/`)).body.data;
    zone.set('rebound.test', { A: ['127.0.0.1'], ttl: 0 });
    const worker = await startMailWorker(database, {
      POSTRIDER_DNS_SERVERS: zone.address,
      POSTRIDER_MODE: 'live',
      POSTRIDER_ALLOW_PRIVATE_DESTINATIONS: 'false',
    });
    try {
      const before = receiver.connections;
      await live.api('POST', `/webhooks/${hook.id}/test`, undefined, org.key);
      const log = async () =>
        (await live.api('GET', `/webhooks/${hook.id}/deliveries`, undefined, org.key)).body.data[0].attempts;
      await expect
        .poll(log, { timeout: 10_000 })
        .toMatchObject([{ status: null, error: 'resolves to 127.0.0.1, which is not a public address' }]);
      expect(receiver.connections).toBe(before);
    } finally {
      await worker.stop();
    }
  });
});
