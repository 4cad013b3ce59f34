/** Organizations for one run of somebody's tests: made by one call, and gone by themselves. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { removeThrowAways, TABLES_OF_AN_ORGANIZATION } from '../../src/operations/throw-away.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/runtime/durations.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { startMailWorker, type TestWorker } from '../support/mail-worker.ts';
import { until } from '../support/until.ts';

let server: TestApi;
let org: TestOrganization;
let worker: TestWorker;
beforeAll(async () => {
  server = await startApi();
  org = await server.createOrganization();
  worker = await startMailWorker(server.database);
});
afterAll(async () => {
  await worker?.stop();
  await server?.stop();
});

/** Written a moment later by the API: the chore waits for that, and the clock of these tests does not. */
const LATER: ReadonlySet<string> = new Set(['api_key_usage', 'request_logs']);

interface Made {
  readonly id: string;
  readonly name: string;
  readonly domain: string;
  readonly api_key: string;
  readonly expires_at: string;
}

async function make(body: object = {}): Promise<Made> {
  const answer = await server.api('POST', '/sandbox/organizations', body, org.key);
  expect(answer).toMatchObject({ status: 201 });
  return answer.body.data;
}

function send({ domain, api_key }: Pick<Made, 'domain' | 'api_key'>, to: string) {
  const letter = { from: { email: `hello@${domain}` }, to: [{ email: to }], subject: 'Hi', text: 'Hi' };
  return server.api('POST', '/emails/send', letter, api_key);
}

const latest = async (key: string, to: string) =>
  (await server.api('GET', `/sandbox/messages/latest?wait=30&to=${encodeURIComponent(to)}`, undefined, key))
    .body.data;

/** As the chore does it so long from now. */
const chore = (inMs = 0) =>
  removeThrowAways(
    { db: server.db, clock: { nowMs: () => Date.now() + inMs } },
    new AbortController().signal,
  );

/** The tables that still have something of an organization. */
async function leftOf(organizationId: string): Promise<string[]> {
  const left: string[] = [];
  for (const table of [...TABLES_OF_AN_ORGANIZATION, 'outbox'].filter((one) => !LATER.has(one))) {
    const count = adHoc<{ count: number }>(`SELECT count(*) FROM ${table} WHERE organization_id = $1`);
    if ((await server.db.one(count, [organizationId])).count > 0) left.push(table);
  }
  const organization = adHoc('SELECT FROM organizations WHERE id = $1');
  return (await server.db.maybeOne(organization, [organizationId])) === undefined
    ? left
    : [...left, 'organizations'];
}

it('has a domain, a key and an inbox of its own', async () => {
  const [one, other] = [await make({ name: 'Build 4711', minutes: 5 }), await make()];
  expect(one).toMatchObject({
    name: 'Build 4711',
    domain: 'sandbox.test',
    id: expect.stringMatching(/^org_/),
  });
  expect(Date.parse(one.expires_at) - Date.now()).toBeLessThanOrEqual(5 * 60_000);
  expect((await send(one, 'ada@example.org')).status).toBe(201);
  expect(await latest(one.api_key, 'ada@example.org')).toMatchObject({ subject: 'Hi' });
  const { body } = await server.api('GET', '/sandbox/messages', undefined, other.api_key);
  expect(body.pagination.total_count).toBe(0);
});

it('goes with all that is in it when its time is over, and nothing of others goes with it', async () => {
  const [over, stays] = [await make({ minutes: 1 }), await make({ minutes: 600 })];
  for (const one of [over, stays]) {
    await send(one, 'ada@example.org');
    await send(one, 'deferred@simulator.test');
    await latest(one.api_key, 'ada@example.org');
    await server.api('POST', '/templates', { name: 'T', subject: 'S', text: 'x' }, one.api_key);
    await server.api('POST', '/suppressions', { email: 'x@example.org' }, one.api_key);
    await server.api(
      'POST',
      '/webhooks',
      { url: 'https://hook.example/', events: ['email.delivered'] },
      one.api_key,
    );
  }
  const whole = await leftOf(stays.id);
  await until(
    async () => {
      await chore(HOUR_MS / 2);
      return leftOf(over.id);
    },
    (left) => left.length === 0,
  );
  // A key that was in use is good for the moment that the API remembers it.
  await until(
    () => server.api('GET', '/emails', undefined, over.api_key),
    ({ status }) => status === 401,
  );
  expect(await leftOf(stays.id)).toEqual(expect.arrayContaining(whole));
  expect((await server.api('GET', '/emails', undefined, stays.api_key)).status).toBe(200);
});

it('is ended by its own key, which is of no use from then on', async () => {
  const one = await make();
  const answer = await server.api('DELETE', '/sandbox/organization', undefined, one.api_key);
  expect(answer).toMatchObject({ status: 200, body: { data: { id: one.id, deleted: true } } });
  await until(
    () => server.api('GET', '/emails', undefined, one.api_key),
    ({ status }) => status === 401,
  );
  await chore(MINUTE_MS);
  expect(await leftOf(one.id)).toEqual([]);
});

it('waits for what a worker has in hand', async () => {
  const one = await make();
  const { message_id: id } = (await send(one, 'deferred@simulator.test')).body.data;
  await until(
    () => server.api('GET', `/emails/${id}`, undefined, one.api_key),
    ({ body }) => body.data.events.some(({ type }: { type: string }) => type === 'deferred'),
  );
  await server.db.exec(
    adHoc('UPDATE outbox SET worker = (SELECT max(epoch) FROM workers) WHERE organization_id = $1'),
    [one.id],
  );
  await server.api('DELETE', '/sandbox/organization', undefined, one.api_key);
  await chore(MINUTE_MS);
  expect(await leftOf(one.id)).toContain('outbox');
  await server.db.exec(adHoc('UPDATE outbox SET worker = NULL WHERE organization_id = $1'), [one.id]);
  await chore(MINUTE_MS);
  expect(await leftOf(one.id)).toEqual([]);
});

it('is the only kind of organization that can be ended so', async () => {
  const answer = await server.api('DELETE', '/sandbox/organization', undefined, org.key);
  expect([answer.status, answer.body.error.message]).toEqual([
    409,
    expect.stringContaining('cannot be deleted this way'),
  ]);
  await chore(365 * 24 * HOUR_MS);
  expect((await server.api('GET', '/organization', undefined, org.key)).status).toBe(200);
});

it.each([
  [{ minutes: 0 }, 'minutes'],
  [{ minutes: 1_441 }, 'minutes'],
  [{ name: ' ' }, 'name'],
  [{ daily_limit: 5 }, 'daily_limit'],
])('refuses %j', async (body, field) => {
  const answer = await server.api('POST', '/sandbox/organizations', body, org.key);
  expect([answer.status, answer.body.error.details[0].field]).toEqual([400, field]);
});
