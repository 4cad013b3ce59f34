/** SendGrid's own client against a real API and a worker, and what arrives in the inbox of the sandbox. */
import type client from '@sendgrid/client';
import sendgrid from '@sendgrid/mail';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApi, TestOrganization } from '../support/api.ts';
import { inboxOf } from '../support/inbox.ts';
import {
  idOf,
  refusal,
  type SendGridFixture,
  type SendGridMail,
  startSendGrid,
} from '../support/sendgrid.ts';

type Application = typeof sendgrid & { readonly client: typeof client };

let fixture: SendGridFixture;
let server: TestApi;
let org: TestOrganization;

beforeAll(async () => {
  fixture = await startSendGrid();
  ({ server, org } = fixture);
});
afterAll(() => fixture.stop());

const mailOf = (key?: string) => fixture.mailOf(key);
const from = () => fixture.from();
const simple = (to: unknown) => fixture.simple(to);

async function record(id: string) {
  return (await server.api('GET', `/emails/${id}`, undefined, org.key)).body.data;
}

async function content(id: string) {
  return (await server.api('GET', `/emails/${id}/content`, undefined, org.key)).body.data;
}

async function batch(id: string) {
  return (await server.api('GET', `/emails?batch_id=${id}&include=addresses`, undefined, org.key)).body.data;
}

describe('a mail', () => {
  it('is sent by an application in which two lines were changed', async () => {
    const { MailService } = sendgrid as unknown as { MailService: new () => Application };
    const application = new MailService();
    application.setApiKey(org.key);
    application.client.setDefaultRequest('baseUrl', `${server.url}/compat/sendgrid/`);
    const [{ statusCode }] = await application.send(simple('two-lines@example.org') as SendGridMail);
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
      errors: [
        {
          message: 'No active template has this id or alias. GET /templates lists the templates.',
          field: 'template_id',
        },
      ],
    });
  });
});
