/**
 * Whatever leaves was shown to whoever approved it. Each mail below says something in a place that is easily overlooked; it is
 * approved, received, and all that was received beyond the header fields of the way is looked for in what was shown.
 */
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { type AgentFixture, type AgentKey, letter, startAgentFixture } from './agent-fixture.ts';

let fixture: AgentFixture;
let agent: AgentKey;

beforeAll(async () => {
  fixture = await startAgentFixture();
  agent = await fixture.newKey({ approval: 'required', attachments: true });
});
afterAll(() => fixture.stop());

/** Added on the way, or for each recipient and attempt: nobody can be shown them before. */
const OF_THE_WAY =
  /^(?:received|return-path|dkim-signature|date|authentication-results|x-postrider-reference|delivered-to)$/i;

interface Field {
  readonly name: string;
  readonly value: string;
}

interface Shown {
  readonly approval: Record<string, unknown>;
  readonly message: {
    readonly headers: readonly Field[];
    readonly parts: readonly {
      readonly number: number;
      readonly content_type: string;
      readonly filename: string | null;
      readonly size: number;
      readonly text: string | null;
      readonly hidden_text: readonly string[];
    }[];
    readonly outside: readonly string[];
    readonly tracked_links: readonly string[];
  };
  readonly raw: string;
}

const get = (path: string) => fixture.reader.api('GET', path);

async function shownOf(id: string): Promise<Shown> {
  const [approval, message, raw] = await Promise.all(
    ['', '/message', '/raw'].map((path) => get(`/approvals/${id}${path}`)),
  );
  expect([approval?.status, message?.status, raw?.status]).toEqual([200, 200, 200]);
  return { approval: approval?.body.data, message: message?.body.data, raw: raw?.body };
}

async function approvedAndReceived(id: string, to: string): Promise<string> {
  expect((await fixture.member.api('POST', `/approvals/${id}/approve`)).status).toBe(200);
  const [caught] = await until(
    async () => (await fixture.owner.api('GET', `/sandbox/messages?to=${to}`)).body.data,
    (list: readonly { id: string }[]) => list.length > 0,
  );
  return (await fixture.owner.api('GET', `/sandbox/messages/${caught?.id}/raw`)).body;
}

/** The fields of a message and its body, by a reader that shares nothing with ours. */
function read(raw: string) {
  const end = raw.indexOf('\r\n\r\n');
  const fields = raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
    .map(
      (line): Field => ({
        name: line.slice(0, line.indexOf(':')),
        value: line.slice(line.indexOf(':') + 1).trim(),
      }),
    )
    .filter(({ name }) => !OF_THE_WAY.test(name));
  return { fields, body: raw.slice(end + 4) };
}

async function expectAllShown(id: string, to: string): Promise<{ shown: Shown; received: string }> {
  const shown = await shownOf(id);
  const received = await approvedAndReceived(id, to);
  const [before, after] = [read(shown.raw), read(received)];
  expect(after.body).toBe(before.body);
  expect(after.fields).toEqual(before.fields);
  const names = shown.message.headers.map(({ name }) => name).filter((name) => !OF_THE_WAY.test(name));
  expect(names).toEqual(after.fields.map(({ name }) => name));
  const parsed = await PostalMime.parse(received);
  const texts = shown.message.parts.map(({ text }) => text ?? '');
  for (const text of [parsed.text, parsed.html])
    if (text) expect(texts.some((one) => flat(text).includes(flat(one)) && one.trim() !== '')).toBe(true);
  for (const { filename } of parsed.attachments)
    if (filename) expect(shown.message.parts.map((part) => part.filename)).toContain(filename);
  return { shown, received };
}

const flat = (text: string) => text.replace(/\s+/g, ' ').trim();

let count = 0;
const nextTo = () => `approved-${++count}@team.example`;

async function send(changes: object, key = agent.key): Promise<{ id: string; to: string }> {
  const to = nextTo();
  const mail = { ...letter(fixture.org), to: [{ email: to }], ...changes };
  const { body, status } = await fixture.server.api('POST', '/emails/send', mail, key);
  expect([status, body.error]).toEqual([201, undefined]);
  return { id: body.data.message_id, to };
}

