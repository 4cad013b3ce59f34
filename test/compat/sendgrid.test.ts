/** SendGrid's own client against a real API and a worker, and what arrives in the inbox of the sandbox. */
import client from '@sendgrid/client';
import sendgrid from '@sendgrid/mail';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/kit/database/sql.ts';
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

/** Not with `setApiKey`, which warns of every key that does not begin with SG. */
function clientOf(key: string): typeof client {
  client.setDefaultHeader('Authorization', `Bearer ${key}`);
  client.setDefaultRequest('baseUrl', `${server.url}/compat/sendgrid/`);
  return client;
}

type Application = typeof sendgrid & { readonly client: typeof client };
type Mail = Parameters<typeof sendgrid.sendMultiple>[0];

/** But for the type of what is sent: tests send what is wrong, too. */
function mailOf(key = org.key) {
  sendgrid.setClient(clientOf(key));
  return {
    send: (data: object) => sendgrid.send(data as Mail),
    sendMultiple: (data: object) => sendgrid.sendMultiple(data as Mail),
  };
}

const from = () => `hello@${org.domain}`;
const simple = (to: unknown) => ({ to, from: from(), subject: 'Hello', text: 'Hi' });

async function record(id: string) {
  return (await server.api('GET', `/emails/${id}`, undefined, org.key)).body.data;
}

async function content(id: string) {
  return (await server.api('GET', `/emails/${id}/content`, undefined, org.key)).body.data;
}

type Sent = readonly [
  { readonly statusCode: number; readonly headers: unknown; readonly body: unknown },
  unknown,
];

function idOf([response]: Sent): string {
  return (response.headers as Record<string, string>)['x-message-id'] as string;
}

async function batch(id: string) {
  return (await server.api('GET', `/emails?batch_id=${id}&include=addresses`, undefined, org.key)).body.data;
}

/** What the client throws. */
async function refusal(sending: Promise<unknown>) {
  const error = await sending.then(
    () => expect.fail('it was not refused'),
    (thrown: unknown) => thrown,
  );
  const { code, response } = error as { code: number; response: { body: { errors: object[] } } };
  return { code, errors: response.body.errors };
}

