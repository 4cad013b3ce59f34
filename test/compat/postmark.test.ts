/** What applications that use Postmark send: its own client against a real API, and what arrives in the inbox. */
import { Errors, type Message, type Models, ServerClient } from 'postmark';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { inboxOf } from '../support/inbox.ts';
import { startMailWorker, type TestWorker } from '../support/mail-worker.ts';
import { until } from '../support/until.ts';

let server: TestApi;
let org: TestOrganization;
let other: TestOrganization;
let worker: TestWorker;
let postmark: ServerClient;

beforeAll(async () => {
  server = await startApi();
  org = await server.createOrganization();
  other = await server.createOrganization('Other');
  worker = await startMailWorker(server.database, { POSTRIDER_PUBLIC_URL: server.url });
  postmark = client(org.key);
});
afterAll(async () => {
  await worker.stop();
  await server.stop();
});

const client = (key: string, url = server.url) =>
  new ServerClient(key, { useHttps: false, requestHost: `${new URL(url).host}/compat/postmark` });
const letter = (changes: object = {}) =>
  ({
    From: `The Shop <hello@${org.domain}>`,
    To: 'ada@example.org',
    Subject: 'Your receipt',
    TextBody: 'Thank you, Ada.',
    ...changes,
  }) as Message;
const record = async (id: string) => (await server.api('GET', `/emails/${id}`, undefined, org.key)).body.data;
const suppress = (email: string) => server.api('POST', '/suppressions', { email, reason: 'manual' }, org.key);
const refusal = (sent: Promise<unknown>) =>
  sent.then(
    () => Promise.reject(new Error('it was accepted')),
    (error: Errors.HttpError) => error,
  );

async function post(path: string, body: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${server.url}/compat/postmark${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-postmark-server-token': org.key, ...headers },
    body,
  });
  return { status: response.status, body: (await response.json()) as Models.DefaultResponse };
}

describe('sendEmail', () => {
  it('sends a message with all that a message can have', async () => {
    const sent = await postmark.sendEmail(
      letter({
        To: '"Lovelace, Ada" <ada@example.org>, bob@example.org',
        Cc: 'carl@example.org',
        Bcc: 'dora@example.org',
        ReplyTo: 'one@example.org, Two <two@example.org>',
        HtmlBody: '<p>Thank you. <img src="cid:logo"></p>',
        Tag: 'receipt',
        Metadata: { order: '1042' },
        Headers: [{ Name: 'X-Order', Value: '1042' }],
        TrackOpens: false,
        TrackLinks: 'HtmlOnly',
        MessageStream: 'outbound',
        Attachments: [
          { Name: 'logo.png', Content: 'iVBORw0KGgo=', ContentType: 'image/png', ContentID: 'cid:logo' },
          { Name: 'a.txt', Content: 'YSBm\r\naWxl', ContentType: 'text/plain', ContentID: null },
        ],
      }),
    );
    expect(sent).toEqual({
      To: '"Lovelace, Ada" <ada@example.org>, bob@example.org',
      Cc: 'carl@example.org',
      Bcc: 'dora@example.org',
      SubmittedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      MessageID: expect.stringMatching(/^[0-9a-f-]{36}$/),
      ErrorCode: 0,
      Message: 'OK',
    });
    expect(await record(sent.MessageID)).toMatchObject({
      from: { email: `hello@${org.domain}`, name: 'The Shop' },
      to: [
        { email: 'ada@example.org', name: 'Lovelace, Ada' },
        { email: 'bob@example.org', name: null },
      ],
      bcc: [{ email: 'dora@example.org', name: null }],
      tags: [{ name: 'tag', value: 'receipt' }],
      metadata: { order: '1042' },
    });
    const message = await inboxOf(server, org.key, 'dora@example.org');
    expect(message).toMatchObject({
      subject: 'Your receipt',
      text: expect.stringContaining('Thank you, Ada.'),
    });
    expect(message.html).toContain('cid:logo');
    const headers = new Map<string, string>(
      message.headers.map((one: { name: string; value: string }) => [one.name, one.value]),
    );
    expect(headers.get('X-Order')).toBe('1042');
    expect(headers.get('Reply-To')).toContain('two@example.org');
    expect(message.attachments).toMatchObject([
      { filename: 'logo.png', content_id: 'logo' },
      { filename: 'a.txt', content: Buffer.from('a file').toString('base64') },
    ]);
  });

  it('takes null and empty texts for nothing, and does not mind fields that nobody knows', async () => {
    const empty = {
      Cc: null,
      Bcc: '',
      HtmlBody: null,
      Tag: '',
      Headers: null,
      Attachments: null,
      Metadata: null,
    };
    const { status, body } = await post('/email', JSON.stringify({ ...letter(), ...empty, Invented: 1 }));
    expect([status, body.ErrorCode]).toEqual([200, 0]);
    expect(body).not.toHaveProperty('Cc');
  });

  it('adds an unsubscribe link to what goes out over the stream broadcast', async () => {
    await postmark.sendEmail(letter({ To: 'news@example.org', MessageStream: 'broadcast' }));
    const { body } = await server.api('GET', '/emails?stream=bulk&to=news@example.org', undefined, org.key);
    expect(body.data).toMatchObject([{ priority: 'low' }]);
    const { headers } = await inboxOf(server, org.key, 'news@example.org');
    const names = headers.map(({ name }: { name: string }) => name);
    expect(names).toContain('List-Unsubscribe');
    const own = [{ Name: 'List-Unsubscribe', Value: '<mailto:leave@example.org>' }];
    await postmark.sendEmail(letter({ To: 'own@example.org', MessageStream: 'broadcast', Headers: own }));
    const message = await inboxOf(server, org.key, 'own@example.org');
    expect(JSON.stringify(message.headers)).toContain('leave@example.org');
  });
});

