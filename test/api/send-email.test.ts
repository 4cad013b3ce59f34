import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { sharedApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { letter, sendLetter, storedRows } from '../support/emails.ts';

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

let server: TestApi;
let org: TestOrganization;
beforeAll(async () => {
  server = await sharedApi();
  org = await server.createOrganization();
});
afterAll(() => server.stop());

const send = (changes: Record<string, unknown> = {}, key = org.key) =>
  server.api('POST', '/emails/send', letter(org, changes), key);
const read = async (id: string) => (await server.api('GET', `/emails/${id}`, undefined, org.key)).body.data;
const readContent = async (id: string) =>
  (await server.api('GET', `/emails/${id}/content`, undefined, org.key)).body.data;
const sendAndRead = async (changes: Record<string, unknown>) => read(await sendLetter(server, org, changes));
/** Of the newest key of its organization that `key` is. */
const keyIdOf = async (key: string) =>
  (await server.api('GET', '/api-keys?limit=1', undefined, key)).body.data[0].id as string;
const row = (text: string, id: string) => server.db.one(adHoc<Record<string, unknown>>(text), [org.id, id]);

describe('an accepted email', () => {
  it('is answered 201 with its id, status and time', async () => {
    const answer = await send();
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      data: {
        message_id: expect.stringMatching(UUID_V7),
        status: 'queued',
        queued_at: expect.stringMatching(TIMESTAMP),
      },
    });
  });

  it('reads back whole when only what is required was given', async () => {
    const { message_id: id, queued_at } = (await send()).body.data;
    expect(await read(id)).toEqual({
      id,
      message_id: id,
      subject: 'Hello',
      status: 'queued',
      state: 'queued',
      recipient_count: 1,
      delivered_count: 0,
      resent_from: null,
      resends: [],
      next_attempt_at: null,
      hold: null,
      priority: 'normal',
      created_at: queued_at,
      updated_at: queued_at,
      scheduled_at: null,
      from: { email: `news@${org.domain}`, name: null },
      to: [{ email: 'ada@example.org', name: null }],
      cc: [],
      bcc: [],
      reply_to: null,
      reply_to_list: [],
      template_id: null,
      locale: null,
      batch_id: null,
      api_key_id: await keyIdOf(org.key),
      request_id: expect.stringMatching(/^req_/),
      mode: 'sandbox',
      tags: [],
      metadata: {},
      collapse_key: null,
      require_tls: false,
      stream: 'transactional',
      unsubscribe_group: null,
      recipients: [
        { email: 'ada@example.org', kind: 'to', status: 'queued', attempts: 0, updated_at: queued_at },
      ],
      events: [
        {
          id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
          type: 'queued',
          recipient: 'ada@example.org',
          mx_host: null,
          smtp_code: null,
          smtp_message: null,
          enhanced_code: null,
          reason: null,
          attempt: null,
          tls: null,
          tls_certificate: null,
          next_attempt_at: null,
          user_agent: null,
          machine: null,
          url: null,
          hold: null,
          created_at: queued_at,
        },
      ],
    });
  });

  it('reads back everything that was asked for, in any language', async () => {
    const asked = {
      from: { email: `hallo@${org.domain}`, name: 'Jürgen «Ü» 北京 👩‍🚀' },
      to: [{ email: 'ada@example.org', name: 'Ada, "the" Countess' }, { email: 'İpek.ñ@example.org' }],
      cc: [{ email: 'bob@example.org', name: 'ボブ' }],
      bcc: [{ email: 'eve@example.org', name: 'Ева' }],
      reply_to: { email: 'help@example.org', name: 'مساعدة' },
      subject: 'Grüße 🎉 — שלום',
      tags: [
        { name: 'campaign', value: 'früh:ling' },
        { name: 'a.b-c_D', value: '🌷' },
      ],
      metadata: { order: 17, paid: true, rate: -0.5, größe: 'XL "quoted" \\ \n' },
      priority: 'high',
      scheduled_at: '2031-05-01T10:00:00.250+02:00',
    };
    const got = await sendAndRead(asked);
    expect(got).toMatchObject({
      ...asked,
      to: [asked.to[0], { email: 'İpek.ñ@example.org', name: null }],
      reply_to_list: [asked.reply_to],
      scheduled_at: '2031-05-01T08:00:00.250Z',
    });
  });

  it('shows everybody who gets the answers, and the first of them where there was only one before', async () => {
    const [help, sales] = [
      { email: 'help@example.org', name: 'مساعدة' },
      { email: 'sales@example.org', name: null },
    ];
    const got = await sendAndRead({ reply_to: [help, { email: 'sales@example.org' }] });
    expect(got).toMatchObject({ reply_to: help, reply_to_list: [help, sales] });
    expect(await sendAndRead({ reply_to: [] })).toMatchObject({ reply_to: null, reply_to_list: [] });
  });

  it('keeps html and text as they were sent, line ends and all', async () => {
    const content = { subject: 'S', html: '<p>Grüße\r\n🎉</p>\n\t', text: '\r\n.\r\n北京\n' };
    expect(await readContent(await sendLetter(server, org, content))).toMatchObject(content);
  });

  it('tells its own headers and what is attached, without the bytes', async () => {
    const attachment = { filename: 'a.txt', content_type: 'text/plain', content: 'aGVsbG8=' };
    const id = await sendLetter(server, org, { headers: { 'X-Order': '1042' }, attachments: [attachment] });
    expect(await readContent(id)).toMatchObject({
      headers: { 'X-Order': '1042' },
      attachments: [{ filename: 'a.txt', content_type: 'text/plain', content_id: null, size: 5 }],
    });
  });

  it.each([
    [
      { html: '<p>x</p>', text: undefined },
      { html: '<p>x</p>', text: null },
    ],
    [{ text: 'x' }, { html: null, text: 'x' }],
  ])('needs only one of html and text: %j', async (given, stored) => {
    expect(await readContent(await sendLetter(server, org, given))).toMatchObject({
      subject: 'Hello',
      ...stored,
    });
  });

  it('has one row for each recipient to deliver to, and one queued event each', async () => {
    const before = await storedRows(server.db);
    const id = await sendLetter(server, org, {
      to: [{ email: 'a@example.org' }, { email: 'b@example.org' }],
      cc: [{ email: 'c@example.net' }],
    });
    const after = await storedRows(server.db);
    expect(after).toEqual({
      ...before,
      emails: before.emails + 1,
      email_contents: before.email_contents + 1,
      recipients: before.recipients + 3,
      events: before.events + 3,
      outbox: before.outbox + 3,
      counted: before.counted + 1,
    });
    const { events } = await read(id);
    expect(events.map((one: { recipient: string }) => one.recipient)).toEqual([
      'a@example.org',
      'b@example.org',
      'c@example.net',
    ]);
  });

  it('tells which key it was sent with', async () => {
    const org = await server.createOrganization('Two keys');
    const first = await keyIdOf(org.key);
    const key = await server.createKey(org.id, { scope: 'send' });
    const second = await keyIdOf(org.key);
    const sent = [await sendLetter(server, org), await sendLetter(server, { ...org, key })];
    const read = async (id: string) =>
      (await server.api('GET', `/emails/${id}`, undefined, org.key)).body.data;
    const keyIds = (await Promise.all(sent.map(read))).map((email) => email.api_key_id);
    expect(keyIds).toEqual([first, second]);
    expect(first).not.toBe(second);
  });

  it('can be fetched by its id in capitals', async () => {
    const id = await sendLetter(server, org);
    expect((await read(id.toUpperCase())).id).toBe(id);
  });

  it('is served under /v1 as well', async () => {
    const answer = await server.api('POST', '/v1/emails/send', letter(org), org.key);
    expect(answer.status).toBe(201);
  });
});

