/** Mailgun's own client against a real API and a worker, and what arrives in the inbox of the sandbox. */
import Mailgun from 'mailgun.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { inboxOf } from '../support/inbox.ts';
import { startMailWorker, type TestWorker } from '../support/mail-worker.ts';

let server: TestApi;
let org: TestOrganization;
let worker: TestWorker;

beforeAll(async () => {
  server = await startApi();
  org = await server.createOrganization();
  worker = await startMailWorker(server.database);
});
afterAll(async () => {
  await worker.stop();
  await server.stop();
});

const mailgun = (key = org.key) =>
  new Mailgun(FormData).client({ username: 'api', key, url: `${server.url}/compat/mailgun` });

type Message = Parameters<ReturnType<typeof mailgun>['messages']['create']>[1];

/** But for the type of what is sent: tests send what is wrong, too. */
const send = (data: object, key = org.key, domain = org.domain) =>
  mailgun(key).messages.create(domain, data as Message);

const from = () => `Shop <hello@${org.domain}>`;
const simple = (to: unknown) => ({ from: from(), to, subject: 'Hello', text: 'Hi' });

function idIn({ id = '' }: { readonly id?: string }): string {
  return /^<([\w-]+)@/.exec(id)?.[1] ?? expect.fail(`no id in ${id}`);
}

async function record(sent: { readonly id?: string }) {
  return (await server.api('GET', `/emails/${idIn(sent)}`, undefined, org.key)).body.data;
}

async function content(id: string) {
  return (await server.api('GET', `/emails/${id}/content`, undefined, org.key)).body.data;
}

/** By recipient. */
async function batch(sent: { readonly id?: string }): Promise<Map<string, string>> {
  const path = `/emails?batch_id=${idIn(sent)}&include=addresses&limit=100`;
  const { data } = (await server.api('GET', path, undefined, org.key)).body;
  return new Map(data.map(({ id, to }: { id: string; to: { email: string }[] }) => [to[0]?.email, id]));
}

/** What the client throws. */
async function refusal(sending: Promise<unknown>) {
  const error = await sending.then(
    () => expect.fail('it was not refused'),
    (thrown: unknown) => thrown,
  );
  const { status, details } = error as { status: number; details: string };
  return { status, details };
}