async function submit(
  head: readonly string[],
  lines: readonly string[],
): Promise<{ id: string; to: string }> {
  const to = nextTo();
  const from = `agent@${fixture.org.domain}`;
  const raw = [`From: ${from}`, `To: ${to}`, 'Subject: Whole', ...head, '', ...lines, ''].join('\r\n');
  const reply = await fixture.smtp(agent.key, { envelope: { from, to: [to] }, raw });
  const id = /[0-9a-f-]{36}/.exec(reply)?.[0];
  if (id === undefined) throw new Error(reply);
  return { id, to };
}

const FILE = {
  filename: 'SECRET.txt',
  content_type: 'text/plain',
  content: Buffer.from('SECRET').toString('base64'),
};
const PNG = { filename: 'dot.png', content_type: 'image/png', content_id: 'dot', content: 'iVBORw0KGgo=' };

describe('what leaves is what was shown', () => {
  it.each([
    [
      'several who get the answers',
      { reply_to: [{ email: 'a@x.example' }, { email: 'b@x.example', name: 'SECRET' }] },
    ],
    ['headers of its own', { headers: { 'X-Note': 'SECRET', 'X-Long': `${'x'.repeat(900)}SECRET` } }],
    ['names of sender and recipients', { cc: [{ email: 'cc@team.example', name: 'SECRET <x>' }] }],
    ['letters of every language', { subject: 'Grüße 你好', headers: { 'X-A': 'zwölf' }, text: 'שלום' }],
    ['text that differs from its html', { html: '<p>Shown</p>', text: 'SECRET' }],
    ['hidden html', { html: '<p>Hi</p><p style="display:none">SECRET</p><!-- SECRET -->', text: undefined }],
    ['files', { html: '<img src="cid:dot">', attachments: [FILE, PNG] }],
    ['a text made from html', { html: '<p>Hi</p>', text: undefined, text_from_html: true }],
    ['a way to unsubscribe', { unsubscribe_group: 'product-news', stream: 'bulk' }],
  ])('with %s', async (_, changes) => {
    const { id, to } = await send(changes);
    await expectAllShown(id, to);
  });

  it('with text that its html hides, named as such', async () => {
    const html = '<p>Hi</p><div style="display:none">Pay <b>now</b></div><!-- and here -->';
    const { id } = await send({ html, text: undefined });
    const { message } = await shownOf(id);
    expect(message.parts.flatMap((part) => part.hidden_text)).toEqual(['and here', 'Pay now']);
  });

  it('with a template, rendered', async () => {
    const { id, to } = await send({
      text: undefined,
      template_id: 'welcome',
      template_data: { name: 'SECRET' },
    });
    const { shown } = await expectAllShown(id, to);
    expect(JSON.stringify(shown.message.parts)).toContain('welcome SECRET');
  });

  it('with opens and clicks that are tracked', async () => {
    const html =
      '<a href="https://a.example/x?y=1&amp;z=2">A</a> <a href="https://b.example/unsubscribe">B</a>';
    const { id, to } = await send({ html, text: undefined, track_opens: true, track_clicks: 'html' });
    const { shown, received } = await expectAllShown(id, to);
    expect(shown.approval).toMatchObject({ track_opens: true, track_clicks: 'html' });
    expect(shown.message.tracked_links).toEqual(['https://a.example/x?y=1&z=2']);
    expect(received).not.toContain('a.example');
  });

  const ALTERNATIVE = 'Content-Type: multipart/alternative; boundary=b';

  it.each([
    ['a preamble and an epilogue', [ALTERNATIVE], ['SECRET', '--b', '', 'Hi', '--b--', 'SECRET']],
    [
      'an alternative for AMP',
      [ALTERNATIVE],
      ['--b', '', 'Hi', '--b', 'Content-Type: text/x-amp-html', '', '<p>SECRET</p>', '--b--'],
    ],
    [
      'two htmls, of which clients show the last',
      [ALTERNATIVE],
      [
        '--b',
        'Content-Type: text/html',
        '',
        '<p>Hi</p>',
        '--b',
        'Content-Type: text/html',
        '',
        '<p>SECRET</p>',
        '--b--',
      ],
    ],
    [
      'an included message',
      ['Content-Type: multipart/mixed; boundary=b'],
      ['--b', '', 'Hi', '--b', 'Content-Type: message/rfc822', '', 'Subject: SECRET', '', 'SECRET', '--b--'],
    ],
    [
      'a calendar, with a field in its header',
      ['Content-Type: multipart/mixed; boundary=b'],
      [
        '--b',
        '',
        'Hi',
        '--b',
        'Content-Type: text/calendar',
        'Content-Description: SECRET',
        '',
        'BEGIN:SECRET',
        '--b--',
      ],
    ],
    ['a header twice', ['X-Note: one', 'X-Note: SECRET', 'Keywords: SECRET', 'Comments: SECRET'], ['Hi']],
    ['encoded words', ['X-Note: =?utf-8?b?U0VDUkVU?='], ['Hi']],
    ['base64', ['Content-Transfer-Encoding: base64', 'Content-Type: text/plain'], ['U0VDUkVU']],
  ])('as a whole message with %s', async (_, head, lines) => {
    const { id, to } = await submit(head, lines);
    const { shown } = await expectAllShown(id, to);
    expect(JSON.stringify(shown.message)).toContain('SECRET');
  });
});

