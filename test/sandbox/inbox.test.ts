import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId, uuidv7 } from '../../src/runtime/ids.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type Delivery, InboxApi, newDelivery, SandboxFixture } from '../support/sandbox.ts';

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

const RICH = [
  'Received: from a',
  'Received: from b',
  'From: =?utf-8?B?SsO8cmdlbg==?= <jurgen@sandbox.test>',
  'To: "Doe, Jane" <jane@example.org>, bob@example.org',
  'Cc: Carol <carol@example.org>',
  'Reply-To: help@sandbox.test',
  'Subject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?=',
  'X-Long: one',
  ' two',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary=m',
  '',
  '--m',
  'Content-Type: multipart/related; boundary=r',
  '',
  '--r',
  'Content-Type: multipart/alternative; boundary=a',
  '',
  '--a',
  'Content-Type: text/plain; charset=utf-8',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  'Hall=C3=B6chen',
  '--a',
  'Content-Type: text/html; charset=utf-8',
  '',
  '<p>Hello <img src="cid:logo@x"></p>',
  '--a--',
  '--r',
  'Content-Type: image/png',
  'Content-Disposition: inline; filename=logo.png',
  'Content-ID: <logo@x>',
  'Content-Transfer-Encoding: base64',
  '',
  'iVBORw0KGgo=',
  '--r--',
  '--m',
  'Content-Type: application/pdf',
  "Content-Disposition: attachment; filename*=utf-8''Rechnung%20%C3%84.pdf",
  'Content-Transfer-Encoding: base64',
  '',
  'JVBERi0xLjQ=',
  '--m--',
  '',
].join('\r\n');

interface Sent {
  readonly delivery: Delivery;
  readonly id: string;
}

async function send(organizationId: string, to: string, message: string): Promise<Sent> {
  const delivery = newDelivery(organizationId);
  const facts = await fixture.send(delivery, to, message);
  const id = facts.kind === 'accepted' ? /captured as (\S+)/.exec(facts.reply.text)?.[1] : undefined;
  if (id === undefined) throw new Error(`not captured: ${JSON.stringify(facts)}`);
  return { delivery, id };
}

function mail(subject: string): string {
  return `From: a@sandbox.test\r\nSubject: ${subject}\r\n\r\nHello\r\n`;
}

function subjectsOf(response: { json: { data: { subject: string }[] } }): string[] {
  return response.json.data.map((item) => item.subject);
}

