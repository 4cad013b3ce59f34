/** What SendGrid's own client is refused. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApi, TestOrganization } from '../support/api.ts';
import { refusal, type SendGridFixture, startSendGrid } from '../support/sendgrid.ts';

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
    const sending = fixture.clientOf(org.key).request({ url: '/v3/marketing/contacts', method: 'GET' });
    expect(await refusal(sending)).toEqual({
      code: 404,
      errors: [{ message: expect.any(String), field: null, help: null }],
    });
  });
});