describe('suppressed recipients', () => {
  it('are named in an error when nobody else is left', async () => {
    await suppress('gone@example.org');
    await suppress('gone-too@example.org');
    const error = await refusal(
      postmark.sendEmail(letter({ To: 'gone@example.org', Cc: 'gone-too@example.org' })),
    );
    expect(error).toBeInstanceOf(Errors.InactiveRecipientsError);
    expect(error).toMatchObject({ code: 406, statusCode: 422 });
    expect((error as Errors.InactiveRecipientsError).recipients).toEqual([
      'gone@example.org',
      'gone-too@example.org',
    ]);
  });

  it('are left out when there are others, and named in the answer and the events', async () => {
    const sent = await postmark.sendEmail(letter({ To: 'gone@example.org, here@example.org' }));
    expect(sent).toMatchObject({ ErrorCode: 0 });
    expect(Errors.InactiveRecipientsError.parseInactiveRecipients(sent.Message)).toEqual([
      'gone@example.org',
    ]);
    await inboxOf(server, org.key, 'here@example.org');
    const details = await until(
      () => postmark.getOutboundMessageDetails(sent.MessageID),
      ({ MessageEvents: events }) => events.length === 2,
    );
    const types = Object.fromEntries(details.MessageEvents.map((one) => [one.Recipient, one.Type]));
    expect(types).toEqual({ 'gone@example.org': 'Rejected', 'here@example.org': 'Delivered' });
  });
});

describe('sendEmailBatch', () => {
  it('answers each message for itself', async () => {
    const answers = await postmark.sendEmailBatch([
      letter({ To: 'batch-1@example.org' }),
      letter({ To: 'nobody' }),
      letter({ To: 'gone@example.org' }),
      letter({ To: 'gone@example.org, batch-2@example.org' }),
      letter({ From: 'hello@elsewhere.test' }),
      letter({ To: 'batch-3@example.org' }),
    ]);
    expect(answers.map(({ ErrorCode }) => ErrorCode)).toEqual([0, 300, 406, 0, 400, 0]);
    expect(answers[1]?.Message).toMatch(/^To: /);
    expect(answers[2]?.Message).toContain('Found inactive addresses: gone@example.org. Inactive');
    expect(answers[3]?.Message).toContain('these inactive addresses: gone@example.org');
    expect(answers[5]).toMatchObject({ To: 'batch-3@example.org' });
    for (const to of ['batch-1', 'batch-2', 'batch-3'])
      expect(await inboxOf(server, org.key, `${to}@example.org`)).toMatchObject({ subject: 'Your receipt' });
  });

  it('takes 500 at most, and an array', async () => {
    const error = await refusal(postmark.sendEmailBatch(Array.from({ length: 501 }, () => letter())));
    expect(error).toBeInstanceOf(Errors.ApiInputError);
    expect([error.code, error.message]).toEqual([410, 'A batch may have 500 messages, this has 501.']);
    expect(await postmark.sendEmailBatch([])).toEqual([]);
    expect((await post('/email/batch', '{}')).body).toMatchObject({ ErrorCode: 300 });
  });
});