describe('a mail', () => {
  it('is sent by an application in which two lines were changed', async () => {
    const { MailService } = sendgrid as unknown as { MailService: new () => Application };
    const application = new MailService();
    application.setApiKey(org.key);
    application.client.setDefaultRequest('baseUrl', `${server.url}/compat/sendgrid/`);
    const [{ statusCode }] = await application.send(simple('two-lines@example.org') as Mail);
    expect(statusCode).toBe(202);
  });

  it('is accepted with 202 and no body, has an id, and arrives', async () => {
    const sent = await mailOf().send({
      to: { email: 'ada@example.org', name: 'Ada' },
      from: { email: from(), name: 'Shop' },
      subject: 'Grüße',
      text: 'Hi Ada',
      html: '<p>Hi Ada</p>',
    });
    expect(sent[0].statusCode).toBe(202);
    expect(sent[0].body).toBe('');
    expect(await record(idOf(sent))).toMatchObject({
      subject: 'Grüße',
      from: { email: from(), name: 'Shop' },
      to: [{ email: 'ada@example.org', name: 'Ada' }],
      batch_id: null,
    });
    const message = await inboxOf(server, org.key, 'ada@example.org');
    expect(message).toMatchObject({ subject: 'Grüße', text: expect.stringContaining('Hi Ada') });
    expect(message.html).toContain('<p>Hi Ada</p>');
  });

  it('has copies, several addresses to reply to, headers and files', async () => {
    const sent = await mailOf().send({
      ...simple('files@example.org'),
      cc: 'cc@example.org',
      bcc: ['bcc@example.org'],
      replyToList: [{ email: 'one@example.org' }, { email: 'two@example.org', name: 'Two' }],
      headers: { 'X-Order': '48' },
      html: '<img src="cid:logo">',
      attachments: [
        {
          content: Buffer.from('a file').toString('base64'),
          filename: 'a.txt',
          type: 'text/plain',
          disposition: 'attachment',
        },
        {
          content: Buffer.from('png').toString('base64'),
          filename: 'l.png',
          type: 'image/png',
          disposition: 'inline',
          contentId: 'logo',
        },
      ],
    });
    const email = await record(idOf(sent));
    expect(email.cc).toEqual([{ email: 'cc@example.org', name: null }]);
    expect(email.bcc).toEqual([{ email: 'bcc@example.org', name: null }]);
    const message = await inboxOf(server, org.key, 'bcc@example.org');
    expect(message.addresses.reply_to.map(({ email }: { email: string }) => email)).toEqual([
      'one@example.org',
      'two@example.org',
    ]);
    expect(message.headers).toContainEqual({ name: 'X-Order', value: '48' });
    const file = (name: string) =>
      message.attachments.find(({ filename }: { filename: string }) => filename === name);
    expect(file('a.txt')).toMatchObject({
      content_type: 'text/plain',
      content: Buffer.from('a file').toString('base64'),
    });
    expect(file('l.png')).toMatchObject({
      content_type: 'image/png',
      content_id: expect.stringContaining('logo'),
    });
  });

  it('has categories, custom arguments, a time, a group to unsubscribe from, and a pixel', async () => {
    const sendAt = Math.floor(Date.now() / 1_000) + 3_600;
    const sent = await mailOf().send({
      ...simple('options@example.org'),
      html: '<p>Hi</p>',
      categories: ['receipts', 'spring'],
      customArgs: { order: '48' },
      sendAt,
      asm: { groupId: 17, groupsToDisplay: [17] },
      trackingSettings: { openTracking: { enable: true }, clickTracking: { enable: true } },
      ipPoolName: 'ignored',
      batchId: 'ignored',
    });
    expect(await record(idOf(sent))).toMatchObject({
      tags: [
        { name: 'category', value: 'receipts' },
        { name: 'category-2', value: 'spring' },
      ],
      metadata: { order: '48' },
      scheduled_at: new Date(sendAt * 1_000).toISOString(),
      unsubscribe_group: 'asm-17',
    });
  });

  it('is checked and not sent in sandbox mode', async () => {
    const before = (await server.api('GET', '/emails', undefined, org.key)).body.pagination.total_count;
    const settings = { mailSettings: { sandboxMode: { enable: true } } };
    const sent = await mailOf().send({ ...simple('nobody@example.org'), ...settings });
    expect(sent[0].statusCode).toBe(200);
    expect(await refusal(mailOf().send({ ...simple('no address'), ...settings }))).toMatchObject({
      code: 400,
    });
    const after = (await server.api('GET', '/emails', undefined, org.key)).body.pagination.total_count;
    expect(after).toBe(before);
  });

  it('to a suppressed address is accepted, and reported as rejected', async () => {
    const suppressed = { email: 'gone@example.org', reason: 'hard_bounce' };
    await server.api('POST', '/suppressions', suppressed, org.key);
    const id = idOf(await mailOf().send(simple(['gone@example.org', 'there@example.org'])));
    await expect
      .poll(async () => (await record(id)).recipients.map(({ status }: { status: string }) => status))
      .toEqual(['failed', 'delivered']);
    const { events } = await record(id);
    expect(events).toContainEqual(expect.objectContaining({ type: 'rejected', reason: 'suppressed' }));
  });
});

