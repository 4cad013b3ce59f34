import { describe, expect, it } from 'vitest';
import { ORDINARY_OPTIONS } from '../../emails/email.ts';
import { readHeaderBlock } from '../../protocols/message/reading/header-block.ts';
import { createReadOptions, type MessageOptions } from './options.ts';

const NOW_MS = Date.UTC(2026, 10, 16);
const readOptions = createReadOptions({ nowMs: () => NOW_MS });

function read(...lines: string[]): MessageOptions | { readonly wrong: string } {
  const block = readHeaderBlock(Buffer.from(`Subject: x\r\n${lines.join('\r\n')}\r\n\r\n`));
  if (!block.ok) throw new Error(block.message);
  return readOptions(block.fields);
}

function options(...lines: string[]): MessageOptions {
  const found = read(...lines);
  if ('wrong' in found) throw new Error(found.wrong);
  return found;
}

const wrong = (...lines: string[]) => {
  const found = read(...lines);
  return 'wrong' in found ? found.wrong : null;
};

describe('options of our own', () => {
  it('are empty by default', () => {
    expect(options('X-Mailer: me', 'X-Priority: 1')).toEqual({
      mailOptions: ORDINARY_OPTIONS,
      template: null,
      idempotencyKey: null,
      isTrackingAsked: false,
    });
  });

  it('are not built-in object properties', () => {
    expect(wrong('constructor: x', '__proto__: x', 'valueOf: x')).toBeNull();
  });

  it('are read from their fields, case-insensitively', () => {
    const found = options(
      ...[
        'X-Postrider-Tag: order = 48',
        'x-postrider-tag: kind=receipt',
        'X-Postrider-Metadata: {"user": 7,',
        ' "new": true}',
      ],
      ...[
        'X-Postrider-Track-Opens: yes',
        'X-Postrider-Send-At: 2026-11-17T08:00:00Z',
        'X-Postrider-Priority: High',
      ],
      ...[
        'X-Postrider-Expires-In: 3600',
        'X-Postrider-Unsubscribe-Group: news',
        'X-Postrider-Idempotency-Key: k1',
        'X-Postrider-Collapse-Key: sign-in',
      ],
    );
    expect(found.mailOptions).toEqual({
      ...ORDINARY_OPTIONS,
      tags: [
        { name: 'order', value: '48' },
        { name: 'kind', value: 'receipt' },
      ],
      metadata: { user: 7, new: true },
      priority: 'high',
      scheduledAtMs: Date.UTC(2026, 10, 17, 8),
      expiresInSeconds: 3600,
      trackOpens: true,
      unsubscribe: true,
      unsubscribeGroup: 'news',
      collapseKey: 'sign-in',
    });
    expect(found).toMatchObject({ idempotencyKey: 'k1', isTrackingAsked: true });
  });

  it('choose a template with its data', () => {
    expect(
      options('X-Postrider-Template: tpl_1', 'X-Postrider-Template-Data: {"name":"Ada"}').template,
    ).toEqual({
      id: 'tpl_1',
      data: { name: 'Ada' },
      locale: null,
    });
  });

  it.each([
    [['X-Postrider-Tag: oops'], 'X-Postrider-Tag must be name=value.'],
    [['X-Postrider-Tag: a b=1'], /^X-Postrider-Tag \(\[0\]\.name\) /],
    [['X-Postrider-Tag: postrider=account'], /reserved/],
    [['X-Postrider-Metadata: [1]'], 'X-Postrider-Metadata must be a JSON object.'],
    [
      ['X-Postrider-Metadata: {"a":"\\u0000"}'],
      'X-Postrider-Metadata must not contain NUL or unpaired surrogate characters.',
    ],
    [
      [`X-Postrider-Template-Data: ${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
      'X-Postrider-Template-Data: the JSON is nested too deeply, 32 levels are the most.',
    ],
    [['X-Postrider-Metadata: {"a":{"b":1}}'], /^X-Postrider-Metadata \(a\) must be/],
    [['X-Postrider-Track-Opens: perhaps'], 'X-Postrider-Track-Opens must be true or false.'],
    [
      ['X-Postrider-Track-Opens: yes', 'X-Postrider-Track-Opens: no'],
      'X-Postrider-Track-Opens is given twice.',
    ],
    [
      ['X-Postrider-Track-Opens: yes', 'X-PM-Track-Opens: no'],
      /X-PM-Track-Opens and X-Postrider-Track-Opens ask for the same/,
    ],
    [['X-Postrider-Send-At: tomorrow'], /^X-Postrider-Send-At must be an ISO 8601/],
    [
      ['X-Postrider-Send-At: 2026-11-15T00:00:00Z'],
      'X-Postrider-Send-At is more than 5 minutes in the past.',
    ],
    [['X-Postrider-Expires-In: soon'], /^X-Postrider-Expires-In must be/],
    [['X-Postrider-Priority: urgent'], /^X-Postrider-Priority must be/],
    [['X-Postrider-Template-Data: {}'], 'X-Postrider-Template-Data needs a template.'],
    [['X-Postrider-Tags: a=b'], 'X-Postrider-Tags is not an option, did you mean x-postrider-tag?'],
  ])('%j are refused with words', (lines, words) => {
    expect(wrong(...lines)).toMatch(words);
  });
});

describe('options of other services', () => {
  it('are those of Postmark', () => {
    const { mailOptions } = options(
      'X-PM-Tag: welcome',
      'X-PM-Metadata-Color: blue',
      'X-PM-Metadata-id: 7',
      'X-PM-Track-Opens: true',
      'X-PM-Message-Stream: outbound',
      'X-PM-TrackLinks: HtmlOnly',
    );
    expect(mailOptions).toMatchObject({
      tags: [{ name: 'tag', value: 'welcome' }],
      stream: 'transactional',
      metadata: { Color: 'blue', id: '7' },
      trackOpens: true,
    });
  });

  it('are those of SendGrid', () => {
    const api = {
      category: ['a', 'b'],
      unique_args: { user: 7 },
      send_at: NOW_MS / 1000 + 60,
      asm_group_id: 3,
      filters: { opentrack: { settings: { enable: 0 } }, clicktrack: { settings: { enable: 1 } } },
    };
    const { mailOptions } = options(`X-SMTPAPI: ${JSON.stringify(api)}`);
    expect(mailOptions).toMatchObject({
      tags: [
        { name: 'category', value: 'a' },
        { name: 'category-2', value: 'b' },
      ],
      metadata: { user: 7 },
      scheduledAtMs: NOW_MS + 60_000,
      trackOpens: false,
      unsubscribe: true,
      unsubscribeGroup: 'asm-3',
    });
    const template = { filters: { templates: { settings: { enable: 1, template_id: 'tpl_1' } } } };
    expect(options(`X-SMTPAPI: ${JSON.stringify(template)}`).template).toEqual({
      id: 'tpl_1',
      data: {},
      locale: null,
    });
  });

  it('are those of Mailgun', () => {
    const found = options(
      'X-Mailgun-Tag: a',
      'X-Mailgun-Tag: b',
      'X-Mailgun-Variables: {"my":"data"}',
      'X-Mailgun-Track: no',
      'X-Mailgun-Deliver-By: Tue, 17 Nov 2026 08:00:00 +0000',
      'X-Mailgun-Dkim: yes',
      'X-Mailgun-Drop-Message: no',
    );
    expect(found.mailOptions).toMatchObject({
      tags: [
        { name: 'tag', value: 'a' },
        { name: 'tag-2', value: 'b' },
      ],
      metadata: { my: 'data' },
      trackOpens: false,
      scheduledAtMs: Date.UTC(2026, 10, 17, 8),
    });
  });

  it('are those of SES, and the key of Resend', () => {
    const found = options(
      'X-SES-MESSAGE-TAGS: kind=receipt, order=48',
      'X-SES-CONFIGURATION-SET: mine',
      'X-SES-LIST-MANAGEMENT-OPTIONS: contactListName=all; topicName=news',
      'Resend-Idempotency-Key: k',
    );
    expect(found.mailOptions).toMatchObject({
      tags: [
        { name: 'kind', value: 'receipt' },
        { name: 'order', value: '48' },
      ],
      unsubscribe: true,
      unsubscribeGroup: 'news',
    });
    expect(found.idempotencyKey).toBe('k');
  });

  it.each([
    [['X-SMTPAPI: {'], 'X-SMTPAPI must be a JSON object.'],
    [[`X-SMTPAPI: {"category":[${'"a",'.repeat(20_000)}"a"]}`], 'X-SMTPAPI must have at most 10 items.'],
    [['X-SMTPAPI: {"to":["a@x.test"]}'], /to is not here, send one message for each recipient/],
    [['X-SMTPAPI: {"send_at":"now"}'], /send_at must be in Unix seconds/],
    [['X-SMTPAPI: {"filters":[]}'], /filters must be an object/],
    [['X-Mailgun-Drop-Message: yes'], /no test mode/],
    [['X-Mailgun-Recipient-Variables: {}'], /one message for each recipient/],
    [['X-Mailgun-Deliver-By: whenever'], /must be a date/],
    [['X-SES-MESSAGE-TAGS: kind'], /must be name=value/],
  ])('%j are refused with words', (lines, words) => {
    expect(wrong(...lines)).toMatch(words);
  });
});
