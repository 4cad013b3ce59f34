/** Of the emails with one collapse key only the newest is sent to a recipient. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { resetUuids } from '../../src/runtime/ids.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { startMailWorker } from '../support/mail-worker.ts';
import { Role } from '../support/role.ts';
import { TEST_SECRET_KEY } from '../support/secret-key.ts';
import { until } from '../support/until.ts';
import { Flow, type SeenEmail, typesOf } from './flow.ts';

const TOMORROW = { scheduled_at: new Date(Date.now() + 86_400_000).toISOString() };
const KEY = { collapse_key: 'sign-in' };

const reasonOf = (email: SeenEmail) => email.events.at(-1)?.reason;

describe('a newer email with the same collapse key', () => {
  let flow: Flow;
  beforeAll(async () => {
    flow = await Flow.start();
  });
  afterAll(() => flow.stop());

  it('withdraws one that waits for its next attempt', async () => {
    const older = await flow.send('deferred+a@simulator.test', KEY);
    await flow.when(older, (email) => typesOf(email).includes('deferred'));
    const newer = await flow.send('deferred+a@simulator.test', KEY);
    const ended = await flow.final(older);
    expect(ended).toMatchObject({ status: 'failed', state: 'superseded', collapse_key: 'sign-in' });
    expect(reasonOf(ended)).toBe('superseded');
    expect((await flow.email(newer)).status).toBe('queued');
  });

  it('withdraws one that was scheduled, and is delivered itself', async () => {
    const older = await flow.send('b@example.org', { ...KEY, ...TOMORROW });
    const newer = await flow.send('b@example.org', KEY);
    expect(reasonOf(await flow.final(older))).toBe('superseded');
    expect((await flow.final(newer)).status).toBe('delivered');
  });

  it('leaves alone what was delivered', async () => {
    const older = await flow.send('c@example.org', KEY);
    await flow.final(older);
    await flow.final(await flow.send('c@example.org', KEY));
    expect((await flow.email(older)).status).toBe('delivered');
  });

  it('leaves alone other keys, other recipients and mail without a key', async () => {
    const others = await Promise.all([
      flow.send('d@example.org', { ...TOMORROW, collapse_key: 'receipt' }),
      flow.send('e@example.org', { ...TOMORROW, ...KEY }),
      flow.send('d@example.org', TOMORROW),
    ]);
    await flow.final(await flow.send('d@example.org', KEY));
    for (const id of others) expect((await flow.email(id)).status).toBe('queued');
  });

  it('ends only the deliveries to recipients that it has itself', async () => {
    const older = await flow.send(['deferred+f@simulator.test', 'deferred+g@simulator.test'], KEY);
    await flow.when(older, (email) => typesOf(email).filter((type) => type === 'deferred').length === 2);
    await flow.send('deferred+f@simulator.test', KEY);
    const email = await flow.when(older, (seen) => seen.recipients.some(({ status }) => status === 'failed'));
    expect(email.recipients.map(({ status }) => status)).toEqual(['failed', 'deferred']);
    expect(typesOf(email)).toContain('rejected');
  });

  it('is one for each recipient of a batch', async () => {
    const template = { name: 'Code', subject: 'Code', text: 'Your code is {{code}}.' };
    const { id } = (await flow.api('POST', '/templates', template)).body.data;
    const batch = {
      from: { email: `hello@${flow.organization.domain}` },
      template_id: id,
      recipients: ['h@example.org', 'i@example.org'].map((email) => ({ to: { email }, data: { code: '1' } })),
      ...KEY,
    };
    const { batch_id } = (await flow.api('POST', '/emails/batch', batch)).body.data;
    const { data } = (await flow.api('GET', `/emails?batch_id=${batch_id}`)).body;
    expect(data).toHaveLength(2);
    for (const email of data) expect((await flow.final(email.id)).status).toBe('delivered');
  });

  it.each([
    ['', 'collapse_key'],
    ['a\nb', 'collapse_key'],
    ['x'.repeat(257), 'collapse_key'],
    [7, 'collapse_key'],
  ])('is refused with the key %j', async (collapse_key, field) => {
    const answer = await flow.api('POST', '/emails/send', {
      from: { email: `hello@${flow.organization.domain}` },
      to: [{ email: 'j@example.org' }],
      subject: 'S',
      text: 'T',
      collapse_key,
    });
    expect(answer.status).toBe(400);
    expect(answer.body.error.details[0].field).toBe(field);
  });
});

describe('emails with one collapse key', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi();
  });
  afterAll(() => api.stop());

  const letter = (domain: string, to: string, more: object = KEY) => ({
    from: { email: `hello@${domain}` },
    to: [{ email: to }],
    subject: 'Your code',
    text: 'It is 4711.',
    ...more,
  });

  it('that are accepted at once end with one delivered and all others superseded', async () => {
    const { key, domain } = await api.createOrganization();
    const single = Array.from({ length: 20 }, () =>
      api.api('POST', '/emails/send', letter(domain, 'ada@example.org'), key),
    );
    const mixed = api.api(
      'POST',
      '/emails/batch/mixed',
      { emails: Array.from({ length: 5 }, () => letter(domain, 'ADA@example.org')) },
      key,
    );
    const ids = (await Promise.all(single)).map(({ body }) => body.data.message_id as string);
    for (const { message_id } of (await mixed).body.data.results) ids.push(message_id);
    const worker = await startMailWorker(api.database);
    const emails = await Promise.all(ids.map((id) => final(id, key)));
    await worker.stop();
    const states = emails.map(({ state }) => state).sort();
    expect(states).toEqual(['delivered', ...ids.slice(1).map(() => 'superseded')]);
  });

  it('are each organization’s and each domain’s own', async () => {
    const [one, other] = [await api.createOrganization(), await api.createOrganization()];
    const first = await send(one.key, letter(one.domain, 'grace@example.org', { ...KEY, ...TOMORROW }));
    await send(other.key, letter(other.domain, 'grace@example.org'));
    expect((await read(first, one.key)).status).toBe('queued');
    const due = adHoc<{ due: boolean }>('SELECT due_at <= now() AS due FROM outbox WHERE email_id = $1');
    expect(await api.db.one(due, [first])).toEqual({ due: false });
  });

  it('are ordered by when they are accepted, whatever the clocks of two hosts say', async () => {
    const { key, domain } = await api.createOrganization();
    const slow = { nowMs: () => Date.now() - 60_000 };
    const other = await startApi({ database: api.database, clock: slow });
    const first = await send(key, letter(domain, 'kay@example.org'));
    // Both are in one process here, where ids only grow.
    resetUuids();
    const answer = await other.api('POST', '/emails/send', letter(domain, 'kay@example.org'), key);
    const second: string = answer.body.data.message_id;
    expect(second < first).toBe(true);
    const worker = await startMailWorker(api.database);
    expect((await final(first, key)).state).toBe('superseded');
    expect((await final(second, key)).state).toBe('delivered');
    await worker.stop();
    await other.stop();
  });

  it('leave nothing of the older that a worker which does not know them would send', async () => {
    const { key, domain } = await api.createOrganization();
    const older = await send(key, letter(domain, 'lee@example.org', { ...KEY, ...TOMORROW }));
    await send(key, letter(domain, 'lee@example.org'));
    const over = adHoc<{ over: boolean }>(
      'SELECT expires_at <= now() AS over FROM outbox WHERE email_id = $1',
    );
    expect(await api.db.one(over, [older])).toEqual({ over: true });
  });

  it('deliver the newest, whatever is killed on the way', async () => {
    const { key, domain } = await api.createOrganization();
    const dataDir = mkdtempSync(join(tmpdir(), 'postrider-collapse-'));
    const worker = new Role('worker', {
      DATABASE_URL: api.database.url,
      POSTRIDER_SECRET_KEY: TEST_SECRET_KEY,
      POSTRIDER_DATA_DIR: dataDir,
    });
    worker.start();
    const people = Array.from({ length: 8 }, (_, index) => `user${index}@example.org`);
    const sent = new Map(people.map((to) => [to, [] as string[]]));
    for (let round = 0; round < 6; round++) {
      for (const to of people) sent.get(to)?.push(await send(key, letter(domain, to)));
      if (round % 2 === 1) await worker.killAndRestart();
    }
    for (const ids of sent.values()) {
      const states = (await Promise.all(ids.map((id) => final(id, key)))).map(({ state }) => state);
      expect(states.at(-1)).toBe('delivered');
      expect(states.every((state) => state === 'delivered' || state === 'superseded')).toBe(true);
    }
    await worker.end('SIGTERM');
    rmSync(dataDir, { recursive: true, force: true });
  });

  async function send(key: string, body: object): Promise<string> {
    return (await api.api('POST', '/emails/send', body, key)).body.data.message_id;
  }

  async function read(id: string, key: string): Promise<SeenEmail & { readonly state: string }> {
    return (await api.api('GET', `/emails/${id}`, undefined, key)).body.data;
  }

  function final(id: string, key: string) {
    return until(
      () => read(id, key),
      ({ status }) => status !== 'queued',
    );
  }
});