describe('personalizations', () => {
  it('are one email each: nobody sees the others', async () => {
    const sent = await mailOf().sendMultiple(simple(['m1@example.org', 'm2@example.org', 'm3@example.org']));
    expect(sent[0].statusCode).toBe(202);
    const id = idOf(sent);
    expect(id).toMatch(/^batch_/);
    const emails = await batch(id);
    expect(emails.map(({ to }: { to: object[] }) => to.length)).toEqual([1, 1, 1]);
    const message = await inboxOf(server, org.key, 'm2@example.org');
    expect(message.addresses.to).toEqual([{ email: 'm2@example.org', name: null }]);
  });

  it('have a subject, a sender, headers and arguments of their own', async () => {
    const sendAt = Math.floor(Date.now() / 1_000) + 7_200;
    const sent = await mailOf().send({
      from: from(),
      subject: 'For all',
      text: 'Hi',
      headers: { 'X-A': 'all', 'X-B': 'all' },
      customArgs: { a: 'all', b: 'all' },
      personalizations: [
        { to: 'p1@example.org' },
        {
          to: 'p2@example.org',
          from: { email: `other@${org.domain}`, name: 'Other' },
          subject: 'For you',
          headers: { 'X-B': 'own' },
          customArgs: { b: 'own' },
          sendAt,
        },
      ],
    });
    const emails = await batch(idOf(sent));
    const idTo = (address: string) =>
      emails.find(({ to }: { to: { email: string }[] }) => to[0]?.email === address).id;
    expect(await record(idTo('p1@example.org'))).toMatchObject({
      subject: 'For all',
      metadata: { a: 'all', b: 'all' },
      scheduled_at: null,
    });
    expect(await record(idTo('p2@example.org'))).toMatchObject({
      subject: 'For you',
      from: { email: `other@${org.domain}`, name: 'Other' },
      metadata: { a: 'all', b: 'own' },
      scheduled_at: new Date(sendAt * 1_000).toISOString(),
    });
    expect((await content(idTo('p2@example.org'))).headers).toEqual({ 'X-A': 'all', 'X-B': 'own' });
  });

  it('have substitutions, which are put in literally', async () => {
    const sent = await mailOf().send({
      from: from(),
      subject: 'Dear {{name}}',
      text: '{{name}} {{nam}} {{greeting}}',
      html: '<p>{{name}} & {{amount}}</p>',
      sections: { '-hi-': 'Welcome back, <b>friend</b>' },
      substitutions: { nam: '[nam]', amount: 0 },
      personalizations: [{ to: 's1@example.org', substitutions: { name: '$& {{nam}}', greeting: '-hi-' } }],
    });
    expect(await content(idOf(sent))).toMatchObject({
      subject: 'Dear $& {{nam}}',
      text: '$& {{nam}} [nam] Welcome back, <b>friend</b>',
      html: '<p>$& {{nam}} & 0</p>',
    });
  });

  it('share their files, which each of them has', async () => {
    const file = { content: Buffer.from('shared').toString('base64'), filename: 'a.txt', type: 'text/plain' };
    const sent = await mailOf().sendMultiple({
      ...simple(['f1@example.org', 'f2@example.org']),
      attachments: [file],
    });
    for (const { id } of await batch(idOf(sent)))
      expect((await content(id)).attachments).toMatchObject([{ filename: 'a.txt', size: 6 }]);
  });

  it('are accepted all or none', async () => {
    const sending = mailOf().send({
      ...simple(undefined),
      personalizations: [{ to: 'all@example.org' }, { to: 'none@example.org', from: 'x@unverified.test' }],
    });
    expect(await refusal(sending)).toMatchObject({
      code: 403,
      errors: [{ field: 'personalizations[1].from.email', help: null }],
    });
    const { body } = await server.api('GET', '/emails?to=all@example.org', undefined, org.key);
    expect(body.data).toEqual([]);
  });
});

