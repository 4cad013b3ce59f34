/** Events in the words of other services, taken by a real receiver and read with those services' own clients. */
import { readFileSync } from 'node:fs';
import { createTransport } from 'nodemailer';
import type { Models } from 'postmark';
import { Resend, type WebhookEventPayload } from 'resend';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appendEvents, type EventType, type NewEvent } from '../../src/events/append.ts';
import { startSubmission, type TestSubmission } from '../support/submission.ts';
import type { ReceivedWebhook } from '../support/webhook-receiver.ts';
import { type Hooked, WebhookFixture } from './fixture.ts';

const FORMATS = ['resend', 'sendgrid', 'postmark'] as const;
type Format = (typeof FORMATS)[number];

const LETTER = {
  subject: 'Your receipt',
  tags: [
    { name: 'category', value: 'receipts' },
    { name: 'tag', value: 'receipt' },
    { name: 'kind', value: 'order' },
  ],
  metadata: { order: 7 },
};

let fixture: WebhookFixture;
let smtp: TestSubmission;
const hooks = {} as Record<Format, Hooked>;
const resend = new Resend('re_unused');

beforeAll(async () => {
  fixture = await WebhookFixture.start();
  smtp = await startSubmission(fixture.server.database);
  for (const format of FORMATS) hooks[format] = await fixture.hook(`/${format}`, { format });
});
afterAll(async () => {
  await smtp.stop();
  await fixture.stop();
});

/** What a receiver of that format was told, once there are so many that match. */
async function callsTo(format: Format, count: number, matches: (body: ReceivedWebhook['body']) => boolean) {
  return fixture.receiver.waitFor(
    count,
    ({ path, body }) => path === `/${format}` && matches(format === 'sendgrid' ? body[0] : body),
  );
}

function toRecipient(format: Format, recipient: string, count: number): Promise<ReceivedWebhook[]> {
  return callsTo(format, count, (body) =>
    [body.data?.to[0], body.email, body.Recipient, body.Email].includes(recipient),
  );
}

/** One that happened to the only recipient of an email. */
async function happens(emailId: string, recipient: string, type: EventType, more: Partial<NewEvent> = {}) {
  const about = { organizationId: fixture.org.id, emailId, position: 0, recipient, type, atMs: Date.now() };
  await fixture.server.db.transaction((tx) => appendEvents(tx, [{ ...about, ...more }]));
}

function readWithResend({ text, headers }: ReceivedWebhook): WebhookEventPayload {
  return resend.webhooks.verify({
    payload: text,
    headers: {
      id: headers['svix-id'] ?? '',
      timestamp: headers['svix-timestamp'] ?? '',
      signature: headers['svix-signature'] ?? '',
    },
    webhookSecret: hooks.resend.secret,
  });
}

/** An email that was delivered, opened twice, reported as spam and unsubscribed from, and then was not to be sent. */
async function eventful(recipient: string): Promise<string> {
  const id = await fixture.send({
    ...LETTER,
    from: { email: `shop@${fixture.org.domain}`, name: 'Shop, the' },
    to: [{ email: recipient }],
    unsubscribe_group: 'asm-3',
  });
  await toRecipient('postmark', recipient, 1);
  await happens(id, recipient, 'opened', { userAgent: 'Mail/1.0' });
  await happens(id, recipient, 'opened', { userAgent: 'Scanner', reason: 'prefetch' });
  await happens(id, recipient, 'complained', { reason: 'abuse' });
  await happens(id, recipient, 'unsubscribed');
  await happens(id, recipient, 'rejected', { reason: 'suppressed' });
  await happens(id, recipient, 'rejected', { reason: 'cancelled' });
  await happens(id, recipient, 'failed', { reason: 'lifetime_exceeded', attempt: 9 });
  return id;
}

