import fc from 'fast-check';
import PostalMime from 'postal-mime';
import { describe, expect, it } from 'vitest';
import { mailbox } from '../../../test/support/addresses.ts';
import { atOnce } from '../../runtime/sliced-work.ts';
import { composing, type Mailbox, type MessageParts, writingWire } from './compose.ts';
import type { Attachment } from './mime.ts';

const composeMessage = (...args: Parameters<typeof composing>) => atOnce(composing(...args));
const toWire = (...args: Parameters<typeof writingWire>) => atOnce(writingWire(...args));

const basic: MessageParts = {
  id: '01932e1b-7c2a-7000-8000-0123456789ab',
  dateMs: Date.UTC(2024, 10, 15, 2, 6, 0),
  messageIdDomain: 'example.com',
  from: mailbox('shop@example.com', 'Shop'),
  to: [mailbox('jane@example.org')],
  cc: [],
  replyTo: [],
  subject: 'Hello',
  html: null,
  text: 'Hello Jane\n',
  headers: [],
  attachments: [],
};

const png: Attachment = {
  filename: 'logo.png',
  content: Buffer.from([0x89, 0x50]),
  contentType: 'image/png',
  contentId: 'logo',
};
const pdf: Attachment = {
  filename: 'invoice.pdf',
  content: Buffer.from('%PDF'),
  contentType: 'application/pdf',
  contentId: null,
};

function compose(changes: Partial<MessageParts>): string {
  return toWire(composeMessage({ ...basic, ...changes })).toString('utf8');
}

/** The tree of content types, in the order of the wire: what is nested in what. */
function contentTypes(wire: string): string[] {
  return [...wire.matchAll(/^Content-Type: ([a-z]+\/[a-z0-9-]+)/gm)].map((match) => match[1] as string);
}

describe('a message for a server without SMTPUTF8', () => {
  const to = [
    mailbox('jane@example.org'),
    mailbox('josé@example.org', 'José, Ltd'),
    mailbox('bob@münchen.example', 'Bob'),
    mailbox(`${'ä'.repeat(32)}@example.org`),
  ];

  it('has nothing but ASCII in it, and says who else got it', async () => {
    const wire = compose({ to, cc: [mailbox('用户@example.org')], inAscii: true });
    expect(wire).not.toMatch(/[^\r\n -~]/);
    const { to: read, cc } = await PostalMime.parse(wire);
    expect(read?.map((one) => ('group' in one && one.group ? { group: one.name } : one.address))).toEqual([
      'jane@example.org',
      { group: 'José, Ltd josé@example.org' },
      'bob@xn--mnchen-3ya.example',
      { group: `${'ä'.repeat(32)}@example.org` },
    ]);
    expect(cc).toMatchObject([{ name: '用户@example.org', group: [] }]);
  });

  it('is written so only where it is asked for', () => {
    expect(compose({ to })).toContain('<josé@example.org>');
  });
});