describe('a message', () => {
  it('is accepted, has its Message-ID as its id, and arrives', async () => {
    const sent = await send({
      ...simple('Ada <ada@example.org>'),
      subject: 'Grüße',
      html: '<p>Hi Ada</p>',
    });
    expect(sent).toEqual({
      status: 200,
      id: expect.stringMatching(new RegExp(`^<[0-9a-f-]{36}@${org.domain}>$`)),
      message: 'Queued. Thank you.',
    });
    expect(await record(sent)).toMatchObject({
      subject: 'Grüße',
      from: { email: `hello@${org.domain}`, name: 'Shop' },
      to: [{ email: 'ada@example.org', name: 'Ada' }],
    });
    const message = await inboxOf(server, org.key, 'ada@example.org');
    expect(message.html).toContain('<p>Hi Ada</p>');
    expect(message.headers).toContainEqual({ name: 'Message-ID', value: sent.id });
  });

  it('goes to several, in several fields and in one', async () => {
    const sent = await send({
      ...simple(['a1@example.org', '"Doe, Jane" <a2@example.org>, a3@example.org']),
      cc: 'c1@example.org, c2@example.org',
      bcc: ['b1@example.org'],
    });
    const { to, cc, bcc } = await record(sent);
    expect(to).toEqual([
      { email: 'a1@example.org', name: null },
      { email: 'a2@example.org', name: 'Doe, Jane' },
      { email: 'a3@example.org', name: null },
    ]);
    expect(cc).toHaveLength(2);
    expect(bcc).toEqual([{ email: 'b1@example.org', name: null }]);
  });

  it('has files, and images in its html by their file name', async () => {
    const sent = await send({
      ...simple('files@example.org'),
      html: '<img src="cid:logo.png">',
      attachment: [
        { data: Buffer.from('a file'), filename: 'näme.txt' },
        { data: Buffer.from([0, 1, 2, 13, 10, 255]), filename: 'b.bin' },
      ],
      inline: { data: Buffer.from('png'), filename: 'logo.png' },
    });
    expect((await content(idIn(sent))).attachments).toEqual([
      { filename: 'näme.txt', content_type: 'text/plain', content_id: null, size: 6 },
      { filename: 'b.bin', content_type: 'application/octet-stream', content_id: null, size: 6 },
      { filename: 'logo.png', content_type: 'image/png', content_id: 'logo.png', size: 3 },
    ]);
    const message = await inboxOf(server, org.key, 'files@example.org');
    const bin = message.attachments.find(({ filename }: { filename: string }) => filename === 'b.bin');
    expect(bin.content).toBe(Buffer.from([0, 1, 2, 13, 10, 255]).toString('base64'));
  });

  it('has tags, variables, headers, a time and an address to reply to', async () => {
    const time = new Date(Date.now() + 3_600_000);
    time.setMilliseconds(0);
    const sent = await send({
      ...simple('options@example.org'),
      'o:tag': ['receipts', 'spring'],
      'o:deliverytime': time.toUTCString(),
      'o:tracking-opens': true,
      'o:tracking-clicks': 'htmlonly',
      'o:dkim': true,
      'h:X-Order': '48',
      'h:Reply-To': 'one@example.org, Two <two@example.org>',
      'v:order': '48',
      'h:X-Mailgun-Variables': JSON.stringify({ shop: 'north' }),
    });
    const email = await record(sent);
    expect(email).toMatchObject({
      tags: [
        { name: 'tag', value: 'receipts' },
        { name: 'tag-2', value: 'spring' },
      ],
      metadata: { order: '48', shop: 'north' },
      scheduled_at: time.toISOString(),
    });
    expect((await content(email.id)).headers).toEqual({ 'X-Order': '48' });
  });

  it('is made of a template and its variables', async () => {
    const template = {
      name: 'Welcome',
      alias: 'welcome',
      subject: 'For {{name}}',
      html: '<p>Hi {{name}}</p>',
    };
    await server.api('POST', '/templates', template, org.key);
    const named = { from: from(), to: 't@example.org', template: 'welcome' };
    const sent = await send({ ...named, 't:variables': JSON.stringify({ name: 'Ada' }), 't:text': true });
    expect(await content(idIn(sent))).toMatchObject({ subject: 'For Ada', html: '<p>Hi Ada</p>' });
    expect(await refusal(send({ ...named, template: 'none' }))).toMatchObject({ status: 404 });
    expect(await refusal(send({ ...named, 't:version': 'v2' }))).toMatchObject({
      status: 400,
      details: expect.stringContaining('t:version'),
    });
  });

  it('in test mode is checked and not sent', async () => {
    const count = async () =>
      (await server.api('GET', '/emails', undefined, org.key)).body.pagination.total_count;
    const before = await count();
    const sent = await send({ ...simple('test@example.org'), 'o:testmode': true });
    expect(sent.message).toBe('Queued. Thank you.');
    expect(await count()).toBe(before);
    expect(await refusal(send({ ...simple('wrong'), 'o:testmode': 'yes' }))).toMatchObject({ status: 400 });
  });

  it('to a suppressed address is accepted, and reported as rejected', async () => {
    await mailgun().suppressions.create(org.domain, 'bounces', { address: 'gone@example.org' });
    const sent = await send(simple('gone@example.org'));
    await expect
      .poll(async () => (await record(sent)).events)
      .toContainEqual(expect.objectContaining({ type: 'rejected', reason: 'suppressed' }));
  });

  it('is taken as a plain form, too', async () => {
    const response = await fetch(`${server.url}/compat/mailgun/v3/${org.domain}/messages`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`api:${org.key}`)}` },
      body: new URLSearchParams({
        from: from(),
        to: 'plain@example.org',
        subject: 'Plain & simple',
        text: 'ü',
      }),
    });
    expect(response.status).toBe(200);
    expect(await record((await response.json()) as { id: string })).toMatchObject({
      subject: 'Plain & simple',
    });
  });
});

describe('recipient variables', () => {
  it('give each recipient a message of their own', async () => {
    const sent = await send({
      from: from(),
      to: ['Ada <v1@example.org>', 'V2@example.org'],
      subject: 'Hey %recipient.first%',
      text: '%recipient.first% %recipient.id% %recipient.unknown% 100%',
      html: '<p>%recipient.first%</p>',
      'h:X-Id': '%recipient.id%',
      'v:id': '%recipient.id%',
      'recipient-variables': JSON.stringify({
        'v1@example.org': { first: 'Ada $&', id: 1 },
        'v2@example.org': { first: 'Bob %recipient.id%', id: 2 },
      }),
    });
    const emails = await batch(sent);
    expect(emails.size).toBe(2);
    expect(await content(emails.get('v1@example.org') as string)).toMatchObject({
      subject: 'Hey Ada $&',
      text: 'Ada $& 1 %recipient.unknown% 100%',
      html: '<p>Ada $&</p>',
      headers: { 'X-Id': '1' },
    });
    const second = emails.get('V2@example.org') as string;
    expect((await content(second)).text).toBe('Bob %recipient.id% 2 %recipient.unknown% 100%');
    const { data } = (await server.api('GET', `/emails/${second}`, undefined, org.key)).body;
    expect(data).toMatchObject({ to: [{ email: 'V2@example.org' }], cc: [], bcc: [], metadata: { id: '2' } });
    expect((await inboxOf(server, org.key, 'v1@example.org')).addresses.to).toEqual([
      { email: 'v1@example.org', name: 'Ada' },
    ]);
  });

  it('go into the variables of a template', async () => {
    const template = {
      name: 'Named',
      alias: 'named',
      subject: 'For {{user.name}}',
      html: '<p>{{user.name}}</p>',
    };
    await server.api('POST', '/templates', template, org.key);
    const sent = await send({
      from: from(),
      to: ['n1@example.org', 'n2@example.org'],
      template: 'named',
      't:variables': JSON.stringify({ user: { name: '%recipient.name%' } }),
      'recipient-variables': JSON.stringify({
        'n1@example.org': { name: 'Ada' },
        'n2@example.org': { name: 'Bob' },
      }),
    });
    const emails = await batch(sent);
    expect((await content(emails.get('n2@example.org') as string)).subject).toBe('For Bob');
  });

  it('make no more of the variables of a template than may be stored', async () => {
    const sending = send({
      from: from(),
      to: Array.from({ length: 70 }, (_, i) => `much${i}@example.org`),
      template: 'named',
      't:variables': JSON.stringify({ user: { name: 'x'.repeat(1024 * 1024) } }),
      'recipient-variables': '{}',
    });
    expect(await refusal(sending)).toEqual({ status: 413, details: expect.stringContaining('64 MiB') });
  });

  it('reach more recipients than one message may have', async () => {
    const to = Array.from({ length: 120 }, (_, i) => `many${i}@example.org`);
    const sent = await send({ ...simple(to), 'recipient-variables': '{}' });
    const { data } = (await server.api('GET', `/emails/batch/${idIn(sent)}`, undefined, org.key)).body;
    expect(data.total).toBe(120);
  });

  it.each([
    ['copies, who would get all of them', { cc: 'c@example.org' }, 'cc: '],
    ['1,001 recipients', { to: Array.from({ length: 1_001 }, (_, i) => `r${i}@example.org`) }, 'to: '],
    ['what is no JSON', { 'recipient-variables': '{' }, 'recipient-variables must be a JSON object'],
    ['what is nested beyond reason', { 'recipient-variables': '['.repeat(100_000) }, 'nested too deeply'],
    ['what cannot be stored', { 'recipient-variables': '{"a@b.c":{"x":"\\u0000"}}' }, 'NUL'],
  ])('refuse %s', async (_what, wrong, words) => {
    const sending = send({ ...simple('r@example.org'), 'recipient-variables': '{}', ...wrong });
    expect(await refusal(sending)).toEqual({ status: 400, details: expect.stringContaining(words) });
  });
});

describe('a whole message', () => {
  const mimeOf = (...more: string[]) =>
    [
      `From: ${from()}`,
      'To: Ada <mime@example.org>',
      'Subject: Whole',
      'Date: Fri, 15 Nov 2024 02:06:00 +0000',
      'Message-ID: <own@example.org>',
      'X-Odd:   kept  as it is',
      ...more,
      'Content-Type: text/plain; charset=utf-8',
      '',
      'Hi  Ada \t',
      '.',
      '',
    ].join('\r\n');

  it('is kept byte for byte, and arrives so', async () => {
    const mime = mimeOf();
    const sent = await send({
      to: ['mime@example.org', 'blind@example.org'],
      message: Buffer.from(mime),
      'o:tag': 'whole',
    });
    const email = await record(sent);
    expect(email).toMatchObject({
      subject: 'Whole',
      to: [{ email: 'mime@example.org', name: 'Ada' }],
      bcc: [{ email: 'blind@example.org', name: null }],
      tags: [{ name: 'tag', value: 'whole' }],
    });
    const raw = await server.api('GET', `/emails/${email.id}/raw`, undefined, org.key);
    expect(raw.body).toBe(mime);
    const { id } = await inboxOf(server, org.key, 'mime@example.org');
    const arrived = await server.api('GET', `/sandbox/messages/${id}/raw`, undefined, org.key);
    expect(arrived.body.endsWith(mime)).toBe(true);
  });

  it('is taken as a text, and with LF alone at the end of its lines', async () => {
    const sent = await send({ to: 'text@example.org', message: mimeOf() });
    expect((await record(sent)).subject).toBe('Whole');
    const unix = Buffer.from(mimeOf().replaceAll('\r\n', '\n'));
    const email = await record(await send({ to: 'unix@example.org', message: unix }));
    const raw = await server.api('GET', `/emails/${email.id}/raw`, undefined, org.key);
    expect(raw.body).toBe(mimeOf());
  });

  it.each([
    ['without a sender', { message: Buffer.from('To: a@example.org\r\n\r\nHi\r\n') }, 400, 'no From field'],
    [
      'with a bare LF among CRLF',
      { message: Buffer.from('From: a@b.c\r\nTo: x@y.z\n\r\nHi') },
      400,
      'LF without CR',
    ],
    ['for nobody', { to: undefined }, 400, 'to: is required'],
    ['for 51', { to: Array.from({ length: 51 }, (_, i) => `r${i}@example.org`) }, 400, 'these are 51'],
    ['with an option that is wrong', { 'o:deliverytime': 'soon' }, 400, 'o:deliverytime must be a date'],
    ['with variables for each', { 'recipient-variables': '{}' }, 400, 'not offered for whole messages'],
  ])('is refused %s', async (_what, wrong, status, words) => {
    const sending = send({ to: 'a@example.org', message: Buffer.from(mimeOf()), ...wrong });
    expect(await refusal(sending)).toEqual({ status, details: expect.stringContaining(words) });
  });
});

describe('what is refused', () => {
  it.each([
    ['a wrong address', { to: 'nobody' }, 400, 'to: '],
    [
      '51 recipients of one message',
      { to: Array.from({ length: 51 }, (_, i) => `r${i}@example.org`) },
      400,
      '50',
    ],
    ['no subject', { subject: undefined }, 400, 'subject'],
    ['no content', { text: undefined, html: '' }, 400, 'html'],
    ['two senders', { from: 'a@example.org, b@example.org' }, 400, 'from: must be one address'],
    ['a sender whose domain is not verified', { from: 'x@unverified.test' }, 403, 'unverified.test'],
    ['a header that is ours to write', { 'h:Received': 'x' }, 400, 'h:Received'],
    ['a time that is none', { 'o:deliverytime': 'soon' }, 400, 'o:deliverytime must be a date'],
    [
      'a time that is long past',
      { 'o:deliverytime': 'Fri, 14 Oct 2011 12:00:00 GMT' },
      400,
      'o:deliverytime: ',
    ],
    ['encryption that cannot be demanded', { 'o:require-tls': true }, 400, 'o:require-tls'],
    ['eleven tags', { 'o:tag': 'abcdefghijk'.split('') }, 400, 'o:tag'],
    [
      'an image whose name cannot be referred to',
      { inline: { data: Buffer.from('x'), filename: 'a b.png' } },
      400,
      'inline',
    ],
  ])('%s', async (_what, wrong, status, words) => {
    expect(await refusal(send({ ...simple('r@example.org'), ...wrong }))).toEqual({
      status,
      details: expect.stringContaining(words),
    });
  });

  it('a key that is none, with the word that the client expects', async () => {
    expect(await refusal(send(simple('k@example.org'), 'wrong'))).toEqual({
      status: 401,
      details: 'Forbidden',
    });
  });

  it('a key that may not send', async () => {
    const reader = await server.createKey(org.id, { scope: 'read' });
    expect(await refusal(send(simple('k@example.org'), reader))).toMatchObject({ status: 403 });
  });

  it('a domain in the path that is nobody of the organization, but not another of its own', async () => {
    expect(await refusal(send(simple('d@example.org'), org.key, 'elsewhere.test'))).toEqual({
      status: 404,
      details: 'Domain not found: elsewhere.test',
    });
    await server.addVerifiedDomain(org.id, 'mg.own.test');
    expect((await send(simple('d@example.org'), org.key, 'mg.own.test')).status).toBe(200);
  });

  it('a path that is not offered, in its form', async () => {
    expect(await refusal(mailgun().routes.list({}))).toEqual({ status: 404, details: expect.any(String) });
  });

  const post = (type: string, body: string | Buffer) =>
    fetch(`${server.url}/compat/mailgun/v3/${org.domain}/messages`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`api:${org.key}`)}`, 'content-type': type },
      body,
    });

  it.each([
    [
      'a form without an end',
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="to"\r\n\r\n',
      400,
    ],
    ['JSON', 'application/json', '{}', 415],
    ['another type', 'text/plain', 'x', 415],
    ['text that is not UTF-8', 'application/x-www-form-urlencoded', 'from=a%00', 400],
    ['nothing but a name that every object has', 'application/x-www-form-urlencoded', 'constructor=1', 400],
  ])('%s', async (_what, type, body, status) => {
    const response = await post(type, body);
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ message: expect.any(String) });
  });

  it('a name of a variable that cannot be stored', async () => {
    const form = new URLSearchParams({ ...simple('r@example.org'), 'v:a\0b': '1' } as Record<string, string>);
    expect((await post('application/x-www-form-urlencoded', String(form))).status).toBe(400);
  });

  it('a form of more than 20 MiB', async () => {
    const response = await post('multipart/form-data; boundary=x', Buffer.alloc(20 * 1024 * 1024 + 1));
    expect(response.status).toBe(413);
  });
});