describe('recipients', () => {
  it('are delivered to once, however often and however written they are named', async () => {
    const got = await sendAndRead({
      to: [{ email: 'Jane@Example.org', name: 'Jane' }, { email: '"jane"@example.org' }],
      cc: [{ email: 'jane@EXAMPLE.ORG' }, { email: 'j@müller.example' }],
      bcc: [{ email: 'JANE@example.org' }, { email: 'j@xn--mller-kva.example' }, { email: 'b@example.org' }],
    });
    const once = [
      { email: 'Jane@example.org', kind: 'to' },
      { email: 'j@xn--mller-kva.example', kind: 'cc' },
      { email: 'b@example.org', kind: 'bcc' },
    ];
    expect(
      got.recipients.map(({ email, kind }: { email: string; kind: string }) => ({ email, kind })),
    ).toEqual(once);
    expect(got.events).toHaveLength(3);
    expect([got.to.length, got.cc.length, got.bcc.length]).toEqual([2, 2, 3]);
  });

  it('may be 50 across to, cc and bcc', async () => {
    const many = (count: number, name: string) =>
      Array.from({ length: count }, (_, i) => ({ email: `${name}${i}@example.org` }));
    const got = await sendAndRead({ to: many(20, 'to'), cc: many(20, 'cc'), bcc: many(10, 'bcc') });
    expect(got.recipients).toHaveLength(50);
  });

  it('may have quoted local parts and tags', async () => {
    const got = await sendAndRead({
      to: [{ email: '"john doe"@example.org' }, { email: 'a+b@example.org' }],
    });
    expect(got.to.map((one: { email: string }) => one.email)).toEqual([
      '"john doe"@example.org',
      'a+b@example.org',
    ]);
  });

  it('lose an empty name', async () => {
    expect((await sendAndRead({ to: [{ email: 'a@example.org', name: '' }] })).to[0].name).toBeNull();
  });
});

