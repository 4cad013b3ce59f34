/** Sample reports of the sandbox: asked for over HTTP, brought by SMTP, and read back as figures. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { INBOUND_HOST, startInbound, type TestInbound } from '../support/inbound.ts';

let database: TestDatabase;
let inbound: TestInbound;
let server: TestApi;
let org: TestOrganization;
let id: string;
beforeAll(async () => {
  database = await createTestDatabase();
  inbound = await startInbound(database);
  const env = { POSTRIDER_HOSTNAME: INBOUND_HOST, POSTRIDER_INBOUND_PORT: String(inbound.port) };
  server = await startApi({ database, env });
  org = await server.createOrganization();
  [{ id }] = (await call('GET', '/domains')).body.data;
});
afterAll(async () => {
  await server?.stop();
  await inbound?.stop();
  await database?.drop();
});

const call = (method: string, path: string, key = org.key) => server.api(method, path, undefined, key);
const figures = async (kind: 'dmarc' | 'tls') =>
  (await call('GET', `/domains/${id}/reports/${kind}`)).body.data;
const send = () => call('POST', `/sandbox/domains/${id}/reports`);

it('sample reports arrive, and each day counts once', async () => {
  expect(await send()).toMatchObject({ status: 202, body: { data: { sent: 8 } } });
  await expect.poll(async () => (await figures('dmarc')).reporters[0]?.reports, { timeout: 30_000 }).toBe(7);
  await expect.poll(async () => (await figures('tls')).totals.sessions, { timeout: 30_000 }).toBe(1_252);
  const { totals, senders, sources } = await figures('dmarc');
  expect(senders[0]).toMatchObject({ is_this_installation: true });
  expect(sources.map(({ ip }: { ip: string }) => ip).toSorted()).toEqual([
    '192.0.2.25',
    '198.51.100.17',
    '203.0.113.9',
  ]);
  expect((await send()).status).toBe(202);
  const waiting = adHoc<{ count: number }>('SELECT count(*) FROM inbound_messages');
  await expect.poll(async () => (await database.db.one(waiting)).count, { timeout: 30_000 }).toBe(0);
  expect((await figures('dmarc')).totals).toEqual(totals);
});

it('are refused for a domain that is not verified, and where nobody takes them', async () => {
  const made = (await server.api('POST', '/domains', { domain: 'new.example' }, org.key)).body.data;
  const refused = await call('POST', `/sandbox/domains/${made.id}/reports`);
  expect([refused.status, refused.body.error.message]).toEqual([
    409,
    expect.stringContaining('Verify the domain first'),
  ]);
  const deaf = await startApi({ database, env: { POSTRIDER_INBOUND_PORT: '1' } });
  try {
    const answer = await deaf.api('POST', `/sandbox/domains/${id}/reports`, undefined, org.key);
    expect([answer.status, answer.body.error.message]).toEqual([
      409,
      expect.stringContaining('did not accept the mail'),
    ]);
  } finally {
    await deaf.stop();
  }
});
