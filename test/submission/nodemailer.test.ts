/** What applications use: nodemailer against a real server, and what arrives in the inbox of the sandbox. */
import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { startMailWorker, type TestWorker } from '../support/mail-worker.ts';
import { idIn, startSubmission, type TestSubmission } from '../support/submission.ts';
import { until } from '../support/until.ts';

let server: TestApi;
let org: TestOrganization;
let worker: TestWorker;
let sandbox: TestSubmission;
let live: TestSubmission;

beforeAll(async () => {
  server = await startApi();
  org = await server.createOrganization();
  worker = await startMailWorker(server.database);
  sandbox = await startSubmission(server.database);
  live = await startSubmission(server.database, { live: true });
});
afterAll(async () => {
  await live.stop();
  await sandbox.stop();
  await worker.stop();
  await server.stop();
});

const from = () => `Shop <hello@${org.domain}>`;
const auth = () => ({ user: 'postrider', pass: org.key });
const plain = (more: object = {}) => createTransport({ host: '127.0.0.1', port: sandbox.port, ...more });

async function record(info: { readonly response: string }) {
  const { data } = (await server.api('GET', `/emails/${idIn(info.response)}`, undefined, org.key)).body;
  return data;
}

/** Once they are written. */
async function loggedOf(recipient: string, count: number) {
  const read = async () =>
    (await server.api('GET', `/request-logs?recipient=${recipient}`, undefined, org.key)).body.data;
  return until(read, (entries) => entries.length >= count, 100);
}

/** Once it is there. */
async function inboxOf(to: string) {
  const list = async () =>
    (await server.api('GET', `/sandbox/messages?to=${encodeURIComponent(to)}`, undefined, org.key)).body.data;
  await expect.poll(async () => (await list()).length).toBeGreaterThan(0);
  const [{ id }] = await list();
  return (await server.api('GET', `/sandbox/messages/${id}`, undefined, org.key)).body.data;
}