describe('a message', () => {
  it('with only text is one plain part', () => {
    expect(compose({})).toBe(
      [
        'From: Shop <shop@example.com>',
        'To: jane@example.org',
        'Subject: Hello',
        'Date: Fri, 15 Nov 2024 02:06:00 +0000',
        'Message-ID: <01932e1b-7c2a-7000-8000-0123456789ab@example.com>',
        'MIME-Version: 1.0',
        'Content-Type: text/plain; charset=utf-8',
        'Content-Transfer-Encoding: 7bit',
        '',
        'Hello Jane',
        '',
      ].join('\r\n'),
    );
  });

  it.each([
    ['html alone', { text: null, html: '<p>' }, ['text/html']],
    ['nothing', { text: null }, ['text/plain']],
    ['text and html', { html: '<p>' }, ['multipart/alternative', 'text/plain', 'text/html']],
    [
      'html with an inline image',
      { text: null, html: '<p>', attachments: [png] },
      ['multipart/related', 'text/html', 'image/png'],
    ],
    [
      'everything',
      { html: '<p>', attachments: [pdf, png] },
      [
        'multipart/mixed',
        'multipart/alternative',
        'text/plain',
        'multipart/related',
        'text/html',
        'image/png',
        'application/pdf',
      ],
    ],
    [
      'an image named inline but no html',
      { attachments: [png] },
      ['multipart/mixed', 'text/plain', 'image/png'],
    ],
    [
      'an attached message, as it is',
      { attachments: [{ ...pdf, content: Buffer.from('From: a@b.c\n\nHi'), contentType: 'message/rfc822' }] },
      ['multipart/mixed', 'text/plain', 'message/rfc822'],
    ],
    [
      'an attached message of 8-bit lines, which may be neither sent nor encoded as one',
      { attachments: [{ ...pdf, content: Buffer.from('From: a@b.c\n\né'), contentType: 'message/rfc822' }] },
      ['multipart/mixed', 'text/plain', 'application/octet-stream'],
    ],
  ] as const)('of %s has the right parts', (_, changes, expected) => {
    expect(contentTypes(compose(changes))).toEqual(expected);
  });

  it('is the same bytes when it is composed again', () => {
    const changes = { html: '<p>é', attachments: [pdf, png] };
    expect(compose(changes)).toBe(compose(changes));
  });

  it('is sent as 7bit, quoted-printable or base64 by what its text needs', () => {
    const encoding = (text: string) =>
      /^Content-Transfer-Encoding: (.*)$/m.exec(compose({ text }))?.[1]?.trim();
    expect(encoding('short lines\nof ASCII')).toBe('7bit');
    expect(encoding('x'.repeat(77))).toBe('quoted-printable');
    expect(encoding('mostly ASCII with one é')).toBe('quoted-printable');
    expect(encoding('日本語の本文')).toBe('base64');
  });

  it('cannot be ended early by a text that contains the boundary', async () => {
    const text = `one\r\n--=_a_${basic.id}--\r\ntwo`;
    const parsed = await PostalMime.parse(compose({ text, html: '<p>three' }));
    expect(parsed.text?.trim()).toBe(text.replaceAll('\r\n', '\n'));
    expect(parsed.html?.trim()).toBe('<p>three');
  });

  it('to hidden recipients only names none', () => {
    expect(compose({ to: [] })).toContain('\r\nTo: undisclosed-recipients:;\r\n');
    expect(compose({ to: [], cc: basic.to })).not.toContain('To:');
  });

  it('leaves out headers that only servers may write, should mail have been accepted with them', () => {
    const message = compose({
      headers: [
        ['Resent-To', 'x@y.example'],
        ['X-Postrider-Ref', 'x'],
        ['X-A', 'kept'],
      ],
    });
    expect(message).toContain('X-A: kept\r\n');
    expect(message).not.toMatch(/resent|x-postrider/i);
  });

  it('has one Reply-To, the field rather than the custom header', () => {
    const wire = compose({
      replyTo: [mailbox('help@example.com')],
      headers: [['reply-to', 'x@y.example']],
    });
    expect(wire.match(/^reply-to:.*/gim)).toEqual(['Reply-To: help@example.com']);
    expect(compose({ headers: [['Reply-To', 'x@y.example']] })).toContain('Reply-To: x@y.example\r\n');
  });

  it('has everybody who gets the answers in one Reply-To', () => {
    const replyTo = [mailbox('help@example.com', 'Hilfe, für alle'), mailbox('sales@example.com')];
    expect(compose({ replyTo })).toContain(
      'Reply-To: =?UTF-8?Q?Hilfe=2C_f=C3=BCr_alle?= <help@example.com>,\r\n sales@example.com\r\n',
    );
  });

  it('keeps an internationalized mailbox name as raw UTF-8', () => {
    expect(compose({ to: [mailbox('jürgen@münchen.de', 'Jürgen')] })).toContain(
      'To: =?UTF-8?Q?J=C3=BCrgen?= <jürgen@xn--mnchen-3ya.de>\r\n',
    );
  });

  it.each([
    '"a \\" <b>, @c"@example.com',
    '""@example.com',
    '"\\\\"@example.com',
    "!#$%&'*+-/=?^_`{|}~.a@example.com",
    '用户@例子.广告',
    'a@[192.0.2.1]',
    'a@[IPv6:2001:db8::1]',
  ])('is from %s, as whatever is an address can be written', (text) => {
    const from = mailbox(text);
    expect(compose({ from })).toContain(`From: ${from.email}\r\n`);
  });

  it.each([
    ['subject', { subject: 'a\r\nBcc: x@y.example' }],
    ['subject', { subject: 'a\0b' }],
    ['display name', { from: mailbox('a@example.com', 'a\nBcc: x@y.example') }],
    ['address', { from: { email: 'a@example.com>\r\nBcc: x@y.example', name: null } }],
    ['address', { from: { email: 'a@example.com>, <b@example.com', name: null } }],
    ['address', { from: { email: 'a@example.com, b@example.com', name: null } }],
    ['recipient', { to: [{ email: '"\n"@example.com', name: null }] }],
    ['reply-to', { replyTo: [mailbox('a@example.com', '\r')] }],
    ['header name', { headers: [['X\r\nBcc', 'x']] }],
    ['header of ours', { headers: [['Bcc', 'x@y.example']] }],
    ['header value', { headers: [['X-A', 'x\r\nBcc: y']] }],
    ['id', { id: 'x\r\nBcc: y' }],
    ['Message-ID domain', { messageIdDomain: 'x>\r\nBcc: y' }],
    ['date', { dateMs: Number.NaN }],
    ['file name', { attachments: [{ ...pdf, filename: 'a\r\nb' }] }],
    ['content type', { attachments: [{ ...pdf, contentType: 'a/b\r\nX: y' }] }],
    ['content type', { attachments: [{ ...pdf, contentType: 'a/b; c="' }] }],
    ['content id', { html: '', attachments: [{ ...png, contentId: 'a>\r\nX: y' }] }],
  ] as const)('with a hostile %s is not composed', (_, changes) => {
    expect(() => compose(changes as unknown as Partial<MessageParts>)).toThrow();
  });
});