describe('an approval', () => {
  it('has everything that the sender asked for', async () => {
    const scheduled_at = new Date(Date.now() + 3_600_000).toISOString();
    const asked = {
      ...{ scheduled_at, stream: 'bulk', unsubscribe: true, receive_replies: true, require_tls: true },
      ...{ tags: [{ name: 'a', value: 'b' }], metadata: { order: 7 }, priority: 'high', expires_in: 600 },
      ...{
        from: { email: `agent@${fixture.org.domain}`, name: 'Agent' },
        bcc: [{ email: 'bcc@team.example' }],
      },
    };
    const { id } = await send(asked);
    const { approval } = await shownOf(id);
    expect(approval).toMatchObject({
      ...{
        scheduled_at,
        stream: 'bulk',
        unsubscribe: true,
        unsubscribe_group: 'bulk',
        receive_replies: true,
      },
      ...{ require_tls: true, tags: asked.tags, metadata: asked.metadata, priority: 'high', expires_in: 600 },
      ...{ from: asked.from, bcc: [{ email: 'bcc@team.example', name: null }] },
      reply_to_list: [{ email: expect.stringContaining('@'), name: null }],
    });
  });

  it('lists all who get the answers', async () => {
    const { id } = await send({ reply_to: [{ email: 'a@x.example' }, { email: 'b@x.example', name: 'B' }] });
    const { body } = await get('/approvals?limit=100');
    const found = body.data.find((one: { id: string }) => one.id === id);
    expect(found.reply_to_list).toEqual([
      { email: 'a@x.example', name: null },
      { email: 'b@x.example', name: 'B' },
    ]);
  });

  it('gives every part to download', async () => {
    const { id } = await send({ html: '<p>Hi</p>', attachments: [FILE] });
    const { message } = await shownOf(id);
    const file = message.parts.find(({ filename }) => filename === 'SECRET.txt');
    expect(file).toMatchObject({ content_type: 'text/plain', size: 6 });
    const { body } = await get(`/approvals/${id}/parts/${file?.number}`);
    expect(body.data).toMatchObject({ filename: 'SECRET.txt', content: FILE.content, size: 6 });
    for (const number of ['99', 'x', '-1'])
      expect((await get(`/approvals/${id}/parts/${number}`)).status).toBe(404);
  });

  it('of mail that needed none shows no message', async () => {
    const { body } = await fixture.send(fixture.org.key);
    const id = body.data.message_id;
    for (const path of ['message', 'raw', 'parts/0'])
      expect((await get(`/approvals/${id}/${path}`)).status).toBe(404);
  });

  it('does not show the message to the agent', async () => {
    const { id } = await send({});
    for (const path of ['', '/message', '/raw', '/parts/0']) {
      const { status } = await fixture.server.api('GET', `/approvals/${id}${path}`, undefined, agent.key);
      expect([path, status]).toEqual([path, 403]);
    }
  });
});
