/** Characters that could end a header line or hide text in it are refused in every field, and nothing is stored. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { fieldsOf, letter, NOTHING_STORED, storedRows } from '../support/emails.ts';

let server: TestApi;
let org: TestOrganization;
beforeAll(async () => {
  server = await startApi();
  org = await server.createOrganization();
});
afterAll(() => server.stop());
afterEach(async () => expect(await storedRows(server.db)).toEqual(NOTHING_STORED));

const send = (changes: Record<string, unknown>) =>
  server.api('POST', '/emails/send', letter(org, changes), org.key);

function expectRefusal(answer: Answer, ...fields: string[]): void {
  expect(answer.status).toBe(400);
  expect(answer.body.error.code).toBe('VALIDATION_ERROR');
  expect(fieldsOf(answer)).toEqual(fields);
}

/** Each character is tried in every field that is used in a header, an envelope or a list. */
const CONTROLS = {
  'CR LF': '\r\n',
  'a bare CR': '\r',
  'a bare LF': '\n',
  NUL: '\0',
  'a tab': '\t',
  ESC: '\u001b',
  DEL: '\u007f',
  NEL: '\u0085',
  'a line separator': '\u2028',
  'half a surrogate pair': '\ud83d',
};

describe.each(Object.entries(CONTROLS))('%s', (_name, control) => {
  const evil = `a${control}Bcc: eve@example.org`;
  it.each([
    [
      'the name of the sender',
      (domain: string) => ({ from: { email: `a@${domain}`, name: evil } }),
      'from.name',
    ],
    ['the name of a recipient', () => ({ to: [{ email: 'a@example.org', name: evil }] }), 'to[0].name'],
    [
      'one of the names to reply to',
      () => ({ reply_to: [{ email: 'a@example.org', name: evil }] }),
      'reply_to[0].name',
    ],
    ['the name to reply to', () => ({ reply_to: { email: 'a@example.org', name: evil } }), 'reply_to.name'],
    ['the subject', () => ({ subject: evil }), 'subject'],
    ['the subject, at its end', () => ({ subject: `a${control}` }), 'subject'],
    ['a header value', () => ({ headers: { 'X-A': evil } }), 'headers.X-A'],
    ['a filename', () => ({ attachments: [{ filename: evil, content: '' }] }), 'attachments[0].filename'],
    ['a tag', () => ({ tags: [{ name: 'a', value: evil }] }), 'tags[0].value'],
  ])('is refused in %s', async (_place, changes, field) => {
    expectRefusal(await send(changes(org.domain)), field);
  });

  it.each([
    ['an address', () => ({ to: [{ email: `a${control}@example.org` }] }), 'to[0].email'],
    ['a domain', () => ({ cc: [{ email: `a@example.org${control}` }] }), 'cc[0].email'],
    ['a quoted local part', () => ({ bcc: [{ email: `"a${control}b"@example.org` }] }), 'bcc[0].email'],
    ['the sender', (domain: string) => ({ from: { email: `a${control}@${domain}` } }), 'from.email'],
    [
      'a content type',
      () => file({ content_type: `text/plain;${control} a=b` }),
      'attachments[0].content_type',
    ],
    ['a content id', () => file({ content_id: `a${control}` }), 'attachments[0].content_id'],
    ['the name of a tag', () => ({ tags: [{ name: `a${control}`, value: 'b' }] }), 'tags[0].name'],
    ['base64', () => file({ content: `eA${control}==` }), 'attachments[0].content'],
  ])('is refused in %s', async (_place, changes, field) => {
    expectRefusal(await send(changes(org.domain)), field);
  });

  it('is refused in the name of a header', async () => {
    const answer = await send({ headers: { [`X-A${control}Bcc`]: 'x' } });
    expect(answer.status).toBe(400);
    expect(fieldsOf(answer)[0]).toMatch(/^headers/);
  });
});

function file(changes: Record<string, unknown>) {
  return { attachments: [{ filename: 'a', content: 'eA==', ...changes }] };
}

describe('NUL and half characters', () => {
  it.each([
    ['html', { html: 'a\0b' }],
    ['text', { text: '\udc00' }],
    ['metadata', { metadata: { a: '\0' } }],
    ['the name of a metadata key', { metadata: { 'a\0': 1 } }],
    ['template data', { template_id: 'x', text: undefined, template_data: { a: ['\ud800'] } }],
  ])('are refused in %s, where other controls may be', async (_place, changes) => {
    expectRefusal(await send(changes), expect.stringMatching(/^(html|text|metadata|template_data)/) as never);
  });
});