describe('any message reads back as what was asked', () => {
  const noLines = (text: string) => text.replace(/[\r\n\0]/g, '');
  const hostile = fc.constantFrom(
    '\r',
    '\n',
    '\r\n',
    '.',
    '..\r\n.',
    '\r\n.\r\n',
    ' ',
    '  \n',
    '\t\r',
    '=',
    '=\r\n',
    '--',
    '--=_m_',
    '\u200f',
    '\u202e',
    '👩‍👩‍👧',
    '\ud800',
    'From ',
    '\u0000',
    '\ufeff',
    'é',
    '漢字',
    '"',
    ',',
    '<',
    '>',
    '\\',
    ';',
    '=?UTF-8?Q?x?=',
  );
  const anyText = fc.oneof(
    fc
      .array(fc.oneof(hostile, fc.string({ unit: 'grapheme', maxLength: 40 })), { maxLength: 30 })
      .map((list) => list.join('')),
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.string({ unit: 'grapheme-ascii', maxLength: 1200 }),
    fc.lorem({ maxCount: 60 }),
  );
  const header = anyText.map((text) => noLines(text).slice(0, 900));
  const addresses = [
    'a@example.com',
    'Long.Name+tag@sub.example.org',
    'jürgen@example.com',
    '用户@例子.广告',
    `${'x'.repeat(64)}@${'y'.repeat(60)}.example`,
  ].map((text) => mailbox(text).email);
  const someone: fc.Arbitrary<Mailbox> = fc.record({
    email: fc.constantFrom(...addresses),
    name: fc.option(header.map((text) => text.slice(0, 200))),
  });
  const attachment: fc.Arbitrary<Attachment> = fc.record({
    // The oracle decodes encoded words even inside RFC 2231 values, so names must not look like one.
    filename: header.map((text) => `f${text.slice(0, 120).replaceAll('=?', '')}`),
    content: fc.oneof(
      fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes)),
      anyText.map((text) => Buffer.from(text)),
      fc.lorem({ maxCount: 60 }).map((text) => Buffer.from(text.replaceAll(' ', '\n'))),
    ),
    contentType: fc.constantFrom('application/pdf', 'image/png', 'text/csv; charset=utf-8', 'text/x-log'),
    contentId: fc.option(fc.constantFrom('logo', 'a.b@example.com', `${'i'.repeat(150)}@x`)),
  });
  const parts: fc.Arbitrary<MessageParts> = fc.record({
    id: fc.uuid(),
    dateMs: fc.integer({ min: 0, max: 4e12 }),
    messageIdDomain: fc.constant('example.com'),
    from: someone,
    to: fc.array(someone, { maxLength: 4 }),
    cc: fc.array(someone, { maxLength: 2 }),
    replyTo: fc.array(someone, { maxLength: 10 }),
    subject: header,
    html: fc.option(anyText),
    text: fc.option(anyText),
    headers: fc.array(
      fc.tuple(
        fc.constantFrom('X-One', 'X-Two'),
        header.map((text) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/gu, '')),
      ),
      { maxLength: 2 },
    ),
    attachments: fc.array(attachment, { maxLength: 3 }),
  });

  it('in its bytes: only CRLF, 7-bit, short lines, no header that was not asked for', () => {
    fc.assert(
      fc.property(parts, (message) => {
        const composed = composeMessage(message);
        const wire = toWire(composed);
        const binary = wire.toString('latin1');
        expect(binary.replaceAll('\r\n', '')).not.toMatch(/[\r\n\0]/);
        expect(Math.max(...binary.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(998);
        expect(binary.endsWith('\r\n')).toBe(true);
        const ascii = wire.toString('utf8').replaceAll('jürgen@', '').replaceAll('用户@', '');
        expect(ascii).toMatch(/^[\x00-\x7f]*$/);
        for (const line of composed.body.toString('latin1').split('\r\n'))
          expect(line.length).toBeLessThanOrEqual(210);
        const names = composed.headers.map((field) => field.slice(0, field.indexOf(':')));
        expect(names.filter((name) => !name.startsWith('Content-'))).toEqual(expectedNames(message));
        for (const field of composed.headers) expect(field.replaceAll('\r\n ', '')).not.toMatch(/[\r\n]/);
      }),
      { numRuns: 300 },
    );
  });

  it('to an independent parser', async () => {
    await fc.assert(
      fc.asyncProperty(parts, async (message) => {
        const parsed = await PostalMime.parse(toWire(composeMessage(message)), {
          attachmentEncoding: 'arraybuffer',
        });
        expect(squash(parsed.subject ?? '')).toBe(squash(message.subject));
        expect(parsed.messageId).toBe(`<${message.id}@example.com>`);
        expect(Date.parse(parsed.date as string)).toBe(Math.floor(message.dateMs / 1000) * 1000);
        expect(mailboxes([parsed.from])).toEqual(wanted([message.from]));
        expect(mailboxes(parsed.to)).toEqual(wanted(message.to));
        expect(mailboxes(parsed.cc)).toEqual(wanted(message.cc));
        expect(mailboxes(parsed.replyTo)).toEqual(wanted(message.replyTo));
        if (message.html !== null) expect(body(parsed.html)).toBe(body(message.html));
        if (message.text !== null) expect(body(parsed.text)).toBe(body(message.text));
        const files = parsed.attachments.map((file) => [
          squash(file.filename ?? ''),
          file.mimeType,
          asFile(Buffer.from(file.content as ArrayBuffer), file.mimeType),
          file.contentId ?? null,
        ]);
        expect(sorted(files)).toEqual(sorted(message.attachments.map(wantedFile)));
      }),
      { numRuns: 300 },
    );
  });

  function expectedNames(message: MessageParts): string[] {
    return [
      'From',
      ...(message.to.length > 0 ? ['To'] : []),
      ...(message.cc.length > 0 ? ['Cc'] : []),
      ...(message.to.length + message.cc.length === 0 ? ['To'] : []),
      ...(message.replyTo.length > 0 ? ['Reply-To'] : []),
      'Subject',
      'Date',
      'Message-ID',
      ...message.headers.map(([name]) => name),
      'MIME-Version',
    ];
  }

  function wanted(list: readonly Mailbox[]): { name: string; address: string }[] {
    const aLabels = (address: string) => address.replace('例子.广告', 'xn--fsqu00a.xn--4rr70v');
    return list.map((item) => ({ name: squash(item.name ?? ''), address: aLabels(item.email) }));
  }

  function mailboxes(list: readonly unknown[] | undefined): { name: string; address: string }[] {
    const found = (list ?? []) as { name?: string; address?: string; group?: unknown[] }[];
    return found
      .filter((item) => item?.group === undefined)
      .map((item) => ({ name: squash(item.name ?? ''), address: item.address ?? '' }));
  }

  function wantedFile(file: Attachment): unknown[] {
    return [
      squash(file.filename),
      file.contentType.split(';')[0],
      asFile(file.content, file.contentType),
      file.contentId === null ? null : `<${file.contentId}>`,
    ];
  }

  /** The oracle ends the last line of what is not in base64. That octets are kept is proved in file-content.test.ts. */
  function asFile(content: Buffer, type: string): string {
    return type.startsWith('text/')
      ? content.toString('latin1').replace(/\n*$/, '\n')
      : content.toString('hex');
  }

  function sorted(files: readonly unknown[][]): string[] {
    return files.map((file) => JSON.stringify(file)).sort();
  }

  /** The oracle trims and joins blanks in header texts; what is compared is everything else. */
  function squash(text: string): string {
    return wellFormed(text).replace(/\s+/gu, ' ').trim();
  }

  /** The oracle's text decoder also swallows byte order marks at the start of what it decodes. */
  function wellFormed(text: string): string {
    return text.replace(/\p{Cs}/gu, '\ufffd').replaceAll('\ufeff', '');
  }

  function body(text: string | undefined): string {
    return wellFormed(text ?? '')
      .replace(/\r\n?|\n/g, '\n')
      .replace(/\n+$/, '');
  }
});