describe('the options of an email', () => {
  it.each(['high', 'normal', 'low'])('keep the priority %s', async (priority) => {
    expect((await sendAndRead({ priority })).priority).toBe(priority);
  });

  it('queue mail in the order of its priority', async () => {
    const rank = async (priority: string) => {
      const id = await sendLetter(server, org, { priority });
      return (await row('SELECT priority FROM outbox WHERE organization_id = $1 AND email_id = $2', id))
        .priority;
    };
    const ranks = [await rank('high'), await rank('normal'), await rank('low')];
    expect(ranks).toEqual([...ranks].sort());
    expect(new Set(ranks).size).toBe(3);
  });

  it('keep custom headers', async () => {
    const headers = { 'X-Campaign': 'früh 🌷', 'List-Unsubscribe': '<https://example.org/u>', 'x_odd!': '' };
    const id = await sendLetter(server, org, { headers });
    const select = 'SELECT headers FROM email_contents WHERE organization_id = $1 AND email_id = $2';
    expect((await row(select, id)).headers).toEqual(headers);
  });

  it('keep attachments byte by byte, with their types and content ids', async () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, i) => i));
    const attachments = [
      { filename: 'Grüße 🎉.bin', content: bytes.toString('base64') },
      { filename: 'logo.png', content: 'iVBORw0KGgo=', content_type: 'image/png', content_id: 'logo@x' },
      { filename: 'empty.txt', content: '', content_type: 'text/plain; charset=utf-8' },
    ];
    const id = await sendLetter(server, org, { attachments });
    const rows = await server.db.many(
      adHoc(`SELECT filename, content_type, content_id, content FROM email_attachments
             WHERE organization_id = $1 AND email_id = $2 ORDER BY position`),
      [org.id, id],
    );
    expect(rows).toEqual([
      {
        filename: 'Grüße 🎉.bin',
        content_type: 'application/octet-stream',
        content_id: null,
        content: bytes,
      },
      {
        filename: 'logo.png',
        content_type: 'image/png',
        content_id: 'logo@x',
        content: Buffer.from('iVBORw0KGgo=', 'base64'),
      },
      {
        filename: 'empty.txt',
        content_type: 'text/plain; charset=utf-8',
        content_id: null,
        content: Buffer.alloc(0),
      },
    ]);
  });

  it('take an attachment as large as a request may be', async () => {
    const content = Buffer.alloc(14 * 1024 * 1024, 'x').toString('base64');
    const id = await sendLetter(server, org, { attachments: [{ filename: 'big.bin', content }] });
    const select =
      'SELECT length(content) AS size FROM email_attachments WHERE organization_id = $1 AND email_id = $2';
    expect((await row(select, id)).size).toBe(14 * 1024 * 1024);
  });

  it.each([true, false])('keep track_opens %s', async (track_opens) => {
    const id = await sendLetter(server, org, { track_opens });
    const select = 'SELECT track_opens FROM emails WHERE organization_id = $1 AND id = $2';
    expect((await row(select, id)).track_opens).toBe(track_opens);
  });

  it('give up after a day, or after expires_in', async () => {
    const lifetime = async (changes: Record<string, unknown>) => {
      const id = await sendLetter(server, org, changes);
      const select = `SELECT extract(epoch FROM expires_at - due_at)::int AS seconds FROM outbox
                      WHERE organization_id = $1 AND email_id = $2`;
      return (await row(select, id)).seconds;
    };
    expect(await lifetime({})).toBe(86_400);
    expect(await lifetime({ expires_in: 90 })).toBe(90);
    expect(await lifetime({ expires_in: 90, scheduled_at: '2030-01-01T00:00:00Z' })).toBe(90);
  });

  it('may be given as the empty list or object', async () => {
    const nothing = { cc: [], bcc: [], headers: {}, attachments: [], tags: [], metadata: {} };
    expect(await sendAndRead(nothing)).toMatchObject({ cc: [], bcc: [], tags: [], metadata: {} });
  });
});