describe('the format resend', () => {
  it('tells what happened to an email in events that its client verifies and has types for', async () => {
    const to = 'resend@example.org';
    const id = await eventful(to);
    const calls = await toRecipient('resend', to, 7);
    const events = calls.map(readWithResend);
    expect(events.map(({ type }) => type)).toEqual([
      'email.sent',
      'email.delivered',
      'email.opened',
      'email.opened',
      'email.complained',
      'email.suppressed',
      'email.failed',
    ]);
    const { created_at } = await fixture.call('GET', `/emails/${id}`);
    const about = {
      email_id: id,
      message_id: `<${id}@${fixture.org.domain}>`,
      created_at,
      from: `"Shop, the" <shop@${fixture.org.domain}>`,
      to: [to],
      subject: 'Your receipt',
      tags: { category: 'receipts', tag: 'receipt', kind: 'order' },
    };
    const expected: Partial<WebhookEventPayload>[] = [
      { type: 'email.delivered', created_at: expect.any(String), data: about },
      {
        type: 'email.suppressed',
        data: {
          ...about,
          suppressed: {
            message: 'The recipient is on the suppression list.',
            type: 'OnAccountSuppressionList',
          },
        },
      },
      {
        type: 'email.failed',
        data: { ...about, failed: { reason: 'The email could not be delivered within its lifetime.' } },
      },
    ];
    expect([events[1], events[5], events[6]]).toMatchObject(expected);
    expect(events[1]?.data).toEqual(about);
  });

  it('is signed for Standard Webhooks, too, with the same values', async () => {
    const [call] = await toRecipient('resend', 'resend@example.org', 1);
    const { text = '', headers = {} as ReceivedWebhook['headers'] } = call ?? {};
    expect(new Webhook(hooks.resend.secret).verify(text, headers)).toEqual(JSON.parse(text));
    for (const name of ['id', 'timestamp', 'signature']) {
      expect(headers[`svix-${name}`]).toBe(headers[`webhook-${name}`]);
    }
  });

  it('says why mail bounced or is delayed, and that it is scheduled', async () => {
    await fixture.send({ to: [{ email: 'bounced+resend@simulator.test' }] });
    await fixture.send({ to: [{ email: 'greylisted+resend@simulator.test' }] });
    const later = new Date(Date.now() + 3_600_000).toISOString();
    const scheduled = await fixture.send({ to: [{ email: 'later@example.org' }], scheduled_at: later });
    const [, bounced] = await toRecipient('resend', 'bounced+resend@simulator.test', 2);
    expect(bounced?.body).toMatchObject({
      type: 'email.bounced',
      data: {
        bounce: { type: 'Permanent', subType: 'General', message: expect.stringMatching(/^550 5\.1\.1 /) },
      },
    });
    const [, delayed] = await toRecipient('resend', 'greylisted+resend@simulator.test', 2);
    expect(delayed?.body.type).toBe('email.delivery_delayed');
    const [waiting] = await toRecipient('resend', 'later@example.org', 1);
    expect(waiting?.body).toMatchObject({ type: 'email.scheduled', data: { email_id: scheduled } });
  });

  it('names the Message-ID that a message was submitted with', async () => {
    const transport = createTransport({ port: smtp.port, auth: { user: 'x', pass: fixture.org.key } });
    const own = '<own-1@app.example>';
    await transport.sendMail({
      from: `app@${fixture.org.domain}`,
      to: 'submitted@example.org',
      messageId: own,
      text: 'x',
    });
    const [sent] = await toRecipient('resend', 'submitted@example.org', 1);
    expect(sent?.body.data.message_id).toBe(own);
    const [processed] = await toRecipient('sendgrid', 'submitted@example.org', 1);
    expect(processed?.body[0]['smtp-id']).toBe(own);
  });
});

