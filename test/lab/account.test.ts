/** That the lab can say BAD: each account is shown something wrong. */
import { describe, expect, test } from 'vitest';
import { MESSAGES, type Message } from './corpus.ts';
import { harmOfQueueId, harmOfScore, openDkimVerdict, rspamdScore } from './filter-account.ts';
import { RECEIVER_HOST, SENDER } from './hosts.ts';
import { harmOfMessage, type Sent } from './message-account.ts';
import type { Parsed, Part } from './parser.ts';
import { REFUSALS } from './refusals.ts';
import { isGood, tableOf } from './report.ts';
import { rowOf } from './suffer-refusals.ts';

const FILE = { filename: 'a.bin', content_type: 'application/octet-stream', content: 'AAEC' };
const MESSAGE: Message = {
  name: 'one',
  body: { subject: 'Grüße', text: 'Hello\n', attachments: [FILE] },
};
const SENT: Sent = {
  message: MESSAGE,
  to: 'ada@example.net',
  cc: null,
  bcc: 'secret@example.net',
  emailId: 'id-1',
  notBefore: new Date('2026-11-15T12:00:00Z'),
};
const part = (over: Partial<Part>): Part => ({
  type: 'text/plain',
  charset: 'utf-8',
  disposition: null,
  filename: null,
  content_id: null,
  content: Buffer.from('Hello\n').toString('base64'),
  ...over,
});
const file = (content: string): Part =>
  part({ type: FILE.content_type, disposition: 'attachment', filename: FILE.filename, content });
const PARSED: Parsed = {
  headers: { subject: ['Grüße'] },
  from: [['', SENDER]],
  to: [['', 'ada@example.net']],
  cc: [],
  reply_to: [],
  date: '2026-11-15T12:00:00+00:00',
  is_multipart: true,
  parts: [part({}), file(FILE.content)],
  defects: [],
};

test('there are thirty messages and twenty refusals, each with a name of its own', () => {
  expect(new Set(MESSAGES.map(({ name }) => name)).size).toBe(30);
  expect(new Set(REFUSALS.map(({ name }) => name)).size).toBe(20);
});

describe('a message', () => {
  test('that is as it was sent has nothing wrong', () => {
    expect(harmOfMessage(SENT, PARSED)).toEqual([]);
  });

  test.each<[string, Partial<Parsed>, RegExp]>([
    ['of another octet in a file', { parts: [part({}), file('AAED')] }, /a\.bin is not octet for octet/],
    ['without its file', { parts: [part({})] }, /the files is \[\]/],
    [
      'of another text',
      { parts: [part({ content: 'SGkK' }), file(FILE.content)] },
      /text\/plain is not what/,
    ],
    ['of another subject', { headers: { subject: ['Grusse'] } }, /Subject is/],
    ['that gives bcc away', { headers: { subject: ['Grüße'], x: ['secret@example.net'] } }, /of bcc stands/],
    ['of an earlier date', { date: '2026-11-15T11:59:00+00:00' }, /too early/],
    ['that is malformed', { defects: ['no boundary'] }, /the parser finds: no boundary/],
  ])('%s is told', (_, changed, words) => {
    expect(harmOfMessage(SENT, { ...PARSED, ...changed })).toEqual([expect.stringMatching(words)]);
  });
});

describe('filters', () => {
  const withHeaders = (headers: Parsed['headers']) => ({ ...PARSED, headers });

  test("OpenDKIM's pass counts for the sender's domain alone", () => {
    const result = (domain: string) =>
      withHeaders({ 'authentication-results': [`${RECEIVER_HOST}; dkim=pass header.d=${domain}`] });
    expect(openDkimVerdict(result('example.com'))).toBe('pass');
    expect(openDkimVerdict(result('example.edu'))).toBe('none');
  });

  test('a score from where rspamd would greylist is told, with what makes it', () => {
    const result = 'default: False [5.50 / 15.00]; R_SPF_ALLOW(-0.20)[]; ODD(5.70)[]';
    const score = rspamdScore(withHeaders({ 'x-spamd-result': [result] }));
    expect(score && harmOfScore(score, [])).toEqual([
      'rspamd does not find dkim right',
      'rspamd does not find dmarc right',
      'rspamd scores 5.5: ODD 5.7',
    ]);
    expect(score && harmOfScore({ ...score, missing: [] }, ['ODD'])).toEqual([]);
  });
});

describe('a queue id', () => {
  const log = [
    'postfix/cleanup[1]: 4ABC: message-id=<id-1@example.com>',
    'postfix/virtual[2]: 4ABC: to=<ada@example.net>, relay=virtual, status=sent (delivered)',
  ].join('\n');
  const harm = (id: string) =>
    harmOfQueueId(
      SENT.to,
      SENT.emailId,
      [
        {
          type: 'delivered',
          recipient: SENT.to,
          smtp_code: 250,
          smtp_message: `2.0.0 Ok: queued as ${id}`,
          mx_host: RECEIVER_HOST,
          reason: null,
          tls: {},
        },
      ],
      log,
    );

  test("that is the log's is right", () => expect(harm('4ABC')).toBeNull());
  test('that is another is told', () => expect(harm('4ABD')).toContain('4ABD'));
});

test('a refusal that is judged otherwise makes the table BAD', () => {
  const [refusal] = REFUSALS;
  if (refusal === undefined) throw new Error('no refusals');
  const row = rowOf(refusal, undefined, false);
  expect(row.problems).toContain('the event is undefined, not bounced');
  expect(isGood([row])).toBe(false);
  expect(tableOf(['refusal', 'status', 'code', 'reason', 'responsible', 'suppressed'], [row])).toContain(
    'BAD',
  );
});
