/** Searching, marking, deleting and checking what the sandbox captured. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uuidv7 } from '../../src/runtime/ids.ts';
import { insertMessages } from '../../src/sandbox/store.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';

let server: TestApi;
let org: TestOrganization;
let site: Server;
let base: string;
const asked: string[] = [];

beforeAll(async () => {
  // The site that links lead to is on this machine.
  server = await startApi({ env: { POSTRIDER_ALLOW_PRIVATE_DESTINATIONS: 'true' } });
  org = await server.createOrganization();
  site = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const path = request.url ?? '';
    if (path === '/moved') response.writeHead(302, { location: '/fine' }).end();
    else if (path === '/loop') response.writeHead(302, { location: '/loop' }).end();
    else if (path === '/only-get' && request.method === 'HEAD') response.writeHead(405).end();
    else response.writeHead(path === '/gone' ? 404 : 200).end('body');
  }).listen(0, '127.0.0.1');
  await once(site, 'listening');
  base = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
});
afterAll(async () => {
  site.close();
  await server.stop();
});

async function capture(
  raw: string,
  { to = 'ada@example.org', owner = org, subject = 'Hello' } = {},
): Promise<string> {
  const id = uuidv7(Date.now());
  const message = {
    organizationId: owner.id,
    id,
    emailId: uuidv7(Date.now()),
    position: 0,
    receivedAt: new Date(),
    mailFrom: 'bounce@example.org',
    rcptTo: to,
    fromEmail: 'shop@example.org',
    fromName: 'Shop',
    subject,
    raw: Buffer.from(raw),
  };
  await insertMessages(server.db, [message]);
  return id;
}

const html = (body: string) => `Subject: Hello\r\nContent-Type: text/html; charset=utf-8\r\n\r\n${body}`;
const call = (method: string, path: string, body?: unknown, key = org.key) =>
  server.api(method, path, body, key);
const idsOf = async (query: string) =>
  (await call('GET', `/sandbox/messages?${query}`)).body.data.map((one: { id: string }) => one.id);

describe('a search', () => {
  it('finds words in bodies, however they are encoded', async () => {
    const quoted = await capture(
      'Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nHall=C3=B6chen, here is your vou=\r\ncher',
    );
    const encoded = await capture(
      `Content-Type: text/html\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from('<p>Your VOUCHER</p>').toString('base64')}`,
    );
    expect(await idsOf('q=voucher')).toEqual([encoded, quoted]);
    expect(await idsOf(`q=${encodeURIComponent('hallöchen voucher')}`)).toEqual([quoted]);
    expect(await idsOf('q=voucher%20nowhere')).toEqual([]);
  });

  it('finds words of subject and addresses, and pages what it found', async () => {
    for (const number of [1, 2, 3])
      await capture(html('x'), { subject: `Ticket ${number}`, to: 'desk@example.org' });
    expect(await idsOf('q=ticket%20DESK')).toHaveLength(3);
    const { body } = await call('GET', '/sandbox/messages?q=ticket&limit=2&page=2');
    expect(body.data).toMatchObject([{ subject: 'Ticket 1' }]);
    expect(body.pagination).toMatchObject({ page: 2, total_count: 3, total_pages: 2 });
  });

  it('goes through more than one step of messages, and finds nothing of others', async () => {
    const owner = await server.createOrganization();
    for (let count = 0; count < 120; count += 1) await capture(html(`number-${count}`), { owner });
    const found = await call('GET', '/sandbox/messages?q=number-0', undefined, owner.key);
    expect(found.body.data).toHaveLength(1);
    expect(await idsOf('q=number-0')).toEqual([]);
  });
});

describe('a search of too much', () => {
  it('is refused with the field, when it has more than ten words', async () => {
    const { status, body } = await call('GET', '/sandbox/messages?q=a+b+c+d+e+f+g+h+i+j+k');
    expect(status).toBe(400);
    expect(body.error.details).toMatchObject([{ field: 'q' }]);
  });
});

describe('a message', () => {
  it('is unread until it is marked, and again when that is taken back', async () => {
    const id = await capture(html('x'), { to: 'unread@example.org' });
    const unread = () => idsOf('to=unread@example.org&unread=true');
    expect(await unread()).toEqual([id]);
    expect((await call('GET', `/sandbox/messages/${id}`)).body.data.is_read).toBe(false);
    expect((await call('PATCH', `/sandbox/messages/${id}`, { is_read: true })).body.data).toEqual({
      is_read: true,
    });
    expect(await unread()).toEqual([]);
    expect((await call('GET', `/sandbox/messages/${id}`)).body.data.is_read).toBe(true);
    await call('PATCH', `/sandbox/messages/${id}`, { is_read: false });
    expect(await unread()).toEqual([id]);
    expect((await call('PATCH', '/sandbox/messages', { is_read: true })).body.data.changed).toBeGreaterThan(
      0,
    );
    expect(await idsOf('unread=true')).toEqual([]);
    expect((await call('PATCH', '/sandbox/messages', { is_read: true })).body.data.changed).toBe(0);
  });

  it('is deleted alone, and only by its own organization', async () => {
    const id = await capture(html('x'), { to: 'delete@example.org' });
    const other = await capture(html('x'), { to: 'delete@example.org' });
    const stranger = await server.createOrganization();
    expect((await call('DELETE', `/sandbox/messages/${id}`, undefined, stranger.key)).status).toBe(404);
    expect((await call('DELETE', `/sandbox/messages/${id}`)).body.data).toEqual({ id, deleted: true });
    expect((await call('DELETE', `/sandbox/messages/${id}`)).status).toBe(404);
    expect((await call('DELETE', '/sandbox/messages/nonsense')).status).toBe(404);
    expect(await idsOf('to=delete@example.org')).toEqual([other]);
  });

  it('is checked: what clients lack, links, size, what filters dislike', async () => {
    const id = await capture(html('<div style="display:flex"><a href="http://example.org/">Go</a></div>'));
    const { data } = (await call('GET', `/sandbox/messages/${id}/checks`)).body;
    expect(data.html.features[0]).toMatchObject({ feature: 'display:flex', count: 1, line: 1 });
    expect(data.links).toEqual([{ url: 'http://example.org/', text: 'Go' }]);
    expect(data.findings.map(({ kind }: { kind: string }) => kind)).toEqual(
      expect.arrayContaining(['text_missing', 'link_unencrypted']),
    );
    expect(data.size.message).toBeGreaterThan(data.size.html);
    expect(asked).toEqual([]);
  });
});

describe('a check of links', () => {
  it('says what each answers, and where it leads', async () => {
    const links = ['fine', 'moved', 'gone', 'only-get', 'loop'].map(
      (path) => `<a href="${base}/${path}">x</a>`,
    );
    const id = await capture(html(links.join('')));
    const { data } = (await call('POST', `/sandbox/messages/${id}/links/check`)).body;
    expect(data).toMatchObject([
      { url: `${base}/fine`, status: 200, leads_to: null, error: null },
      { url: `${base}/moved`, status: 200, leads_to: `${base}/fine`, error: null },
      { url: `${base}/gone`, status: 404, error: 'it answers 404' },
      { url: `${base}/only-get`, status: 200, error: null },
      { url: `${base}/loop`, status: null, error: 'more than 5 redirects' },
    ]);
    expect(asked).toContain('HEAD /fine');
    expect(asked).not.toContain('GET /fine');
  });

  it('asks neither this machine nor private networks, however they are written', async () => {
    const strict = await startApi({ database: server.database });
    try {
      const urls = [
        `${base}/fine`,
        'http://localhost/',
        'http://10.1.2.3/',
        'http://169.254.169.254/',
        'http://[::1]/',
        'http://[::ffff:127.0.0.1]/',
        'http://2130706433/',
      ];
      const id = await capture(html(urls.map((url) => `<a href="${url}">x</a>`).join('')));
      const before = asked.length;
      const { data } = (await strict.api('POST', `/sandbox/messages/${id}/links/check`, undefined, org.key))
        .body;
      expect(data.map((one: { status: number | null }) => one.status)).toEqual(urls.map(() => null));
      for (const { error } of data) expect(error).toContain('not a public address');
      expect(asked).toHaveLength(before);
    } finally {
      await strict.stop();
    }
  });

  it('is nothing for keys that only read', async () => {
    const id = await capture(html(`<a href="${base}/fine">x</a>`));
    const key = await server.createKey(org.id, { scope: 'read' });
    expect((await call('POST', `/sandbox/messages/${id}/links/check`, undefined, key)).status).toBe(403);
  });

  it('says when to come back to an organization that asks too often, and to no other', async () => {
    const owner = await server.createOrganization();
    const body = html(`<a href="${base}/fine">x</a>`);
    const path = `/sandbox/messages/${await capture(body, { owner })}/links/check`;
    const statuses: number[] = [];
    for (let count = 0; count < 11; count += 1)
      statuses.push((await call('POST', path, undefined, owner.key)).status);
    expect(statuses).toEqual([...Array(10).fill(200), 429]);
    const refused = await call('POST', path, undefined, owner.key);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    const other = await server.createOrganization();
    const own = await capture(body, { owner: other });
    expect((await call('POST', `/sandbox/messages/${own}/links/check`, undefined, other.key)).status).toBe(
      200,
    );
  });
});