describe('the format sendgrid', () => {
  it('tells what happened to an email in lists of flat objects', async () => {
    const to = 'sendgrid@example.org';
    const id = await eventful(to);
    const calls = await toRecipient('sendgrid', to, 8);
    const about = {
      email: to,
      timestamp: expect.any(Number),
      sg_event_id: expect.stringMatching(/^evt_/),
      sg_message_id: id,
      category: ['receipts'],
      asm_group_id: 3,
      order: '7',
      kind: 'order',
      tag: 'receipt',
    };
    const smtpId = `<${id}@${fixture.org.domain}>`;
    expect(calls.map(({ body }) => body)).toEqual([
      [{ ...about, event: 'processed', 'smtp-id': smtpId }],
      [{ ...about, event: 'delivered', 'smtp-id': smtpId, tls: 0, response: expect.stringMatching(/^250 /) }],
      [{ ...about, event: 'open', useragent: 'Mail/1.0', sg_content_type: 'html', sg_machine_open: false }],
      [{ ...about, event: 'open', useragent: 'Scanner', sg_content_type: 'html', sg_machine_open: true }],
      [{ ...about, event: 'spamreport' }],
      [{ ...about, event: 'group_unsubscribe' }],
      [
        {
          ...about,
          event: 'dropped',
          'smtp-id': smtpId,
          reason: 'The recipient is on the suppression list.',
        },
      ],
      [
        {
          ...about,
          event: 'bounce',
          'smtp-id': smtpId,
          tls: 0,
          type: 'blocked',
          bounce_classification: 'Unclassified',
          reason: 'The email could not be delivered within its lifetime.',
        },
      ],
    ]);
    const { events } = await fixture.call('GET', `/emails/${id}`);
    const delivered = events.find(({ type }: { type: string }) => type === 'delivered');
    expect(calls[1]?.body[0].timestamp).toBe(Math.floor(Date.parse(delivered.created_at) / 1000));
    expect(calls[1]?.headers['webhook-id']).toBe(calls[1]?.body[0].sg_event_id);
  });

  it('says why mail bounced or is delayed', async () => {
    await fixture.send({ to: [{ email: 'bounced+sendgrid@simulator.test' }] });
    await fixture.send({ to: [{ email: 'greylisted+sendgrid@simulator.test' }] });
    const [, bounced] = await toRecipient('sendgrid', 'bounced+sendgrid@simulator.test', 2);
    expect(bounced?.body).toMatchObject([
      {
        event: 'bounce',
        type: 'bounce',
        status: '5.1.1',
        reason: expect.stringMatching(/^550 5\.1\.1 /),
        bounce_classification: 'Invalid Address',
      },
    ]);
    const [, deferred] = await toRecipient('sendgrid', 'greylisted+sendgrid@simulator.test', 2);
    expect(deferred?.body).toMatchObject([
      { event: 'deferred', attempt: '1', status: '4.7.1', response: expect.stringMatching(/^45\d 4\.7\.1 /) },
    ]);
  });

  it('names the batch before the email', async () => {
    const { id: template_id } = await fixture.call('POST', '/templates', {
      name: 'Batch',
      subject: 'Hello',
      html: '<p>Hello {{name}}</p>',
    });
    const { batch_id } = await fixture.call('POST', '/emails/batch', {
      from: { email: `shop@${fixture.org.domain}` },
      template_id,
      recipients: [{ to: { email: 'batch@example.org' }, data: { name: 'Ada' } }],
    });
    const [processed] = await toRecipient('sendgrid', 'batch@example.org', 1);
    const [{ sg_message_id, sg_template_id }] = processed?.body ?? [{}];
    expect(sg_message_id).toMatch(new RegExp(`^${batch_id}\\.[0-9a-f-]{36}$`));
    expect(sg_template_id).toBe(template_id);
  });
});