describe('templates', () => {
  const template = {
    name: 'Receipt',
    subject: 'Receipt for {{name}}',
    html: '<p>{{name}}: {{#each items}}{{this}} {{/each}}</p>',
    text: 'x',
  };

  it('are found by the id that they had there, as their alias, and have their own subject', async () => {
    const alias = 'd-0123456789abcdef0123456789abcdef';
    await server.api('POST', '/templates', { ...template, alias }, org.key);
    const sent = await mailOf().send({
      from: from(),
      subject: 'Not this one',
      html: '<p>Nor this</p>',
      templateId: alias,
      personalizations: [{ to: 't1@example.org', dynamicTemplateData: { name: 'Ada', items: ['a', 'b'] } }],
    });
    const id = idOf(sent);
    expect((await record(id)).subject).toBe('Receipt for Ada');
    expect((await content(id)).html).toBe('<p>Ada: a b </p>');
  });

  it('are found by our id, with what the client calls substitutions then', async () => {
    const { body } = await server.api(
      'POST',
      '/templates',
      { ...template, html: '<p>{{name}}</p>' },
      org.key,
    );
    const sent = await mailOf().send({
      from: from(),
      to: 't2@example.org',
      templateId: body.data.id,
      substitutions: { name: 'Bob' },
    });
    expect(await content(idOf(sent))).toMatchObject({ subject: 'Receipt for Bob', html: '<p>Bob</p>' });
  });

  it('that are not there are refused', async () => {
    const sending = mailOf().send({ from: from(), to: 't3@example.org', templateId: 'd-none' });
    expect(await refusal(sending)).toMatchObject({
      code: 404,
      errors: [{ message: 'There is no such template.' }],
    });
  });
});

