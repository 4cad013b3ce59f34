/** What a test of somebody's application does with the client: waits for mail, reads it and plays its recipient. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MailNotReceivedError, Postrider, type WantedMail } from '../../sdk/src/index.ts';
import { freePort } from '../processes/supervised.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { INBOUND_HOST, startInbound, type TestInbound } from '../support/inbound.ts';
import { startMailWorker, type TestWorker } from '../support/mail-worker.ts';
import { until } from '../support/until.ts';

let database: TestDatabase;
let inbound: TestInbound;
let server: TestApi;
let worker: TestWorker;
let org: TestOrganization;
let client: Postrider;
beforeAll(async () => {
  database = await createTestDatabase();
  inbound = await startInbound(database);
  const port = await freePort();
  const env = {
    POSTRIDER_HOSTNAME: INBOUND_HOST,
    POSTRIDER_INBOUND_PORT: String(inbound.port),
    POSTRIDER_PORT: String(port),
    POSTRIDER_PUBLIC_URL: `http://127.0.0.1:${port}`,
  };
  server = await startApi({ database, env });
  worker = await startMailWorker(database, env);
  org = await server.createOrganization();
  client = new Postrider({ apiKey: org.key, baseUrl: server.url });
});
afterAll(async () => {
  await worker?.stop();
  await server?.stop();
  await inbound?.stop();
  await database?.drop();
});

let people = 0;
const somebody = () => `user-${++people}@example.org`;

function send(to: string, fields: object = {}) {
  const letter = {
    from: { email: `hello@${org.domain}` },
    to: [{ email: to }],
    subject: 'Hello',
    text: 'Hi',
  };
  return client.emails.send({ ...letter, ...fields });
}

/** The default is for idle machines. */
const received = (wanted: WantedMail) => client.sandbox.waitFor(wanted, { timeoutMs: 90_000 });

const typesOf = async (id: string) => (await client.emails.get(id)).events.map(({ type }) => type);
const happened = (id: string, type: string) =>
  until(
    () => typesOf(id),
    (types) => types.includes(type as never),
  );

describe('waiting for mail', () => {
  it('gives what arrived, with its codes, links and attachments', async () => {
    const to = somebody();
    const waiting = received({ to, subject: 'sign in' });
    await send(to, {
      subject: 'Sign in to Acme',
      text: 'Your code is 482 913, or follow https://acme.example/in?t=1',
      attachments: [{ filename: 'terms.txt', content: Buffer.from('Terms').toString('base64') }],
    });
    const mail = await waiting;
    expect(mail.codes).toEqual(['482913']);
    expect(mail.links).toEqual([{ url: 'https://acme.example/in?t=1', text: null }]);
    expect(mail.attachments).toMatchObject([{ filename: 'terms.txt', size: 5 }]);
  });

  it('says what arrived instead, and what became of mail to the recipient', async () => {
    const to = 'bounced+waiting@simulator.test';
    const { message_id } = await send(to, { subject: 'Welcome' });
    await happened(message_id, 'bounced');
    const error = await client.sandbox.waitFor({ to, subject: 'Code' }, { timeoutMs: 100 }).catch((e) => e);
    expect(error).toBeInstanceOf(MailNotReceivedError);
    expect(error.message).toContain(`No mail to ${to} with "Code" in its subject arrived within 0.1 s.`);
    expect(error.message).toContain(`An email to them, "Welcome", is bounced (${message_id}).`);
  });

  it('gives up before vitest and Jest end a test, which is after 5 seconds', async () => {
    const to = somebody();
    await expect(client.sandbox.waitFor({ to })).rejects.toThrow(`No mail to ${to} arrived within 4 s.`);
  });

  it('waits for a part of a second, too', async () => {
    const startMs = performance.now();
    const waiting = client.sandbox.waitFor({ to: somebody() }, { timeoutMs: 1_300 });
    await expect(waiting).rejects.toThrow('arrived within 1.3 s.');
    expect(performance.now() - startMs).toBeGreaterThan(1_250);
  });

  it('says that nothing was sent at all', async () => {
    const error = await client.sandbox.waitFor({ to: somebody() }, { timeoutMs: 100 }).catch((e) => e);
    expect(error.message).toContain('was it sent at all?');
  });

  it('ends when the caller has had enough', async () => {
    const enough = new AbortController();
    const waiting = client.sandbox.waitFor({ to: somebody() }, { signal: enough.signal });
    enough.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
  });
});

describe('the recipient of a mail', () => {
  const HTML = '<p>Hello. <a href="https://acme.example/confirm">Confirm</a></p>';

  it('opens it', async () => {
    const to = somebody();
    const { message_id } = await send(to, { html: HTML, track_opens: true });
    await (await received({ to })).open();
    await happened(message_id, 'opened');
  });

  it('clicks a link by what is written on it, and learns where it leads', async () => {
    const to = somebody();
    const { message_id } = await send(to, { html: HTML, track_clicks: 'html' });
    const mail = await received({ to });
    expect(mail.links[0]?.url).toContain('/t/c/');
    expect(await mail.click('Confirm')).toBe('https://acme.example/confirm');
    await happened(message_id, 'clicked');
  });

  it('clicks a link that nobody tracks', async () => {
    const to = somebody();
    await send(to, { html: HTML });
    expect(await (await received({ to })).click()).toBe('https://acme.example/confirm');
  });

  it('unsubscribes', async () => {
    const to = somebody();
    await send(to, { unsubscribe: true });
    await (await received({ to })).unsubscribe();
    const { data } = await client.suppressions.list({ search: to });
    expect(data).toMatchObject([{ email: to, reason: 'unsubscribe' }]);
  });

  it('has a server that finds out too late', async () => {
    const to = somebody();
    const { message_id } = await send(to);
    await (await received({ to })).bounce();
    await happened(message_id, 'bounced');
  });

  it('complains', async () => {
    const to = somebody();
    const { message_id } = await send(to);
    await (await received({ to })).complain();
    await happened(message_id, 'complained');
  });

  it.each([
    ['open', 'The message has no tracking pixel'],
    ['unsubscribe', 'The message has no List-Unsubscribe header'],
  ] as const)('cannot %s where the mail does not have it, and is told why', async (action, why) => {
    const to = somebody();
    await send(to);
    const mail = await received({ to });
    await expect(mail[action]()).rejects.toThrow(why);
  });

  it('cannot click what is not in the mail', async () => {
    const to = somebody();
    await send(to, { html: HTML });
    const mail = await received({ to });
    await expect(mail.click('https://elsewhere.example/')).rejects.toMatchObject({
      details: [{ field: 'link' }],
    });
  });
});