describe('templates', () => {
  let template: Models.TemplateInList;
  beforeAll(async () => {
    template = await postmark.createTemplate({
      Name: 'Receipt',
      Alias: 'receipt',
      Subject: 'Order {{order.id}}',
      HtmlBody: '<p>{{name}}</p>{{#each items}}<i>{{this}}</i>{{/each}}',
      TextBody: 'Thank you, {{name}}.',
    });
  });
  const model = { name: 'Ada & co', order: { id: 7 }, items: ['Tea', 'Cake'] };
  const templated = (To: string, changes: object) =>
    ({ From: `hello@${org.domain}`, To, TemplateModel: model, ...changes }) as Models.TemplatedMessage;

  it('are sent by alias and by number', async () => {
    expect(template).toMatchObject({
      Name: 'Receipt',
      Alias: 'receipt',
      Active: true,
      TemplateType: 'Standard',
    });
    await postmark.sendEmailWithTemplate(templated('by-alias@example.org', { TemplateAlias: 'receipt' }));
    const { TemplateId } = template;
    await postmark.sendEmailWithTemplate(
      templated('by-number@example.org', { TemplateId, Subject: 'ignored' }),
    );
    for (const to of ['by-alias@example.org', 'by-number@example.org']) {
      const message = await inboxOf(server, org.key, to);
      expect(message).toMatchObject({
        subject: 'Order 7',
        text: expect.stringContaining('Thank you, Ada & co.'),
      });
      expect(message.html).toContain('<p>Ada &amp; co</p><i>Tea</i><i>Cake</i>');
    }
  });

  it('are sent within the layout, and with the styles, that they were given over our own API', async () => {
    const html =
      '<html><head><style>i { color: #06c }</style></head><body><b>Shop</b>{{{content}}}</body></html>';
    const layout = { kind: 'layout', name: 'Frame', alias: 'frame', html };
    expect((await server.api('POST', '/templates', layout, org.key)).status).toBe(201);
    const framed = {
      name: 'Framed',
      alias: 'framed',
      subject: 'Hi',
      html: '<i>{{name}}</i>',
      layout: 'frame',
      inline_css: true,
    };
    expect((await server.api('POST', '/templates', framed, org.key)).status).toBe(201);
    await postmark.sendEmailWithTemplate(templated('framed@example.org', { TemplateAlias: 'framed' }));
    const message = await inboxOf(server, org.key, 'framed@example.org');
    expect(message.html).toContain('<b>Shop</b><i style="color:#06c">Ada &amp; co</i>');
  });

  it('are sent in batches, each with its own answer', async () => {
    const answers = await postmark.sendEmailBatchWithTemplates([
      templated('many-1@example.org', { TemplateAlias: 'receipt' }),
      templated('many-2@example.org', { TemplateAlias: 'unknown' }),
      templated('many-3@example.org', { TemplateId: template.TemplateId }),
      templated('many-4@example.org', {}),
    ]);
    expect(answers.map(({ ErrorCode }) => ErrorCode)).toEqual([0, 1101, 0, 300]);
    expect(answers[3]?.Message).toContain('a TemplateId or a TemplateAlias is required');
  });

  it('of others are unknown, whatever their number', async () => {
    const theirs = client(other.key);
    for (const choice of [
      { TemplateId: template.TemplateId },
      { TemplateAlias: 'receipt' },
      { TemplateId: 0.5 },
    ]) {
      const message = { ...templated('x@example.org', choice), From: `hello@${other.domain}` };
      const error = await refusal(theirs.sendEmailWithTemplate(message));
      expect(error).toBeInstanceOf(Errors.ApiInputError);
      expect(error.code).toBe(1101);
    }
    expect(await refusal(theirs.getTemplate(template.TemplateId))).toMatchObject({ code: 1101 });
    expect(await refusal(theirs.deleteTemplate(template.TemplateId))).toMatchObject({ code: 1101 });
  });
});