describe('what is refused', () => {
  it.each<readonly [string, object, number, object]>([
    [
      'a wrong address',
      { to: ['a@example.org', 'nobody'] },
      400,
      { field: 'personalizations[0].to[1].email' },
    ],
    [
      'more than 50 recipients in one email',
      { to: Array.from({ length: 51 }, (_, i) => `r${i}@example.org`) },
      400,
      { field: 'personalizations[0].to', message: expect.stringContaining('50') },
    ],
    [
      'a sender whose domain is not verified',
      { from: 'x@unverified.test' },
      403,
      {
        field: 'from.email',
        message: expect.stringContaining('does not match a verified Sender Identity'),
      },
    ],
    ['a mail without a subject', { subject: undefined }, 400, { field: 'subject' }],
    ['a mail without content', { text: undefined }, 400, { field: 'content' }],
    [
      'content of another type',
      { text: undefined, content: [{ type: 'text/calendar', value: 'x' }] },
      400,
      {
        field: 'content[0].type',
      },
    ],
    ['a time that is long past', { sendAt: 1_000_000 }, 400, { field: 'send_at' }],
    ['a header that is ours to write', { headers: { Received: 'x' } }, 400, { field: 'headers.Received' }],
    ['eleven categories', { categories: 'abcdefghijk'.split('') }, 400, { field: 'categories' }],
    [
      'a footer',
      { mailSettings: { footer: { enable: true, text: 'x', html: 'x' } } },
      400,
      {
        field: 'mail_settings.footer',
      },
    ],
    [
      'both ways to say where replies go',
      { replyTo: from, replyToList: [{ email: 'a@example.org' }] },
      400,
      {
        field: 'reply_to_list',
      },
    ],
    [
      'a file that is not base64',
      { attachments: [{ content: '!', filename: 'a', type: 'text/plain' }] },
      400,
      { field: 'attachments[0].content', message: expect.stringContaining('base64') },
    ],
  ])('%s', async (_what, wrong, code, error) => {
    const more = 'replyTo' in wrong ? { ...wrong, replyTo: from() } : wrong;
    expect(await refusal(mailOf().send({ ...simple('r@example.org'), ...more }))).toEqual({
      code,
      errors: [{ message: expect.any(String), field: null, help: null, ...error }],
    });
  });

  it('1,001 personalizations', async () => {
    const to = Array.from({ length: 1_001 }, (_, i) => `n${i}@example.org`);
    expect(await refusal(mailOf().sendMultiple(simple(to)))).toMatchObject({
      code: 400,
      errors: [{ field: 'personalizations', message: expect.stringContaining('1000') }],
    });
  });

  it('a large file for many, of which each would have a copy', async () => {
    const to = Array.from({ length: 20 }, (_, i) => `n${i}@example.org`);
    const file = { content: Buffer.alloc(4 * 1024 * 1024).toString('base64'), filename: 'a.bin' };
    const sending = mailOf().sendMultiple({ ...simple(to), attachments: [file] });
    expect(await refusal(sending)).toMatchObject({
      code: 413,
      errors: [{ message: expect.stringContaining('64 MiB') }],
    });
  });

  it('substitutions that make a text of gigabytes', async () => {
    const sending = mailOf().send({
      ...simple(undefined),
      text: '{{a}}'.repeat(100_000),
      personalizations: [{ to: 'big@example.org', substitutions: { a: 'x'.repeat(100_000) } }],
    });
    expect(await refusal(sending)).toMatchObject({
      code: 413,
      errors: [{ message: expect.stringContaining('2 MiB') }],
    });
  });

  it('templates that take too long for so many', async () => {
    // Dear by the count of steps, and done in no time.
    const html = `{{#if (upper "${'x'.repeat(80_000)}")}}{{/if}}`.repeat(3);
    const alias = 'd-costly';
    await server.api('POST', '/templates', { name: 'Costly', subject: 'x', html, alias }, org.key);
    const sending = mailOf().send({
      from: from(),
      templateId: alias,
      personalizations: Array.from({ length: 250 }, (_, i) => ({ to: `costly${i}@example.org` })),
    });
    expect(await refusal(sending)).toMatchObject({
      code: 400,
      errors: [{ message: expect.stringContaining('send fewer emails per request') }],
    });
  });

  it('a key that is none, and one that may not send', async () => {
    expect(await refusal(mailOf('SG.wrong').send(simple('k@example.org')))).toEqual({
      code: 401,
      errors: [
        {
          message: 'The provided authorization grant is invalid, expired, or revoked',
          field: null,
          help: null,
        },
      ],
    });
    const reader = await server.createKey(org.id, { scope: 'read' });
    expect(await refusal(mailOf(reader).send(simple('k@example.org')))).toMatchObject({ code: 403 });
  });

  it('a sender of another domain than the key is tied to', async () => {
    const tied = await server.createKey(org.id, { scope: 'send', domain: 'tied.test' });
    expect(await refusal(mailOf(tied).send(simple('k@example.org')))).toMatchObject({ code: 403 });
    const sent = await mailOf(tied).send({ ...simple('k@example.org'), from: 'me@tied.test' });
    expect(sent[0].statusCode).toBe(202);
  });

  it('a body that is none, in its form', async () => {
    const send = (body: string) =>
      fetch(`${server.url}/compat/sendgrid/v3/mail/send`, {
        method: 'POST',
        headers: { authorization: `Bearer ${org.key}`, 'content-type': 'application/json' },
        body,
      });
    for (const [body, field] of [
      ['{', 'body'],
      ['[]', 'personalizations'],
      ['', 'personalizations'],
      ['{"personalizations":{}}', 'personalizations'],
      ['{"personalizations":[null],"content":[null]}', 'content[0].type'],
      [
        '{"personalizations":[7],"content":[{"type":"text/plain","value":7}],"from":7,"subject":7}',
        'subject',
      ],
    ] as const) {
      const response = await send(body);
      expect(response.status, body).toBe(400);
      const { errors } = (await response.json()) as { errors: { field: string }[] };
      expect(errors.map((one) => one.field)).toContain(field);
    }
  });

  it('a path that is not offered, in its form', async () => {
    const sending = clientOf(org.key).request({ url: '/v3/marketing/contacts', method: 'GET' });
    expect(await refusal(sending)).toEqual({
      code: 404,
      errors: [{ message: expect.any(String), field: null, help: null }],
    });
  });
});

