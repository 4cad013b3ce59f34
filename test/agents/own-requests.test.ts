/** The idempotency keys and the request allowance of an agent's key are its own: no other key shares them. */
import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { startSubmission, type TestSubmission } from '../support/submission.ts';

let server: TestApi;
let submission: TestSubmission;
let org: TestOrganization;

beforeAll(async () => {
  server = await startApi();
  submission = await startSubmission(server.database);
  org = await server.createOrganization();
});
afterAll(async () => {
  await submission.stop();
  await server.stop();
});

interface NewKey {
  readonly id: string;
  readonly key: string;
}

async function newKey(scope: 'agent' | 'send', policy?: object): Promise<NewKey> {
  const asked = { name: scope, scope, ...(policy === undefined ? {} : { policy }) };
  return (await server.api('POST', '/api-keys', asked, org.key)).body.data;
}

const letter = (subject: string) => ({
  ...{ from: { email: `agent@${org.domain}` }, to: [{ email: 'ann@team.example' }] },
  ...{ subject, text: 'Hi' },
});

interface Keyed {
  readonly key: string;
  readonly once: string;
  readonly body: unknown;
  readonly path?: string;
}

async function keyed({ key, once, body, path = '/api/v1/emails/send' }: Keyed): Promise<Answer> {
  const response = await fetch(server.url + path, {
    method: 'POST',
    headers: {
      ...{ authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      'idempotency-key': once,
    },
    body: JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

const isReplay = ({ headers }: Answer) => headers.get('idempotent-replayed') === 'true';

describe('the Idempotency-Key of an agent', () => {
  it('is free although another key has used it for another request', async () => {
    const agent = await newKey('agent');
    expect((await keyed({ key: org.key, once: 'taken', body: letter('One') })).status).toBe(201);
    expect((await keyed({ key: agent.key, once: 'taken', body: letter('Two') })).status).toBe(201);
  });

  it('does not block a request of another key', async () => {
    const agent = await newKey('agent');
    expect((await keyed({ key: agent.key, once: 'squatted', body: letter('One') })).status).toBe(201);
    expect((await keyed({ key: org.key, once: 'squatted', body: letter('Two') })).status).toBe(201);
  });

  it('does not replay the answer to another key', async () => {
    const [agent, other] = [await newKey('agent'), await newKey('agent')];
    const asked = { once: 'same', body: letter('Same') };
    const answers: Answer[] = [];
    for (const { key } of [org, agent, other]) answers.push(await keyed({ key, ...asked }));
    expect(answers.map(isReplay)).toEqual([false, false, false]);
    expect(new Set(answers.map(({ body }) => body.data.message_id)).size).toBe(3);
  });

  it('cannot be written so that it means the key of another API key', async () => {
    const agent = await newKey('agent');
    const asked = { once: 'plain', body: letter('Spelled') };
    await keyed({ key: agent.key, ...asked });
    for (const once of [`${agent.id} plain`, `${agent.id}:plain`, `agent ${agent.id} plain`])
      expect(isReplay(await keyed({ key: org.key, ...asked, once }))).toBe(false);
  });

  it('replays the answer to the same agent, also after its key was rotated', async () => {
    const agent = await newKey('agent');
    const asked = { once: 'again', body: letter('Again') };
    const first = await keyed({ key: agent.key, ...asked });
    const rotated = await server.api('POST', `/api-keys/${agent.id}/rotate`, {}, org.key);
    for (const key of [agent.key, rotated.body.data.key]) {
      const again = await keyed({ key, ...asked });
      expect(isReplay(again)).toBe(true);
      expect(again.body).toEqual(first.body);
    }
  });

  it('is its own in the API that speaks as Resend does', async () => {
    const agent = await newKey('agent');
    const { from, to, ...rest } = letter('Resend');
    const body = { from: from.email, to: to.map(({ email }) => email), ...rest };
    const asked = { once: 'resend', body, path: '/compat/resend/emails' };
    const [first, second] = [
      await keyed({ key: org.key, ...asked }),
      await keyed({ key: agent.key, ...asked }),
    ];
    expect(second.body.id).not.toBe(first.body.id);
  });

  it('is shared by keys of other scopes, as before', async () => {
    const send = await newKey('send');
    const asked = { once: 'shared', body: letter('Shared') };
    const first = await keyed({ key: org.key, ...asked });
    const second = await keyed({ key: send.key, ...asked });
    expect([isReplay(second), second.body]).toEqual([true, first.body]);
  });
});

describe('a message of an agent over SMTP', () => {
  const submit = async (key: string, headers: Record<string, string>, messageId?: string) => {
    const auth = { user: 'x', pass: key };
    const transport = createTransport({ host: '127.0.0.1', port: submission.port, auth });
    const from = `agent@${org.domain}`;
    const date = new Date(0);
    const mail = { from, to: 'ann@team.example', subject: 'SMTP', text: 'Hi', headers, date };
    return transport
      .sendMail({ ...mail, messageId: messageId ?? '<fixed@agent.example>' })
      .then(({ response }) => response);
  };
  const idIn = (reply: string) => /[0-9a-f-]{36}/.exec(reply)?.[0];

  it.each([
    ['with an idempotency key', { 'X-Postrider-Idempotency-Key': 'order' }],
    ['with the same Message-ID', {}],
  ])('is not taken for that of another key, %s', async (_, headers) => {
    const agent = await newKey('agent', { attachments: true });
    const send = await newKey('send');
    const ids = [];
    for (const { key } of [send, agent, agent]) ids.push(idIn(await submit(key, headers)));
    expect(ids[1]).not.toBe(ids[0]);
    expect(ids[2]).toBe(ids[1]);
  });
});

describe('the request allowance', () => {
  const LIMIT = 20;
  let strict: TestApi;
  let owner: TestOrganization;

  beforeAll(async () => {
    const now = Date.now();
    // The clock stands still, so that no minute ends while the test counts.
    strict = await startApi({ clock: { nowMs: () => now }, env: { POSTRIDER_RATE_LIMIT: String(LIMIT) } });
  });
  afterAll(() => strict.stop());
  beforeEach(async () => {
    owner = await strict.createOrganization();
  });

  const agent = () => strict.createKey(owner.id, { scope: 'agent' });
  const current = (key: string) => strict.api('GET', '/api-keys/current', undefined, key);
  const ask = async (key: string) => (await current(key)).status;

  /** How many of a few more requests than the limit are answered. */
  async function used(key: string): Promise<number> {
    const statuses = [];
    for (let n = 0; n < LIMIT + 5; n += 1) statuses.push(await ask(key));
    return statuses.filter((status) => status === 200).length;
  }

  it('of an agent ends without that of other keys, and the other way round', async () => {
    const [first, second] = [await agent(), await agent()];
    expect(await used(first)).toBe(LIMIT);
    expect([await ask(first), await ask(second), await ask(owner.key)]).toEqual([429, 200, 200]);
    await used(owner.key);
    expect([await ask(owner.key), await ask(second)]).toEqual([429, 200]);
  });

  it('of an agent is not renewed by rotating its key', async () => {
    const key = await agent();
    const { id } = (await current(key)).body.data;
    const rotated = await strict.api('POST', `/api-keys/${id}/rotate`, {}, owner.key);
    await used(key);
    expect(await ask(rotated.body.data.key)).toBe(429);
  });
});