describe('GET /sandbox/messages', () => {
  it('lists the newest first, page by page', async () => {
    const organizationId = newId('org');
    const key = api.key(organizationId);
    for (const subject of ['1', '2', '3', '4', '5']) await send(organizationId, 'a@b.test', mail(subject));
    const first = await api.call('GET', '/sandbox/messages?limit=2', key);
    expect(first.status).toBe(200);
    expect(subjectsOf(first)).toEqual(['5', '4']);
    expect(first.json.pagination).toEqual({ page: 1, limit: 2, total_count: 5, total_pages: 3 });
    expect(subjectsOf(await api.call('GET', '/sandbox/messages?limit=2&page=3', key))).toEqual(['1']);
    const beyond = await api.call('GET', '/sandbox/messages?limit=2&page=9', key);
    expect(beyond.json).toEqual({
      data: [],
      pagination: { page: 9, limit: 2, total_count: 5, total_pages: 3 },
    });
  });

  it('says of each message where it came from and went to', async () => {
    const organizationId = newId('org');
    const { delivery, id } = await send(organizationId, 'bcc@example.org', RICH);
    const { json } = await api.call('GET', '/sandbox/messages', api.key(organizationId));
    expect(json.data).toEqual([
      {
        id,
        account_mail: false,
        email_id: delivery.emailId,
        from: { email: 'jurgen@sandbox.test', name: 'Jürgen' },
        to: 'bcc@example.org',
        subject: 'Grüße',
        size: Buffer.byteLength(RICH),
        is_read: false,
        received_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
    ]);
  });

  it('filters by exact recipient, whatever the case, and counts only those', async () => {
    const organizationId = newId('org');
    const key = api.key(organizationId);
    await send(organizationId, 'Jane@example.org', mail('one'));
    await send(organizationId, 'jane+x@example.org', mail('other'));
    await send(organizationId, 'jane@EXAMPLE.org', mail('two'));
    const found = await api.call('GET', '/sandbox/messages?to=JANE@example.ORG', key);
    expect(subjectsOf(found)).toEqual(['two', 'one']);
    expect(found.json.pagination.total_count).toBe(2);
    expect(subjectsOf(await api.call('GET', '/sandbox/messages?to=jane', key))).toEqual([]);
    expect(subjectsOf(await api.call('GET', '/sandbox/messages?to=%25@example.org', key))).toEqual([]);
  });

  it('finds an international domain by either of its spellings', async () => {
    const organizationId = newId('org');
    const key = api.key(organizationId);
    await send(organizationId, 'post@xn--mnchen-3ya.test', mail('servus'));
    for (const to of ['post@münchen.test', 'post@xn--mnchen-3ya.test']) {
      const found = await api.call('GET', `/sandbox/messages?to=${encodeURIComponent(to)}`, key);
      expect(subjectsOf(found)).toEqual(['servus']);
    }
  });

  it.each(['page=0', 'limit=101', 'limit=x', 'too=a@b.test'])('refuses the query %s', async (query) => {
    const response = await api.call('GET', `/sandbox/messages?${query}`, api.key(newId('org')));
    expect(response.status).toBe(400);
    expect(response.json.error.code).toBe('VALIDATION_ERROR');
  });
});

describe('GET /sandbox/messages/:id', () => {
  it('shows a message as a reader sees it', async () => {
    const organizationId = newId('org');
    const { delivery, id } = await send(organizationId, 'jane@example.org', RICH);
    const { status, json } = await api.call('GET', `/sandbox/messages/${id}`, api.key(organizationId));
    expect(status).toBe(200);
    expect(json.data).toMatchObject({
      id,
      email_id: delivery.emailId,
      return_path: fixture.returnPathOf(delivery),
      from: { email: 'jurgen@sandbox.test', name: 'Jürgen' },
      to: 'jane@example.org',
      subject: 'Grüße',
      addresses: {
        from: [{ email: 'jurgen@sandbox.test', name: 'Jürgen' }],
        to: [
          { email: 'jane@example.org', name: 'Doe, Jane' },
          { email: 'bob@example.org', name: null },
        ],
        cc: [{ email: 'carol@example.org', name: 'Carol' }],
        reply_to: [{ email: 'help@sandbox.test', name: null }],
      },
    });
    expect(json.data.text.trim()).toBe('Hallöchen');
    expect(json.data.html.trim()).toBe('<p>Hello <img src="cid:logo@x"></p>');
    expect(json.data.attachments).toEqual([
      {
        filename: 'logo.png',
        content_type: 'image/png',
        content_id: 'logo@x',
        size: 8,
        content: 'iVBORw0KGgo=',
      },
      {
        filename: 'Rechnung Ä.pdf',
        content_type: 'application/pdf',
        content_id: null,
        size: 8,
        content: 'JVBERi0xLjQ=',
      },
    ]);
  });

  it('lists every header in order, repeated ones too, unfolded', async () => {
    const organizationId = newId('org');
    const { id } = await send(organizationId, 'jane@example.org', RICH);
    const { json } = await api.call('GET', `/sandbox/messages/${id}`, api.key(organizationId));
    expect(json.data.headers.map((header: { name: string }) => header.name)).toEqual([
      'Received',
      'Received',
      'From',
      'To',
      'Cc',
      'Reply-To',
      'Subject',
      'X-Long',
      'MIME-Version',
      'Content-Type',
    ]);
    expect(json.data.headers.slice(0, 2)).toEqual([
      { name: 'Received', value: 'from a' },
      { name: 'Received', value: 'from b' },
    ]);
    expect(json.data.headers[7]).toEqual({ name: 'X-Long', value: 'one two' });
  });

  it('shows what a message lacks as null', async () => {
    const organizationId = newId('org');
    const html = 'From: a@sandbox.test\r\nSubject: x\r\nContent-Type: text/html\r\n\r\n<b>x</b>\r\n';
    const { id } = await send(organizationId, 'jane@example.org', html);
    const { json } = await api.call('GET', `/sandbox/messages/${id}`, api.key(organizationId));
    expect(json.data).toMatchObject({ text: null, attachments: [], addresses: { to: [], cc: [] } });
  });
});

describe('GET /sandbox/messages/:id/raw', () => {
  it('returns exactly what was sent, as a download that no browser renders', async () => {
    const organizationId = newId('org');
    const message = `${mail('raw')}.dot\r\n..\r\nümläut ${'x'.repeat(5_000)}\r\n`;
    const { id } = await send(organizationId, 'jane@example.org', message);
    const response = await api.call('GET', `/sandbox/messages/${id}/raw`, api.key(organizationId));
    expect(response.status).toBe(200);
    expect(response.bytes.equals(Buffer.from(message))).toBe(true);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename="${id}.eml"`);
  });
});

describe('an organization', () => {
  it('sees nothing of another: 404 for its messages, an empty list', async () => {
    const { id } = await send(newId('org'), 'jane@example.org', mail('private'));
    const stranger = api.key(newId('org'));
    for (const path of [`/sandbox/messages/${id}`, `/sandbox/messages/${id}/raw`]) {
      const response = await api.call('GET', path, stranger);
      expect(response.status).toBe(404);
      expect(response.json.error.code).toBe('NOT_FOUND');
    }
    expect((await api.call('GET', '/sandbox/messages', stranger)).json.pagination.total_count).toBe(0);
    const filtered = await api.call('GET', '/sandbox/messages?to=jane@example.org', stranger);
    expect(filtered.json.data).toEqual([]);
  });

  it('deletes all of its own messages and nobody else’s', async () => {
    const mine = newId('org');
    const theirs = newId('org');
    await send(mine, 'a@b.test', mail('one'));
    await send(mine, 'a@b.test', mail('two'));
    await send(theirs, 'a@b.test', mail('kept'));
    const response = await api.call('DELETE', '/sandbox/messages', api.key(mine));
    expect(response.status).toBe(200);
    expect(response.json).toEqual({ data: { deleted: 2 } });
    expect(subjectsOf(await api.call('GET', '/sandbox/messages', api.key(mine)))).toEqual([]);
    expect(subjectsOf(await api.call('GET', '/sandbox/messages', api.key(theirs)))).toEqual(['kept']);
  });

  it.each([uuidv7(Date.now()), 'nonsense', '%00', "1'--"])('gets 404 for the unknown id %s', async (id) => {
    for (const path of [`/sandbox/messages/${id}`, `/sandbox/messages/${id}/raw`]) {
      expect((await api.call('GET', path, api.key(newId('org')))).status).toBe(404);
    }
  });

  it('cannot read or empty its inbox with a sending key', async () => {
    const organizationId = newId('org');
    const { id } = await send(organizationId, 'a@b.test', mail('secret'));
    const key = api.key(organizationId, 'send');
    expect((await api.call('GET', '/sandbox/messages', key)).status).toBe(403);
    expect((await api.call('GET', `/sandbox/messages/${id}`, key)).status).toBe(403);
    expect((await api.call('GET', `/sandbox/messages/${id}/raw`, key)).status).toBe(403);
    expect((await api.call('DELETE', '/sandbox/messages', key)).status).toBe(403);
  });
});