describe('the format postmark', () => {
  it('tells what happened to an email in records of the types that its client has', async () => {
    const to = 'postmark@example.org';
    const id = await eventful(to);
    const calls = await toRecipient('postmark', to, 6);
    const about = {
      MessageID: id,
      ServerID: expect.any(Number) as unknown as number,
      MessageStream: 'outbound',
      Tag: 'receipt',
      Metadata: { order: '7' },
    };
    const when = expect.stringMatching(/^20\d\d-.*Z$/) as unknown as string;
    const unknown = { Name: 'unknown', Company: 'unknown', Family: 'unknown' };
    const delivery: Models.DeliveryWebhook = {
      ...about,
      RecordType: 'Delivery',
      Recipient: to,
      DeliveredAt: when,
      Details: expect.stringMatching(/^250 /) as unknown as string,
    };
    const open = (FirstOpen: boolean, UserAgent: string): Models.OpenWebhook => ({
      ...about,
      ...{ RecordType: 'Open', Recipient: to, ReceivedAt: when, FirstOpen, UserAgent },
      ...{ Client: unknown, OS: unknown, Platform: 'Unknown', ReadSeconds: 0, Geo: {} },
    });
    const returned = {
      ...about,
      ID: expect.any(Number) as unknown as number,
      Email: to,
      From: `shop@${fixture.org.domain}`,
      BouncedAt: when,
      DumpAvailable: false,
      Subject: 'Your receipt',
    };
    const complaint: Models.SpamComplaintWebhook = {
      ...returned,
      RecordType: 'SpamComplaint',
      ...{ Type: 'SpamComplaint', TypeCode: 100001, Name: 'Spam complaint' },
      ...{ Description: 'The recipient reported the message as spam.', Details: 'abuse' },
      // The event is this test's own: nothing has suppressed the address.
      ...{ Inactive: false, CanActivate: false },
    };
    const change: Models.SubscriptionChangeWebhook = {
      ...about,
      RecordType: 'SubscriptionChange',
      Recipient: to,
      ChangedAt: when,
      Origin: 'Recipient',
      SuppressSending: true,
      SuppressionReason: 'ManualSuppression',
    };
    const words = 'The email could not be delivered within its lifetime.';
    const bounce: Models.BounceWebhook = {
      ...returned,
      RecordType: 'Bounce',
      ...{ Type: 'SoftBounce', TypeCode: 4096, Name: 'Soft bounce' },
      ...{ Description: words, Details: words, Inactive: false, CanActivate: false },
    };
    expect(calls.map(({ body }) => body)).toEqual([
      delivery,
      open(true, 'Mail/1.0'),
      open(false, 'Scanner'),
      complaint,
      change,
      bounce,
    ]);
  });

  it.each([
    ['a suppressed address is inactive', 'inactive@example.org', 'bounced', 'mailbox_full', true, true],
    ['who complained stays inactive', 'complained@example.org', 'complained', 'abuse', true, false],
    ['the simulator is active', 'delivered+x@simulator.test', 'complained', 'abuse', false, false],
  ] as const)('says that %s, as the list of bounces does', async (_, to, type, reason, ...activity) => {
    const [Inactive, CanActivate] = activity;
    const id = await fixture.send({ to: [{ email: to }] });
    await toRecipient('postmark', to, 1);
    if (Inactive) await fixture.call('POST', '/suppressions', { email: to, reason: 'manual' });
    await happens(id, to, type, { reason });
    const [, { body }] = (await toRecipient('postmark', to, 2)) as [ReceivedWebhook, ReceivedWebhook];
    expect(body).toMatchObject({ Inactive, CanActivate });
    const answer = await fetch(`${fixture.server.url}/compat/postmark/bounces/${body.ID}`, {
      headers: { 'X-Postmark-Server-Token': fixture.org.key },
    });
    expect(await answer.json()).toMatchObject({ ID: body.ID, Inactive, CanActivate });
  });

  it('says why mail bounced, with a number for the bounce', async () => {
    await fixture.send({ to: [{ email: 'bounced+postmark@simulator.test' }] });
    const [bounced] = await toRecipient('postmark', 'bounced+postmark@simulator.test', 1);
    expect(bounced?.body).toMatchObject({
      RecordType: 'Bounce',
      Type: 'HardBounce',
      TypeCode: 1,
      Description: 'The mailbox does not exist.',
      Details: expect.stringMatching(/^550 5\.1\.1 /),
      ...{ Inactive: false, CanActivate: false },
    });
    expect(Number.isSafeInteger(bounced?.body.ID)).toBe(true);
  });
});

describe.each(FORMATS)('the example of %s in the docs', (format) => {
  it('has the headers and fields of a call that really came', async () => {
    const page = readFileSync(new URL('../../docs/track/webhooks.md', import.meta.url), 'utf8');
    const example =
      new RegExp(`<!-- example: ${format} -->\\s+\`\`\`http\\n([\\s\\S]*?)\`\`\``).exec(page)?.[1] ?? '';
    const [head = '', body = ''] = example.split('\n\n');
    const recipient = `bounced+docs-${format}@simulator.test`;
    await fixture.send({ ...LETTER, to: [{ email: recipient }] });
    const call = (await toRecipient(format, recipient, format === 'postmark' ? 1 : 2)).at(-1);
    expect(typesIn(JSON.parse(body))).toEqual(typesIn(call?.body));
    const names = head
      .split('\n')
      .slice(1)
      .map((line) => line.slice(0, line.indexOf(':')));
    expect(names.length).toBeGreaterThanOrEqual(4);
    expect(names.filter((name) => call?.headers[name] === undefined)).toEqual([]);
  });
});

/** What is in it, without what it says. */
function typesIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(typesIn);
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, typesIn(one)]));
}

describe('a link that was followed', () => {
  it('is told with the link, in the words of each format', async () => {
    const to = 'clicked@example.org';
    const id = await fixture.send({ to: [{ email: to }] });
    await toRecipient('postmark', to, 1);
    const followed = { url: 'https://shop.example/?a=1&b=2', userAgent: 'Mail/1.0' };
    await happens(id, to, 'clicked', followed);
    const [, , click] = await toRecipient('resend', to, 3);
    expect(click?.body).toMatchObject({
      type: 'email.clicked',
      data: { email_id: id, click: { link: followed.url, userAgent: 'Mail/1.0' } },
    });
    const [, , flat] = await toRecipient('sendgrid', to, 3);
    expect(flat?.body).toMatchObject([{ event: 'click', url: followed.url, useragent: 'Mail/1.0' }]);
    const [, record] = await toRecipient('postmark', to, 2);
    expect(record?.body).toMatchObject({
      RecordType: 'Click',
      MessageID: id,
      Recipient: to,
      OriginalLink: followed.url,
    });
  });
});