describe('scopes and suppressions', () => {
  const ask = async (method: 'GET' | 'POST' | 'DELETE', url: string, body?: object, key = org.key) => {
    const [{ statusCode, body: answer }] = await clientOf(key).request({
      method,
      url,
      ...(body ? { body } : {}),
    });
    return { statusCode, answer };
  };
  const suppress = (email: string, reason: string) =>
    server.api('POST', '/suppressions', { email, reason }, org.key);

  it('tell what a key may do', async () => {
    expect((await ask('GET', '/v3/scopes')).answer).toEqual({
      scopes: expect.arrayContaining(['mail.send']),
    });
    const reader = await server.createKey(org.id, { scope: 'read' });
    expect((await ask('GET', '/v3/scopes', undefined, reader)).answer).toEqual({
      scopes: expect.not.arrayContaining(['mail.send']),
    });
  });

  it('list bounces, page by page, find one and remove it', async () => {
    const other = await server.createOrganization('Bounces');
    const add = (email: string, reason: string) =>
      server.api('POST', '/suppressions', { email, reason }, other.key);
    await add('b1@example.org', 'hard_bounce');
    await add('b2@example.org', 'hard_bounce');
    await add('b3@example.org', 'soft_bounce');
    await add('c1@example.org', 'complaint');
    const bounces = async (query: string) =>
      (
        (await ask('GET', `/v3/suppression/bounces${query}`, undefined, other.key)).answer as {
          email: string;
        }[]
      ).map(({ email }) => email);
    expect(await bounces('')).toEqual(['b2@example.org', 'b1@example.org', 'b3@example.org']);
    expect(await bounces('?limit=2&offset=1')).toEqual(['b1@example.org', 'b3@example.org']);
    expect(await bounces('/b1@example.org')).toEqual(['b1@example.org']);
    const gone = await ask('DELETE', '/v3/suppression/bounces/b1@example.org', undefined, other.key);
    expect(gone.statusCode).toBe(204);
    expect(await bounces('')).toEqual(['b2@example.org', 'b3@example.org']);
    await ask(
      'DELETE',
      '/v3/suppression/bounces',
      { emails: ['b2@example.org', 'b3@example.org'] },
      other.key,
    );
    expect(await bounces('')).toEqual([]);
    const { answer } = await ask('GET', '/v3/suppression/spam_reports', undefined, other.key);
    expect(answer).toMatchObject([{ email: 'c1@example.org', created: expect.any(Number) }]);
  });

  it('are in the audit log, though they are answered with nothing', async () => {
    await suppress('audited@example.org', 'hard_bounce');
    await ask('DELETE', '/v3/suppression/bounces/audited@example.org');
    const entries = adHoc<{ target_name: string }>(
      "SELECT target_name FROM audit_log WHERE organization_id = $1 AND action = 'suppression.deleted'",
    );
    expect(await server.db.many(entries, [org.id])).toContainEqual({ target_name: 'audited@example.org' });
  });

  it('of everything are set, told and lifted', async () => {
    const path = '/v3/asm/suppressions/global';
    const added = await ask('POST', path, { recipient_emails: ['g1@example.org', 'g2@example.org'] });
    expect(added).toEqual({
      statusCode: 201,
      answer: { recipient_emails: ['g1@example.org', 'g2@example.org'] },
    });
    expect((await ask('GET', `${path}/g1@example.org`)).answer).toEqual({
      recipient_email: 'g1@example.org',
    });
    expect((await ask('DELETE', `${path}/g1@example.org`)).statusCode).toBe(204);
    expect((await ask('GET', `${path}/g1@example.org`)).answer).toEqual({});
    expect(await refusal(ask('DELETE', `${path}/g1@example.org`))).toMatchObject({ code: 404 });
  });

  it('are not for keys that only send', async () => {
    const sender = await server.createKey(org.id, { scope: 'send' });
    expect(await refusal(ask('GET', '/v3/suppression/bounces', undefined, sender))).toMatchObject({
      code: 403,
    });
  });

  it('refuse what they cannot do', async () => {
    for (const [url, field] of [
      ['/v3/suppression/bounces?start_time=1', 'start_time'],
      ['/v3/suppression/bounces?limit=501', 'limit'],
      ['/v3/suppression/bounces/nobody', 'email'],
    ] as const)
      expect(await refusal(ask('GET', url))).toMatchObject({ code: 400, errors: [{ field }] });
    expect(await refusal(ask('DELETE', '/v3/suppression/bounces', { delete_all: true }))).toMatchObject({
      errors: [{ field: 'emails' }],
    });
  });
});