describe('nodemailer', () => {
  it('sends without a password in the sandbox, for the first organization', async () => {
    const info = await plain().sendMail({
      from: from(),
      to: 'ada@example.org',
      subject: 'Hello Grüße',
      text: 'Hi Ada',
      html: '<p>Hi Ada</p>',
    });
    expect(info.accepted).toEqual(['ada@example.org']);
    const email = await record(info);
    expect(email).toMatchObject({
      subject: 'Hello Grüße',
      from: { email: `hello@${org.domain}`, name: 'Shop' },
      to: [{ email: 'ada@example.org', name: null }],
      api_key_id: null,
    });
    const message = await inboxOf('ada@example.org');
    expect(message).toMatchObject({ subject: 'Hello Grüße' });
    expect(message.html).toContain('<p>Hi Ada</p>');
    expect(message.authentication.dkim).toBeDefined();
  });

  it('sends with a key for its organization, and shows what was in the message', async () => {
    const other = await server.createOrganization('Other');
    const transport = plain({ auth: { user: 'apikey', pass: other.key } });
    expect(await transport.verify()).toBe(true);
    const info = await transport.sendMail({
      from: `hello@${other.domain}`,
      to: 'bob@example.org',
      subject: 'For Bob',
      html: '<b>hi</b>',
      attachments: [{ filename: 'näme.txt', content: 'a file' }],
      headers: { 'X-Order': '48' },
    });
    const path = `/emails/${idIn(info.response)}`;
    expect((await server.api('GET', path, undefined, org.key)).status).toBe(404);
    const email = (await server.api('GET', path, undefined, other.key)).body.data;
    expect(email.api_key_id).not.toBeNull();
    const { body } = await server.api('GET', `${path}/content`, undefined, other.key);
    expect(body.data).toEqual({
      subject: 'For Bob',
      html: '<b>hi</b>',
      text: null,
      headers: { 'X-Order': '48' },
      attachments: [{ filename: 'näme.txt', content_type: 'text/plain', content_id: null, size: 6 }],
      template_data: null,
      has_raw: true,
    });
    const raw = await server.api('GET', `${path}/raw`, undefined, other.key);
    expect(raw.headers.get('content-disposition')).toContain('.eml');
    expect(raw.body).toContain('\r\nSubject: For Bob\r\n');
  });

  it('sends pooled, many over few connections', async () => {
    const transport = plain({ pool: true, maxConnections: 3, auth: auth() });
    const sent = await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        transport.sendMail({ from: from(), to: `pool-${i}@example.org`, subject: `Pool ${i}`, text: 'x' }),
      ),
    );
    transport.close();
    expect(new Set(sent.map(({ response }) => idIn(response))).size).toBe(30);
  });

  it('sends over STARTTLS, and over TLS at once', async () => {
    const tls = { ca: live.ca, servername: 'localhost' };
    const starting = createTransport({
      host: '127.0.0.1',
      port: live.port,
      requireTLS: true,
      tls,
      auth: auth(),
    });
    const secured = createTransport({
      host: '127.0.0.1',
      port: live.tlsPort,
      secure: true,
      tls,
      auth: auth(),
    });
    for (const transport of [starting, secured]) {
      const info = await transport.sendMail({
        from: from(),
        to: 'tls@example.org',
        subject: 'TLS',
        text: 'x',
      });
      expect((await record(info)).subject).toBe('TLS');
    }
  });

  it('is told why it cannot log in', async () => {
    const wrong = plain({ auth: { user: 'x', pass: 'not-a-key' } });
    await expect(wrong.verify()).rejects.toMatchObject({ code: 'EAUTH', responseCode: 535 });
    const reading = await server.createKey(org.id, { scope: 'read' });
    await expect(plain({ auth: { user: 'x', pass: reading } }).verify()).rejects.toThrow(/scope read/);
    const tls = { ca: live.ca, servername: 'localhost' };
    const nobody = createTransport({ host: '127.0.0.1', port: live.port, tls });
    await expect(nobody.sendMail({ from: from(), to: 'a@example.org', text: 'x' })).rejects.toMatchObject({
      responseCode: 530,
    });
    const clear = createTransport({ host: '127.0.0.1', port: live.port, ignoreTLS: true, auth: auth() });
    await expect(clear.sendMail({ from: from(), to: 'a@example.org', text: 'x' })).rejects.toThrow();
  });

  it('embeds pictures, and attaches files of any bytes', async () => {
    const picture = Buffer.from(Array.from({ length: 3_000 }, (_, i) => i % 256));
    await plain({ auth: auth() }).sendMail({
      from: from(),
      to: 'pictures@example.org',
      subject: 'Pictures',
      html: '<img src="cid:logo@x">',
      text: 'no pictures',
      attachments: [
        { filename: 'logo.png', content: picture, cid: 'logo@x' },
        { filename: 'report.pdf', content: picture, contentType: 'application/pdf' },
      ],
      icalEvent: { method: 'REQUEST', content: 'BEGIN:VCALENDAR\r\nEND:VCALENDAR' },
    });
    const message = await inboxOf('pictures@example.org');
    const files = message.attachments.map((one: { filename: string; content: string }) => [
      one.filename,
      Buffer.from(one.content, 'base64').equals(picture),
    ]);
    expect(files).toEqual(
      expect.arrayContaining([
        ['logo.png', true],
        ['report.pdf', true],
      ]),
    );
    expect(message.html).toContain('cid:logo@x');
  });

  it('sends blind copies that nobody sees', async () => {
    const info = await plain({ auth: auth() }).sendMail({
      from: from(),
      to: 'Seen <seen@example.org>',
      cc: 'copy@example.org',
      bcc: 'blind@example.org',
      subject: 'Blind',
      text: 'x',
    });
    expect(await record(info)).toMatchObject({
      to: [{ email: 'seen@example.org', name: 'Seen' }],
      cc: [{ email: 'copy@example.org' }],
      bcc: [{ email: 'blind@example.org', name: null }],
    });
    const blind = await inboxOf('blind@example.org');
    expect(JSON.stringify(blind.headers)).not.toContain('blind@example.org');
  });

  it('sends to addresses beyond ASCII', async () => {
    const info = await plain({ auth: auth() }).sendMail({
      from: from(),
      to: 'jörg@münchen.test',
      subject: 'Grüß Gott',
      text: 'x',
    });
    expect((await record(info)).to).toEqual([{ email: 'jörg@xn--mnchen-3ya.test', name: null }]);
  });

  it('reaches the others when one of them has unsubscribed from its group', async () => {
    const left = { email: 'left@example.org', reason: 'unsubscribe', unsubscribe_group: 'digest' };
    await server.api('POST', '/suppressions', left, org.key);
    const digest = {
      from: from(),
      subject: 'Digest',
      text: 'x',
      headers: { 'X-Postrider-Unsubscribe-Group': 'digest' },
    };
    const transport = plain({ auth: auth() });
    const info = await transport.sendMail({ ...digest, to: [left.email, 'stays@example.org'] });
    await inboxOf('stays@example.org');
    const rejected = async () =>
      (await record(info)).events.filter(({ type }: { type: string }) => type === 'rejected');
    await expect
      .poll(rejected)
      .toMatchObject([{ recipient: 'left@example.org', reason: 'suppressed', attempt: 1 }]);
    const alone = transport.sendMail({ ...digest, to: left.email });
    await expect(alone).rejects.toThrow(/550 5\.1\.1 .*left@example\.org .*digest/);
  });

  it('is told about each recipient by itself', async () => {
    await server.api('POST', '/suppressions', { email: 'gone@example.org', reason: 'manual' }, org.key);
    const transport = plain({ auth: auth() });
    const info = await transport.sendMail({
      from: from(),
      to: ['gone@example.org', 'here@example.org'],
      subject: 'Some',
      text: 'x',
    });
    expect(info.accepted).toEqual(['here@example.org']);
    expect(info.rejectedErrors?.map(({ responseCode, response }) => [responseCode, response])).toEqual([
      [550, '550 5.1.1 gone@example.org is on the suppression list'],
    ]);
    expect((await record(info)).to).toEqual([{ email: 'here@example.org', name: null }]);
    const all = transport.sendMail({ from: from(), to: 'gone@example.org', subject: 'None', text: 'x' });
    await expect(all).rejects.toMatchObject({ code: 'EENVELOPE', rejected: ['gone@example.org'] });
    const entry = {
      method: 'RCPT',
      path: 'smtp',
      status: 550,
      code: 'RECIPIENTS_SUPPRESSED',
      request_id: null,
    };
    expect(await loggedOf('gone@example.org', 2)).toMatchObject([entry, entry]);
  });

  it('leaves a trace of a message that was refused, under each of its recipients', async () => {
    const transport = plain({ auth: auth() });
    const to = ['one@trace.test', 'two@trace.test'];
    await expect(transport.sendMail({ from: 'a@stranger.test', to, text: 'x' })).rejects.toThrow();
    expect(await loggedOf('two@trace.test', 1)).toMatchObject([
      {
        method: 'DATA',
        path: 'smtp',
        status: 550,
        code: 'DOMAIN_NOT_VERIFIED',
        message: expect.stringContaining('Mail from stranger.test cannot be sent'),
        // They were asked about at once.
        recipients: expect.arrayContaining(to),
        caller: { type: 'api_key' },
        excerpt: { from: 'a@stranger.test', to: expect.arrayContaining(to) },
      },
    ]);
  });

  it('is told that its domain is not verified, and which one its key is for', async () => {
    const transport = plain({ auth: auth() });
    const strange = transport.sendMail({ from: 'a@stranger.test', to: 'b@example.org', text: 'x' });
    await expect(strange).rejects.toThrow(/550 5\.7\.1 Mail from stranger\.test cannot be sent/);
    await server.addVerifiedDomain(org.id, 'second.test');
    const tied = await server.createKey(org.id, { scope: 'send', domain: 'second.test' });
    const other = plain({ auth: { user: 'x', pass: tied } }).sendMail({
      from: from(),
      to: 'b@example.org',
      text: 'x',
    });
    await expect(other).rejects.toThrow(/550 5\.7\.1 .*only from addresses at second\.test/);
  });

  it('chooses options with headers, which nobody else sees', async () => {
    const info = await plain({ auth: auth() }).sendMail({
      from: from(),
      to: 'options@example.org',
      subject: 'Options',
      html: '<p>x</p>',
      headers: {
        'X-Postrider-Tag': ['kind=receipt', 'order=48'],
        'X-Postrider-Metadata': '{"user":7}',
        'X-Postrider-Unsubscribe-Group': 'news',
        'X-Postrider-Track-Opens': 'true',
        'X-PM-Tag': 'welcome',
      },
    });
    expect(await record(info)).toMatchObject({
      tags: [
        { name: 'kind', value: 'receipt' },
        { name: 'order', value: '48' },
        { name: 'tag', value: 'welcome' },
      ],
      metadata: { user: 7 },
      unsubscribe_group: 'news',
    });
    const message = await inboxOf('options@example.org');
    const names = message.headers.map(({ name }: { name: string }) => name.toLowerCase());
    expect(names).toContain('list-unsubscribe');
    expect(names.filter((name: string) => /^x-(?:postrider-(?!ref)|pm-)/.test(name))).toEqual([]);
    expect(message.html).toMatch(/<img src="[^"]*\/t\/o\//);
    const wrong = plain({ auth: auth() }).sendMail({
      from: from(),
      to: 'options@example.org',
      text: 'x',
      headers: { 'X-Postrider-Send-At': 'tomorrow' },
    });
    await expect(wrong).rejects.toThrow(/554 5\.6\.0 X-Postrider-Send-At must be an ISO 8601 date/);
  });

  it('sends a template, with the files of the message', async () => {
    const template = {
      name: 'Receipt',
      alias: 'receipt',
      subject: 'Order {{n}}',
      html: '<p>Thanks, {{name}}</p>',
    };
    const { body } = await server.api('POST', '/templates', template, org.key);
    const info = await plain({ auth: auth() }).sendMail({
      from: from(),
      to: 'templated@example.org',
      replyTo: ['Help <help@example.org>', 'sales@example.org'],
      subject: 'Your order {{n}}',
      text: 'replaced',
      attachments: [{ filename: 'a.bin', content: Buffer.from([1, 2, 3]) }],
      headers: { 'X-Postrider-Template': 'receipt', 'X-Postrider-Template-Data': '{"n":48,"name":"Ada"}' },
    });
    const replies = [
      { email: 'help@example.org', name: 'Help' },
      { email: 'sales@example.org', name: null },
    ];
    const shown = { subject: 'Your order 48', template_id: body.data.id, reply_to_list: replies };
    expect(await record(info)).toMatchObject(shown);
    const message = await inboxOf('templated@example.org');
    expect(message.addresses.reply_to).toEqual(replies);
    expect(message.html).toContain('<p>Thanks, Ada</p>');
    expect(message.attachments).toMatchObject([{ filename: 'a.bin', size: 3 }]);
  });

  it('schedules mail, which can be cancelled', async () => {
    const info = await plain({ auth: auth() }).sendMail({
      from: from(),
      to: 'later@example.org',
      subject: 'Later',
      text: 'x',
      headers: { 'X-Postrider-Send-At': new Date(Date.now() + 3_600_000).toISOString() },
    });
    const id = idIn(info.response);
    expect((await server.api('POST', `/emails/${id}/cancel`, undefined, org.key)).status).toBe(200);
  });

  it('that repeats a message gets the same id, and it is sent once', async () => {
    const transport = plain({ auth: auth() });
    const mail = {
      from: from(),
      to: 'repeated@example.org',
      subject: 'Once',
      text: 'x',
      messageId: '<once@example.org>',
      date: new Date(0),
    };
    const first = await transport.sendMail(mail);
    const [second, third] = await Promise.all([transport.sendMail(mail), transport.sendMail(mail)]);
    expect([second.response, third.response]).toEqual([first.response, first.response]);
    const elsewhere = await transport.sendMail({ ...mail, to: 'other@example.org' });
    const changed = await transport.sendMail({ ...mail, text: 'y' });
    expect(new Set([first, elsewhere, changed].map(({ response }) => idIn(response))).size).toBe(3);
    const count = adHoc<{ count: number }>(
      `SELECT count(*) AS count FROM emails WHERE addresses->'to'->0->>'email' = 'repeated@example.org'`,
    );
    expect((await server.db.one(count)).count).toBe(2);
  });

  it('that repeats a message gets the same id, though one of its recipients was suppressed meanwhile', async () => {
    const transport = plain({ auth: auth() });
    const mail = {
      from: from(),
      to: ['bounced@example.org', 'well@example.org'],
      subject: 'Once for two',
      text: 'x',
      messageId: '<once-for-two@example.org>',
      date: new Date(0),
    };
    const first = await transport.sendMail(mail);
    await server.api('POST', '/suppressions', { email: 'bounced@example.org', reason: 'manual' }, org.key);
    const second = await transport.sendMail(mail);
    expect(second.rejected).toEqual(['bounced@example.org']);
    expect(idIn(second.response)).toBe(idIn(first.response));
  });

  it('that sends the same message over ten connections at once gets one id, and it is sent once', async () => {
    const mail = {
      from: from(),
      to: 'all-at-once@example.org',
      subject: 'All at once',
      text: 'x',
      messageId: '<all-at-once@example.org>',
      date: new Date(0),
    };
    const sent = await Promise.all(Array.from({ length: 10 }, () => plain({ auth: auth() }).sendMail(mail)));
    expect(new Set(sent.map(({ response }) => idIn(response))).size).toBe(1);
    const found = await server.database.db.one(
      adHoc<{ n: number }>(`SELECT count(*)::int AS n FROM emails WHERE subject = 'All at once'`),
    );
    expect(found.n).toBe(1);
  });

  it('that repeats a message whose time is over by then gets the same id', async () => {
    const mail = {
      from: from(),
      to: 'in-time@example.org',
      subject: 'In time',
      text: 'x',
      messageId: '<in-time@example.org>',
      date: new Date(0),
      headers: { 'X-Postrider-Send-At': new Date(Date.now() + 3_600_000).toISOString() },
    };
    const first = await plain({ auth: auth() }).sendMail(mail);
    const clock = { nowMs: () => Date.now() + 2 * 3_600_000 };
    const later = await startSubmission(server.database, { clock });
    const again = await plain({ auth: auth(), port: later.port }).sendMail(mail);
    await later.stop();
    expect(again.response).toBe(first.response);
  });
});