describe('suppressions', () => {
  it('are added, listed page by page, found and removed', async () => {
    const other = await server.createOrganization('Suppressions');
    const { suppressions } = mailgun(other.key);
    await suppressions.create(other.domain, 'bounces', { address: 's1@example.org', code: 550 });
    const many = [{ address: 's2@example.org' }, { address: 's3@example.org' }];
    expect(await suppressions.create(other.domain, 'bounces', many)).toMatchObject({
      message: '2 addresses have been added to the bounces table',
    });
    const first = await suppressions.list(other.domain, 'bounces', { limit: 2 });
    expect(first.items).toHaveLength(2);
    expect(first.pages.next.url).toMatch(/^https?:\/\//);
    const second = await suppressions.list(other.domain, 'bounces', { page: first.pages.next.page });
    expect(second.items).toMatchObject([
      { address: 's1@example.org', code: 550, created_at: expect.any(Date) },
    ]);
    const third = await suppressions.list(other.domain, 'bounces', { page: second.pages.next.page });
    expect(third.items).toEqual([]);
    expect(await suppressions.get(other.domain, 'bounces', 's2@example.org')).toMatchObject({
      address: 's2@example.org',
    });
    expect(await suppressions.destroy(other.domain, 'bounces', 's2@example.org')).toMatchObject({
      address: 's2@example.org',
      message: 'Bounced address has been removed',
    });
    expect(await refusal(suppressions.get(other.domain, 'bounces', 's2@example.org'))).toEqual({
      status: 404,
      details: 'Address not found in bounces table',
    });
  });

  it('know complaints, and unsubscriptions from everything and from tags', async () => {
    const { suppressions } = mailgun();
    await suppressions.create(org.domain, 'complaints', { address: 'c@example.org' });
    expect(await suppressions.get(org.domain, 'complaints', 'c@example.org')).toMatchObject({
      address: 'c@example.org',
    });
    await suppressions.create(org.domain, 'unsubscribes', { address: 'u1@example.org', tag: '*' });
    await suppressions.create(org.domain, 'unsubscribes', { address: 'u2@example.org', tag: 'news' });
    expect(await suppressions.get(org.domain, 'unsubscribes', 'u1@example.org')).toMatchObject({
      tags: ['*'],
    });
    expect(await suppressions.get(org.domain, 'unsubscribes', 'u2@example.org')).toMatchObject({
      tags: ['news'],
    });
  });

  it('are refused with a wrong address, a wrong page, and for a domain of others', async () => {
    const { suppressions } = mailgun();
    expect(await refusal(suppressions.create(org.domain, 'bounces', { address: 'nobody' }))).toMatchObject({
      status: 400,
    });
    expect(await refusal(suppressions.list(org.domain, 'bounces', { limit: 5_000 }))).toMatchObject({
      status: 400,
    });
    expect(await refusal(suppressions.list('elsewhere.test', 'bounces'))).toMatchObject({ status: 404 });
    const sender = await server.createKey(org.id, { scope: 'send' });
    expect(await refusal(mailgun(sender).suppressions.list(org.domain, 'bounces'))).toMatchObject({
      status: 403,
    });
  });
});

describe('validation', () => {
  it('judges an address in its words', async () => {
    expect(await mailgun().validate.get('info@sandbox.test')).toMatchObject({
      address: 'info@sandbox.test',
      is_role_address: true,
      is_disposable_address: false,
      reason: expect.any(Array),
    });
    expect(await mailgun().validate.get('nobody')).toMatchObject({ result: 'undeliverable', risk: 'high' });
    expect(await refusal(mailgun().validate.get(''))).toMatchObject({ status: 400 });
  });
});
