/** Validation of send requests. Every refusal names its field, and nothing is stored. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { fieldsOf, letter, NOTHING_STORED, storedRows } from '../support/emails.ts';

const NOW = Date.parse('2028-02-29T12:00:00Z');
const MIB = 1024 * 1024;
const clock = { nowMs: () => NOW };

let server: TestApi;
let org: TestOrganization;
beforeAll(async () => {
  server = await startApi({ clock });
  org = await server.createOrganization();
});
afterAll(() => server.stop());

const post = (body: unknown) => server.api('POST', '/emails/send', body, org.key);
const send = (changes: Record<string, unknown>) => post(letter(org, changes));
const mailboxes = (count: number, name = 'r') =>
  Array.from({ length: count }, (_, i) => ({ email: `${name}${i}@example.org` }));

describe('a send is refused', () => {
  afterEach(async () => expect(await storedRows(server.db)).toEqual(NOTHING_STORED));

  const refuse = async (changes: Record<string, unknown>, fields: string[]) => {
    const answer = await send(changes);
    expect(answer.status).toBe(400);
    expect(answer.body.error.code).toBe('VALIDATION_ERROR');
    expect(fieldsOf(answer)).toEqual(fields);
    return answer.body.error.details[0].message as string;
  };

  it.each(['from', 'to', 'subject'])('without %s', async (field) => {
    expect(await refuse({ [field]: undefined }, [field])).toBe('is required');
  });

  it('without any content', async () => {
    expect(await refuse({ text: undefined }, ['html'])).toContain('html, text or template_id');
  });

  it('with everything that is wrong named at once', async () => {
    const answer = await post({ to: [], htm: 'x', priority: 'urgent', track_opens: 'yes', expires_in: 1 });
    expect(fieldsOf(answer).sort()).toEqual([
      'expires_in',
      'from',
      'htm',
      'html',
      'priority',
      'subject',
      'to',
      'track_opens',
    ]);
  });

  it.each([
    ['from as a number', { from: 1 }, 'from'],
    ['from as text without an address', { from: 'Ada' }, 'from'],
    ['a line end in from as text', { from: 'Ada\r\nBcc: eve@evil.example <a@b.example>' }, 'from'],
    ['a name in text that needs quotes', { from: 'eve@evil.example, Ada <a@b.example>' }, 'from'],
    ['from as text in quotes that are read in two ways', { from: '"<ceo@evil.example>"@b.example' }, 'from'],
    ['from as a list', { from: [{ email: 'a@example.org' }] }, 'from'],
    ['from without an address', { from: { name: 'A' } }, 'from.email'],
    [
      'from with an address in quotes, which some programs read as the sender',
      { from: { email: '"<ceo@evil.example>"@b.example' } },
      'from.email',
    ],
    ['to as an object without an address', { to: { name: 'A' } }, 'to.email'],
    ['two addresses in one text', { to: 'a@example.org, b@example.org' }, 'to'],
    ['a bad text in to', { to: ['a@example.org', 'no'] }, 'to[1]'],
    ['a number in to', { to: [{ email: 'a@example.org' }, 1] }, 'to[1]'],
    ['a text in cc that cannot be mailed', { cc: 'a@[192.0.2.1]' }, 'cc'],
    ['a name of 256 characters in text', { to: `${'x'.repeat(256)} <a@example.org>` }, 'to'],
    ['an empty to', { to: [] }, 'to'],
    ['a recipient without an address', { to: [{ name: 'A' }] }, 'to[0].email'],
    ['a bad address in cc', { cc: [{ email: 'a@b.example' }, { email: 'no' }] }, 'cc[1].email'],
    ['a bad address in bcc', { bcc: [{ email: 'a@@b.example' }] }, 'bcc[0].email'],
    ['a name that is null', { to: [{ email: 'a@example.org', name: null }] }, 'to[0].name'],
    ['a name of 256 characters', { to: [{ email: 'a@example.org', name: 'x'.repeat(256) }] }, 'to[0].name'],
    [
      'a bad address in a list of reply_to',
      { reply_to: [{ email: 'a@b.example' }, { email: 'no' }] },
      'reply_to[1].email',
    ],
    ['reply_to as text without an address', { reply_to: 'Ada' }, 'reply_to'],
    ['more than ten to reply to', { reply_to: mailboxes(11) }, 'reply_to'],
    ['a bad reply_to', { reply_to: { email: 'Jane <a@example.org>' } }, 'reply_to.email'],
  ])('with %s', async (_what, changes, field) => {
    await refuse(changes, [field]);
  });

  it('with more than 50 recipients in one list', async () => {
    await refuse({ to: mailboxes(51) }, ['to']);
  });

  it('with more than 50 recipients across the lists', async () => {
    const lists = { to: mailboxes(20, 'to'), cc: mailboxes(20, 'cc'), bcc: mailboxes(11, 'bcc') };
    expect(await refuse(lists, ['to'])).toContain('51');
  });

  it.each([
    ['an empty subject', { subject: '' }, 'subject'],
    ['a blank subject', { subject: ' \u00a0\u200b' }, 'subject'],
    ['a subject of 999 characters', { subject: 'x'.repeat(999) }, 'subject'],
    ['html over 2 MiB', { html: 'x'.repeat(2 * MIB + 1) }, 'html'],
    ['text over 2 MiB when written in UTF-8', { text: 'ü'.repeat(MIB + 1) }, 'text'],
    ['text with nothing in it, alone', { text: '' }, 'text'],
    ['html with nothing in it, alone', { html: '', text: undefined }, 'html'],
    ['html and text with nothing in either', { html: '', text: '' }, 'text'],
    ['neither html nor text', { text: undefined }, 'html'],
    ['a priority that does not exist', { priority: 'High' }, 'priority'],
    ['track_opens as a number', { track_opens: 1 }, 'track_opens'],
    ['expires_in of nothing', { expires_in: 0 }, 'expires_in'],
    ['a negative expires_in', { expires_in: -60 }, 'expires_in'],
    ['expires_in over five days', { expires_in: 432_001 }, 'expires_in'],
    ['half a second of expires_in', { expires_in: 60.5 }, 'expires_in'],
    ['expires_in as text', { expires_in: '60' }, 'expires_in'],
    ['template_data without a template', { template_data: {} }, 'template_data'],
    ['template_data as a list', { template_id: 'x', text: undefined, template_data: [] }, 'template_data'],
  ])('with %s', async (_what, changes, field) => {
    await refuse(changes, [field]);
  });

  it('with html and text beside a template', async () => {
    await refuse({ template_id: 'tmpl_x', html: 'x' }, ['html', 'text']);
  });

  it.each(['tmpl_00000000000000000000', 'nonsense', '', 'x'.repeat(65)])(
    'as NOT_FOUND with the unknown template %s',
    async (template_id) => {
      const answer = await send({ template_id, text: undefined });
      expect(answer.status).toBe(404);
      expect(answer.body.error).toMatchObject({ code: 'NOT_FOUND', details: [{ field: 'template_id' }] });
    },
  );

  it.each([
    'From',
    'to',
    'CC',
    'Bcc',
    'Subject',
    'Sender',
    'Date',
    'Message-ID',
    'Return-Path',
    'Received',
    'DKIM-Signature',
    'MIME-Version',
    'Content-Type',
    'content-transfer-encoding',
    'Content-Anything',
    'x-postrider-ref',
    'X-Postrider-Tag',
    'Authentication-Results',
    'ARC-Seal',
    'arc-authentication-results',
    'Received-SPF',
    'Resent-From',
    'resent-message-id',
    'Delivered-To',
  ])('with the header %s, which is not theirs to set', async (name) => {
    await refuse({ headers: { [name]: 'x' } }, [`headers.${name}`]);
  });

  it.each([
    ['51 headers', Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`X-${i}`, 'x'])), 'headers'],
    ['a header that is a number', { 'X-A': 1 }, 'headers.X-A'],
    ['a header that is null', { 'X-A': null }, 'headers.X-A'],
    ['a header given twice', { 'X-A': '1', 'x-a': '2' }, 'headers.x-a'],
    ['a space in a header name', { 'X A': '1' }, 'headers.X A'],
    ['a colon in a header name', { 'X-A:': '1' }, 'headers.X-A:'],
    ['a header name that is not ASCII', { 'X-Ü': '1' }, 'headers.X-Ü'],
    ['a header name of 77 characters', { ['X'.repeat(77)]: '1' }, `headers.${'X'.repeat(77)}`],
    ['headers as a list', ['X-A: 1'], 'headers'],
  ])('with %s', async (_what, headers, field) => {
    await refuse({ headers }, [field]);
  });

  it.each([
    ['11 tags', Array.from({ length: 11 }, (_, i) => ({ name: `t${i}`, value: 'x' })), 'tags'],
    ['a tag without a value', [{ name: 'a' }], 'tags[0].value'],
    ['a tag with an empty value', [{ name: 'a', value: '' }], 'tags[0].value'],
    ['a tag without a name', [{ value: 'a' }], 'tags[0].name'],
    ['a colon in the name of a tag', [{ name: 'a:b', value: 'x' }], 'tags[0].name'],
    ['a tag name of 65 characters', [{ name: 'x'.repeat(65), value: 'x' }], 'tags[0].name'],
    ['a tag value of 257 characters', [{ name: 'a', value: 'x'.repeat(257) }], 'tags[0].value'],
    ['a tag value that is a number', [{ name: 'a', value: 1 }], 'tags[0].value'],
    [
      'two tags of one name',
      [
        { name: 'a', value: '1' },
        { name: 'a', value: '2' },
      ],
      'tags[1].name',
    ],
    ['the tag of our own mail', [{ name: 'postrider', value: 'account' }], 'tags[0].name'],
    ['a tag that reads like ours', [{ name: 'PostRider.kind', value: 'x' }], 'tags[0].name'],
    ['tags as an object', { a: 'b' }, 'tags'],
  ])('with %s', async (_what, tags, field) => {
    await refuse({ tags }, [field]);
  });

  it.each([
    ['a list in it', { a: [1] }, 'metadata.a'],
    ['an object in it', { a: { b: 1 } }, 'metadata.a'],
    ['null in it', { a: null }, 'metadata.a'],
    ['51 keys', Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, i])), 'metadata'],
    ['a key of 65 characters', { ['k'.repeat(65)]: 1 }, 'metadata'],
    ['an empty key', { '': 1 }, 'metadata'],
    ['a value of 1001 characters', { a: 'x'.repeat(1001) }, 'metadata.a'],
  ])('with metadata that has %s', async (_what, metadata, field) => {
    await refuse({ metadata }, [field]);
  });

  const file = (changes: Record<string, unknown>) => [{ filename: 'a.txt', content: 'eA==', ...changes }];
  it.each([
    ['content that is not base64', file({ content: 'no base64!' }), 'attachments[0].content'],
    ['base64 of the wrong length', file({ content: 'eA=' }), 'attachments[0].content'],
    ['base64 for web addresses', file({ content: '-_-_' }), 'attachments[0].content'],
    ['padding in the middle', file({ content: 'eA==eA==' }), 'attachments[0].content'],
    ['no content', file({ content: undefined }), 'attachments[0].content'],
    ['no filename', file({ filename: undefined }), 'attachments[0].filename'],
    ['an empty filename', file({ filename: '' }), 'attachments[0].filename'],
    ['a path as the filename', file({ filename: '../a.txt' }), 'attachments[0].filename'],
    ['a Windows path as the filename', file({ filename: 'C:\\a.txt' }), 'attachments[0].filename'],
    ['a filename of 256 characters', file({ filename: 'x'.repeat(256) }), 'attachments[0].filename'],
    ['a bad content type', file({ content_type: 'pdf' }), 'attachments[0].content_type'],
    ['a multipart type', file({ content_type: 'multipart/mixed' }), 'attachments[0].content_type'],
    ['a message type', file({ content_type: 'Message/partial' }), 'attachments[0].content_type'],
    ['a content id with brackets', file({ content_id: '<logo>' }), 'attachments[0].content_id'],
    ['an empty content id', file({ content_id: '' }), 'attachments[0].content_id'],
    ['51 of them', Array.from({ length: 51 }, () => file({})[0]), 'attachments'],
  ])('with attachments that have %s', async (_what, attachments, field) => {
    await refuse({ attachments }, [field]);
  });

  it.each([
    'tomorrow',
    '',
    '2028-03-01',
    '12:00',
    '2028-02-30T12:00:00Z',
    '2028-03-01T24:00:00Z',
    '2028-03-01T12:60Z',
    '2028-03-01T12:00:00+25:00',
    '1836000000',
    ' 2028-03-01T12:00:00Z',
    '2028-03-01T12:00:00Z\n',
  ])('with %j as scheduled_at', async (scheduled_at) => {
    await refuse({ scheduled_at }, ['scheduled_at']);
  });

  it('with a number as scheduled_at', async () => {
    await refuse({ scheduled_at: NOW }, ['scheduled_at']);
  });

  it('when scheduled more than 5 minutes ago', async () => {
    expect(await refuse({ scheduled_at: '2028-02-29T11:54:59.999Z' }, ['scheduled_at'])).toContain('past');
  });

  it('when scheduled more than 10 years ahead', async () => {
    expect(await refuse({ scheduled_at: '2038-03-01T12:00:00.001Z' }, ['scheduled_at'])).toContain('ahead');
  });
});

describe('a send is accepted', () => {
  const accept = async (changes: Record<string, unknown>) => {
    const answer = await send(changes);
    expect(answer.body).toMatchObject({ data: { status: 'queued' } });
    return (await server.api('GET', `/emails/${answer.body.data.message_id}`, undefined, org.key)).body.data;
  };

  it.each([
    ['a subject of one character', { subject: 'x' }],
    ['a subject of 998 characters', { subject: 'x'.repeat(998) }],
    ['a subject of 998 emoji', { subject: '🎉'.repeat(998) }],
    ['html of exactly 2 MiB', { html: 'x'.repeat(2 * MIB) }],
    ['text of exactly 2 MiB when written in UTF-8', { text: 'ü'.repeat(MIB) }],
    ['a name of 255 characters', { to: [{ email: 'a@example.org', name: 'ü'.repeat(255) }] }],
    ['50 headers', { headers: Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`X-${i}`, 'x'])) }],
    ['a Reply-To header', { headers: { 'Reply-To': 'a@example.org' } }],
    ['10 tags', { tags: Array.from({ length: 10 }, (_, i) => ({ name: `t${i}`, value: 'x' })) }],
    ['the longest expires_in', { expires_in: 432_000 }],
    ['the shortest expires_in', { expires_in: 30 }],
  ])('with %s', async (_what, changes) => {
    await accept(changes);
  });

  it('with mailboxes as texts, alone or in lists with objects, and shows them as objects', async () => {
    const email = await accept({
      from: `"News, Daily" <news@${org.domain}>`,
      to: 'Ada <ada@example.org>',
      cc: { email: 'grace@example.org' },
      bcc: ['bob@example.org', { email: 'carl@example.org', name: 'Carl' }],
      reply_to: 'Support <help@example.org>',
    });
    expect(email).toMatchObject({
      from: { email: `news@${org.domain}`, name: 'News, Daily' },
      to: [{ email: 'ada@example.org', name: 'Ada' }],
      cc: [{ email: 'grace@example.org', name: null }],
      bcc: [
        { email: 'bob@example.org', name: null },
        { email: 'carl@example.org', name: 'Carl' },
      ],
      reply_to: { email: 'help@example.org', name: 'Support' },
    });
  });

  it('in a batch whose mailboxes are texts, except for the recipients that are wrong', async () => {
    const template = { name: 'Hello', subject: 'Hello', text: 'Hello' };
    const { id } = (await server.api('POST', '/templates', template, org.key)).body.data;
    const texts = ['Ada <ada@example.org>', 'Lovelace, Ada <ada@example.org>', 'nobody'];
    const recipients = texts.map((to) => ({ to }));
    const batch = { template_id: id, from: `News <news@${org.domain}>`, recipients };
    const { body } = await server.api('POST', '/emails/batch', batch, org.key);
    expect(body.data).toMatchObject({
      accepted: 1,
      rejected: [{ index: 1, error: expect.stringContaining('in quotes') }, { index: 2 }],
    });
  });

  it.each([
    ['2028-03-01T12:00:00Z', '2028-03-01T12:00:00.000Z'],
    ['2028-03-01T12:00:00', '2028-03-01T12:00:00.000Z'],
    ['2028-03-01T12:00', '2028-03-01T12:00:00.000Z'],
    ['2028-03-01 12:00:00', '2028-03-01T12:00:00.000Z'],
    ['2028-03-01T12:00:00.123456Z', '2028-03-01T12:00:00.123Z'],
    ['2028-03-01T12:00:00+05:30', '2028-03-01T06:30:00.000Z'],
    ['2028-03-01T12:00:00-0800', '2028-03-01T20:00:00.000Z'],
    ['2028-02-29T11:55:00Z', '2028-02-29T11:55:00.000Z'],
    ['2038-03-01T12:00:00Z', '2038-03-01T12:00:00.000Z'],
  ])('with %s as scheduled_at', async (scheduled_at, stored) => {
    expect(await accept({ scheduled_at })).toMatchObject({ scheduled_at: stored, status: 'queued' });
  });
});