describe('errors', () => {
  it('are those of the client: of the key', async () => {
    const unknown = await refusal(client('wrong').sendEmail(letter()));
    expect(unknown).toBeInstanceOf(Errors.InvalidAPIKeyError);
    expect([unknown.code, unknown.statusCode]).toEqual([10, 401]);
    const test = await refusal(client('POSTMARK_API_TEST').sendEmail(letter()));
    expect(test.message).toContain('sandbox');
    const reading = client(await server.createKey(org.id, { scope: 'read' }));
    expect(await refusal(reading.sendEmail(letter()))).toBeInstanceOf(Errors.InvalidAPIKeyError);
    const sending = client(await server.createKey(org.id, { scope: 'send' }));
    expect(await sending.sendEmail(letter())).toMatchObject({ ErrorCode: 0 });
    expect(await refusal(sending.getBounces())).toBeInstanceOf(Errors.InvalidAPIKeyError);
  });

  it('are those of the client: of the message', async () => {
    const cases: readonly [object, number, RegExp][] = [
      [{ From: 'hello@elsewhere.test' }, 400, /elsewhere\.test/],
      [{ TextBody: undefined }, 300, /HtmlBody.*TextBody/],
      [{ From: 'a@b.test, c@d.test' }, 300, /^From: /],
      [{ To: 'ada@example.org, nobody' }, 300, /^To: /],
      [{ To: undefined }, 300, /^To: is required/],
      [{ To: Array.from({ length: 51 }, (_, i) => `r${i}@example.org`).join() }, 300, /^To: .*50/],
      [
        {
          Headers: [
            { Name: 'X-A', Value: 'a' },
            { Name: 'X-A', Value: 'b' },
          ],
        },
        300,
        /^Headers\[1\]: X-A is given twice/,
      ],
      [{ Headers: [{ Name: 'Bcc', Value: 'a@b.test' }] }, 300, /^Headers\.Bcc/],
      [
        { Attachments: [{ Name: 'a', Content: '*', ContentType: 'a/b' }] },
        300,
        /^Attachments\[0\]\.Content: must be base64/,
      ],
      [{ TrackOpens: 'yes' }, 300, /^TrackOpens: must be true or false/],
      [{ Subject: 'a\nb' }, 300, /^Subject: /],
    ];
    for (const [changes, code, words] of cases) {
      const error = await refusal(postmark.sendEmail(letter(changes)));
      expect([error.code, error.message]).toEqual([code, expect.stringMatching(words)]);
      expect(error).toBeInstanceOf(code === 300 ? Errors.InvalidEmailRequestError : Errors.ApiInputError);
    }
  });

  it('are in the form of Postmark where no message was read', async () => {
    expect(await post('/email', '{')).toMatchObject({ status: 422, body: { ErrorCode: 402 } });
    expect(await post('/email', '[]')).toMatchObject({ status: 422, body: { ErrorCode: 300 } });
    expect(await post('/email', 'a=b', { 'content-type': 'text/plain' })).toMatchObject({
      status: 422,
      body: { ErrorCode: 409 },
    });
    expect(await post('/nothing', '{}')).toMatchObject({ status: 404, body: { ErrorCode: 404 } });
    expect(await refusal(postmark.getClickCounts())).toBeInstanceOf(Errors.PostmarkError);
  });

  it('tell when there are too many requests', async () => {
    const slow = await startApi({ database: server.database, env: { POSTRIDER_RATE_LIMIT: '1' } });
    try {
      const hurried = client(org.key, slow.url);
      await hurried.getServer();
      expect(await refusal(hurried.getServer())).toBeInstanceOf(Errors.RateLimitExceededError);
    } finally {
      await slow.stop();
    }
  });
});
