/** Waiting for mail, as a test of somebody's application does. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/runtime/ids.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { InboxApi, newDelivery, SandboxFixture } from '../support/sandbox.ts';

let database: TestDatabase;
let fixture: SandboxFixture;
let api: InboxApi;

beforeAll(async () => {
  database = await createTestDatabase();
  fixture = new SandboxFixture(database.db);
  api = new InboxApi(database.db);
  await fixture.start();
  await api.start();
});

afterAll(async () => {
  await api?.stop();
  await fixture?.stop();
  await database?.drop();
});

async function send(organizationId: string, to: string, subject: string, body = 'Hello'): Promise<void> {
  const message = `From: a@sandbox.test\r\nSubject: ${subject}\r\n\r\n${body}\r\n`;
  expect(await fixture.send(newDelivery(organizationId), to, message)).toMatchObject({ kind: 'accepted' });
}

function latest(organizationId: string, query: Readonly<Record<string, string>>) {
  return api.call('GET', `/sandbox/messages/latest?${new URLSearchParams(query)}`, api.key(organizationId));
}

describe('GET /sandbox/messages/latest', () => {
  it('gives the newest that matches, at once', async () => {
    const organizationId = newId('org');
    await send(organizationId, 'ada@example.org', 'First');
    await send(organizationId, 'ada@example.org', 'Second');
    await send(organizationId, 'bob@example.org', 'Third');
    const { status, json } = await latest(organizationId, { to: 'Ada@Example.org', wait: '30' });
    expect(status).toBe(200);
    expect(json.data).toMatchObject({ subject: 'Second', to: 'ada@example.org', text: 'Hello\n' });
  });

  it('gives null at once where nobody wants to wait', async () => {
    expect((await latest(newId('org'), {})).json).toEqual({ data: null });
  });

  it('waits for what is not there yet', async () => {
    const organizationId = newId('org');
    await send(organizationId, 'ada@example.org', 'Welcome');
    const answer = latest(organizationId, { to: 'ada@example.org', subject: 'YOUR CODE', wait: '30' });
    await send(organizationId, 'bob@example.org', 'Your code');
    await send(organizationId, 'ada@example.org', 'Here is your code');
    expect((await answer).json.data).toMatchObject({ subject: 'Here is your code', to: 'ada@example.org' });
  });

  it('gives null when the time is over', async () => {
    expect((await latest(newId('org'), { wait: '1' })).json).toEqual({ data: null });
  });

  it('leaves out what arrived before', async () => {
    const organizationId = newId('org');
    await send(organizationId, 'ada@example.org', 'Old');
    const { data: old } = (await latest(organizationId, {})).json;
    const since = new Date(Date.parse(old.received_at) + 1).toISOString();
    expect((await latest(organizationId, { since })).json.data).toBeNull();
    expect((await latest(organizationId, { since: old.received_at })).json.data).toMatchObject({
      id: old.id,
    });
  });

  it('takes a part of the subject as it is written, not as a pattern', async () => {
    const organizationId = newId('org');
    await send(organizationId, 'ada@example.org', 'Hello');
    expect((await latest(organizationId, { subject: 'H%o' })).json.data).toBeNull();
  });

  it('never gives what is somebody else’s', async () => {
    const [ours, theirs] = [newId('org'), newId('org')];
    const answer = latest(ours, { to: 'ada@example.org', wait: '1' });
    await send(theirs, 'ada@example.org', 'Theirs');
    expect((await answer).json.data).toBeNull();
  });

  it('serves a hundred who wait at once, each with their own', async () => {
    const organizationId = newId('org');
    const people = Array.from({ length: 100 }, (_, n) => `user-${n}@example.org`);
    const answers = people.map((to) => latest(organizationId, { to, wait: '30' }));
    await Promise.all(people.map((to) => send(organizationId, to, `For ${to}`)));
    const subjects = (await Promise.all(answers)).map(({ json }) => json.data.subject);
    expect(subjects).toEqual(people.map((to) => `For ${to}`));
  });

  it.each(['wait=31', 'wait=-1', 'since=yesterday', 'subject=', 'page=1'])('refuses %s', async (query) => {
    const { status, json } = await api.call(
      'GET',
      `/sandbox/messages/latest?${query}`,
      api.key(newId('org')),
    );
    expect(status).toBe(400);
    expect(json.error.details[0].field).toBe(query.split('=')[0]);
  });
});

it('tells the codes and the links of a message', async () => {
  const organizationId = newId('org');
  const body = 'Your code is 482 913.\r\n\r\nOr follow https://example.org/in?t=1 now.';
  await send(organizationId, 'ada@example.org', 'Sign in', body);
  expect((await latest(organizationId, {})).json.data).toMatchObject({
    codes: ['482913'],
    links: [{ url: 'https://example.org/in?t=1', text: null }],
  });
});

it('lets those go who wait when the server stops', async () => {
  const other = new InboxApi(database.db);
  await other.start();
  const answer = other.call('GET', '/sandbox/messages/latest?wait=30', other.key(newId('org')));
  await new Promise((resolve) => setImmediate(resolve));
  await other.stop();
  // It was either told that there is nothing, or not let in any more.
  await answer.then(
    ({ json }) => expect(json?.data ?? null).toBeNull(),
    (error) => expect(error).toBeInstanceOf(TypeError),
  );
});
