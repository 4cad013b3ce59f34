/** Files that are fetched, and files that a whole batch has: from the request to the inbox. */
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { type DnsZoneServer, startDnsZone } from '../support/dns-zone.ts';
import { until } from '../support/until.ts';
import { Flow } from './flow.ts';

const HELLO = Buffer.from('hello');

let zone: DnsZoneServer;
let server: TestApi;
let flow: Flow;
let files: Server;
let base: string;
let asked: string[] = [];
let answer: RequestListener;

beforeAll(async () => {
  zone = await startDnsZone({ 'inside.test': { A: ['10.1.2.3'] }, 'alias.test': { CNAME: 'inside.test' } });
  const env = { POSTRIDER_DNS_SERVERS: zone.address };
  server = await startApi({ env });
  flow = await Flow.on(server, env);
  files = createServer((request, response) => {
    asked.push(request.url ?? '');
    answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(files, 'listening');
  base = `http://127.0.0.1:${(files.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await flow.stop();
  await zone.stop();
  files.closeAllConnections();
  files.close();
});
beforeEach(() => {
  asked = [];
  answer = (_, response) => response.setHeader('content-type', 'text/plain').end(HELLO);
});

const from = () => ({ email: `shop@${flow.organization.domain}` });
const letter = (to: string, attachments: readonly object[]) => ({
  ...{ from: from(), to: [{ email: to }], subject: 's', text: 't', attachments },
});
const send = (to: string, attachments: readonly object[]) =>
  flow.api('POST', '/emails/send', letter(to, attachments));
const sendOnce = async (key: string, body: object) => {
  const response = await fetch(`${server.url}/api/v1/emails/send`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${flow.organization.key}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
};
const attachedTo = async (email: string) => {
  const [item] = await until(
    async () => (await flow.api('GET', `/sandbox/messages?to=${email}`)).body.data,
    (found) => found.length > 0,
  );
  return (await flow.api('GET', `/sandbox/messages/${item.id}`)).body.data.attachments;
};
const contentOf = async (id: string) => (await flow.api('GET', `/emails/${id}/content`)).body.data;

describe('a file at a URL', () => {
  it('is fetched, and arrives as if it had been in the request', async () => {
    const sent = await send('ada@example.org', [
      { filename: 'own.txt', content: Buffer.from('own').toString('base64') },
      { url: `${base}/files/hello.txt` },
    ]);
    expect(sent.status).toBe(201);
    expect(await attachedTo('ada@example.org')).toMatchObject([
      { filename: 'own.txt', content: Buffer.from('own').toString('base64') },
      { filename: 'hello.txt', content_type: 'text/plain', content: HELLO.toString('base64') },
    ]);
    const { attachments } = await contentOf(sent.body.data.message_id);
    expect(attachments).toMatchObject([{ filename: 'own.txt' }, { filename: 'hello.txt', size: 5 }]);
  });

  it.each([
    [
      'http://inside.test/a',
      'could not be fetched from inside.test: resolves to 10.1.2.3, which is not a public address',
    ],
    [
      'http://alias.test/a',
      'could not be fetched from alias.test: resolves to 10.1.2.3, which is not a public address',
    ],
    ['http://missing.test/a', 'could not be fetched from missing.test: missing.test cannot be found in DNS'],
    ['ftp://example.org/a', 'must begin with https:// or http://'],
  ])('is refused with words at its field: %s', async (url, message) => {
    const { status, body } = await send('ada@example.org', [{ url: `${base}/good` }, { url }]);
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(body.error.details).toEqual([{ field: 'attachments[1].url', message }]);
  });

  it.each([
    ['neither', { filename: 'a.txt' }, 'attachments[0].content'],
    ['both', { filename: 'a.txt', content: 'eA==', url: 'http://127.0.0.1/' }, 'attachments[0].url'],
  ])('is given instead of content: %s is refused', async (_, attachment, field) => {
    const { status, body } = await send('ada@example.org', [attachment]);
    expect([status, body.error.details[0].field]).toEqual([400, field]);
  });

  it('of several emails in one request is fetched once, and one that fails refuses its own alone', async () => {
    const good = letter('mixed@example.org', [{ url: `${base}/shared.txt` }]);
    const emails = [good, letter('ada@example.org', [{ url: 'http://inside.test/a' }]), good];
    const { status, body } = await flow.api('POST', '/emails/batch/mixed', { emails });
    expect(status).toBe(201);
    expect(body.data.results).toMatchObject([
      { message_id: expect.any(String) },
      { error: { details: [{ field: 'attachments[0].url' }] } },
      { message_id: expect.any(String) },
    ]);
    expect(asked).toEqual(['/shared.txt']);
  });

  it('is not fetched again when a request is repeated', async () => {
    const body = letter('once@example.org', [{ url: `${base}/once` }]);
    const first = await sendOnce('key-1', body);
    const second = await sendOnce('key-1', body);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body).toEqual(first.body);
    expect(asked).toEqual(['/once']);
  });

  it('that failed is fetched when the request is repeated', async () => {
    const body = letter('again@example.org', [{ url: `${base}/later` }]);
    answer = (_, response) => response.writeHead(503).end();
    expect((await sendOnce('key-2', body)).status).toBe(400);
    answer = (_, response) => response.end(HELLO);
    expect((await sendOnce('key-2', body)).status).toBe(201);
  });
});

describe('what is attached to a batch', () => {
  const batch = async (recipients: number, fields: object) => {
    const template = { name: 'T', subject: 's', text: 'x' };
    const { id } = (await flow.api('POST', '/templates', template)).body.data;
    const to = (n: number) => ({ to: { email: `b${n}@example.org` } });
    return flow.api('POST', '/emails/batch', {
      ...{ template_id: id, from: from() },
      recipients: Array.from({ length: recipients }, (_, n) => to(n)),
      ...fields,
    });
  };
  const stored = () =>
    flow.db.one(
      adHoc<{ files: number; bytes: number; own: number }>(
        `SELECT count(*) AS files, coalesce(sum(octet_length(content)), 0)::int AS bytes,
                (SELECT count(*) FROM email_attachments a JOIN emails e ON e.id = a.email_id
                 WHERE e.batch_id = $1) AS own
         FROM batch_attachments WHERE batch_id = $1`,
      ),
      [batchId],
    );
  let batchId: string;

  it('goes to every recipient, and is stored once', async () => {
    const inline = {
      filename: 'a.bin',
      content: Buffer.from([1, 2, 3]).toString('base64'),
      content_id: 'logo',
    };
    const sent = await batch(3, { attachments: [inline, { url: `${base}/b.txt` }] });
    expect(sent.body.data).toMatchObject({ accepted: 3, rejected: [] });
    batchId = sent.body.data.batch_id;
    for (const n of [0, 1, 2]) {
      expect(await attachedTo(`b${n}@example.org`)).toMatchObject([
        { filename: 'a.bin', content: 'AQID', content_id: 'logo' },
        { filename: 'b.txt', content: HELLO.toString('base64') },
      ]);
    }
    expect(await stored()).toEqual({ files: 2, bytes: 8, own: 0 });
    expect(asked).toEqual(['/b.txt']);
    const emails = (await flow.api('GET', `/emails?batch_id=${batchId}`)).body.data;
    expect((await contentOf(emails[0].id)).attachments).toMatchObject([{ size: 3 }, { size: 5 }]);
  });

  it('is refused with words at its field', async () => {
    answer = (_, response) => response.writeHead(404).end();
    const { status, body } = await batch(2, { attachments: [{ url: `${base}/gone.txt` }] });
    expect([status, body.error.details[0].field]).toEqual([400, 'attachments[0].url']);
  });

  it('is not stored where nobody is accepted', async () => {
    const before = await flow.db.one(adHoc<{ n: number }>('SELECT count(*) AS n FROM batch_attachments'));
    const attachments = [{ filename: 'a.txt', content: 'eA==' }];
    const recipients = [{ to: { email: 'nowhere' } }];
    expect((await batch(0, { recipients, attachments })).body.data.accepted).toBe(0);
    const unverified = await batch(1, { from: { email: 'a@unverified.test' }, attachments });
    expect(unverified.body.error.code).toBe('DOMAIN_NOT_VERIFIED');
    const after = await flow.db.one(adHoc<{ n: number }>('SELECT count(*) AS n FROM batch_attachments'));
    expect(after).toEqual(before);
  });

  it('may be 5 MB for a thousand recipients: it is stored once, and weighs in every delivery', async () => {
    const content = Buffer.alloc(5_000_000, 'postrider').toString('base64');
    const sent = await batch(1_000, {
      attachments: [{ filename: 'large.bin', content }],
      scheduled_at: new Date(Date.now() + 86_400_000).toISOString(),
    });
    expect(sent.body.data).toMatchObject({ total: 1_000, accepted: 1_000 });
    batchId = sent.body.data.batch_id;
    expect(await stored()).toEqual({ files: 1, bytes: 5_000_000, own: 0 });
    const sizes = adHoc<{ least: number }>(
      `SELECT min(o.size) AS least FROM outbox o JOIN emails e ON e.id = o.email_id WHERE e.batch_id = $1`,
    );
    expect((await flow.db.one(sizes, [batchId])).least).toBeGreaterThan(5_000_000);
  });
});
