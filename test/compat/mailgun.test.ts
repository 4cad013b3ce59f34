/** Mailgun's own client against a real API and a worker, and what arrives in the inbox of the sandbox. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApi, TestOrganization } from '../support/api.ts';
import { inboxOf } from '../support/inbox.ts';
import { idIn, type MailgunFixture, refusal, type Sent, startMailgun } from '../support/mailgun.ts';

let fixture: MailgunFixture;
let server: TestApi;
let org: TestOrganization;

beforeAll(async () => {
  fixture = await startMailgun();
  ({ server, org } = fixture);
});
afterAll(() => fixture.stop());

const mailgun = (key?: string) => fixture.client(key);
const send = (data: object, key?: string, domain?: string) => fixture.send(data, key, domain);
const from = () => fixture.from();
const simple = (to: unknown) => fixture.simple(to);
const record = (sent: Sent) => fixture.record(sent);
const content = (id: string) => fixture.content(id);

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

  it('arrives without the fields that only mail servers may write, and with our Feedback-ID', async () => {
    const claims = [
      'Authentication-Results: mx.example.org; dmarc=pass header.from=bank.test',
      'Received: from bank.test by relay.test; Fri, 15 Nov 2024 02:05:59 +0000',
      'Feedback-ID: spring:a:b:another-tenant',
    ];
    await send({ to: 'claims@example.org', message: Buffer.from(mimeOf(...claims)) });
    const { id } = await inboxOf(server, org.key, 'claims@example.org');
    const { body } = await server.api('GET', `/sandbox/messages/${id}/raw`, undefined, org.key);
    expect(body.endsWith(mimeOf())).toBe(true);
    expect(body.match(/^(?:authentication-results: .*pass|received: from bank).*/gim)).toBeNull();
    expect(body.match(/^feedback-id: .*$/gim)).toEqual([`Feedback-ID: spring:a:b:${org.id.slice(4)}`]);
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
      'with two senders',
      { message: Buffer.from('From: <a@b.test> <c@d.test>\r\n\r\nHi\r\n') },
      400,
      'The From field must have exactly one address',
    ],
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
