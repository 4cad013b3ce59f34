import fc from 'fast-check';
import PostalMime from 'postal-mime';
import { describe, expect, it } from 'vitest';
import { mailbox } from '../../../../test/support/addresses.ts';
import { turnsOfOthers } from '../../../../test/support/others-turns.ts';
import { runs } from '../../../../test/support/property-runs.ts';
import { atOnce } from '../../../runtime/sliced-work.ts';
import { composing, writingWire } from '../compose.ts';
import { parseMessage } from './parsed-message.ts';

const composeMessage = (...args: Parameters<typeof composing>) => atOnce(composing(...args));
const toWire = (...args: Parameters<typeof writingWire>) => atOnce(writingWire(...args));

const parts = {
  id: '01932e1b-7c2a-7000-8000-0123456789ab',
  dateMs: 0,
  messageIdDomain: 'shop.example',
  from: mailbox('a@shop.example'),
  to: [mailbox('b@shop.example')],
  ...{ cc: [], replyTo: [], subject: 'Files', html: null, text: 'See below.', headers: [] },
};

const message = (...lines: string[]) => Buffer.from(`${lines.join('\r\n')}\r\n`);
const mixed = (...inner: string[][]) =>
  message(
    'Content-Type: multipart/mixed; boundary=b',
    '',
    ...inner.flatMap((one) => ['--b', ...one]),
    '--b--',
  );

describe('the files of a captured message', () => {
  it.each([
    ['a text without a last line end', 'text/plain', 'one\ntwo'],
    ['a text of empty lines', 'text/plain', 'a long line to begin with\r\n\r\n\n'],
    ['a text in base64', 'text/plain', '日本語の本文\n'],
    ['something else', 'application/pdf', '%PDF\n'],
  ])('are those that were sent: %s', async (_, contentType, text) => {
    const content = Buffer.from(text);
    const file = { filename: 'a.txt', content, contentType, contentId: null };
    const { attachments } = await parseMessage(toWire(composeMessage({ ...parts, attachments: [file] })));
    expect(attachments[0]?.content.toString()).toBe(text);
    expect(attachments[0]?.size).toBe(content.length);
  });

  it('are all parts that are not displayed', async () => {
    const { attachments, text } = await parseMessage(
      mixed(
        ['Content-Type: text/calendar; name=i.ics', '', 'BEGIN:VCALENDAR'],
        ['Content-Type: message/rfc822', '', 'Subject: old', '', 'old'],
        ['Content-Type: text/plain', 'Content-Disposition: inline; filename=notes.txt', '', 'notes'],
        ['Content-Type: text/html', 'Content-Disposition: attachment', 'Content-ID: <c@x>', '', '<p>'],
        ['', 'shown'],
      ),
    );
    expect(text).toBe('shown');
    expect(attachments).toMatchObject([
      { filename: 'i.ics', content_type: 'text/calendar', content: Buffer.from('BEGIN:VCALENDAR') },
      { filename: null, content_type: 'message/rfc822', content: Buffer.from('Subject: old\r\n\r\nold') },
      { filename: 'notes.txt', content_type: 'text/plain', content: Buffer.from('notes') },
      { filename: null, content_type: 'text/html', content_id: 'c@x' },
    ]);
  });

  it('are read up to the thousandth', async () => {
    const { attachments } = await parseMessage(
      mixed(...Array.from({ length: 1_500 }, (_, at) => ['Content-Type: application/x', '', `${at}`])),
    );
    expect(attachments).toHaveLength(1_000);
    expect(attachments.at(-1)?.content.toString()).toBe('999');
  });

  it('stand behind a text with many lines that begin like a delimiter', async () => {
    const { text, attachments } = await parseMessage(
      mixed(['', '-- a comment\r\n'.repeat(20_000)], ['Content-Type: application/x', '', 'file']),
    );
    expect(text).toHaveLength(13 * 20_000);
    expect(attachments.map(({ content }) => content.toString())).toEqual(['file']);
  });
});

describe('the texts of a captured message', () => {
  it('are all there where it has many', async () => {
    const texts = Array.from({ length: 40 }, (_, at) => `${at} ${'<x>'.repeat(20_000)}`);
    const html = ['Content-Type: text/html', '', '<p>y</p>'];
    const parsed = await parseMessage(mixed(html, ...texts.map((text) => ['', text]), html));
    expect(parsed.text === texts.join('\n')).toBe(true);
    expect(parsed.html).toBe('<p>y</p>\n<p>y</p>');
    expect(parsed.attachments).toEqual([]);
  });

  it.each(['base64', 'quoted-printable', '8bit'])(
    'are decoded from %s where that takes several steps',
    async (encoding) => {
      const lines = Array.from({ length: 9_000 }, (_, n) => `line ${n} of = a body\tä`).join('\r\n');
      const bytes = Buffer.from(lines);
      const body = encoding === 'base64' ? bytes.toString('base64').replace(/.{76}/g, '$&\r\n') : lines;
      const fields = [`Content-Transfer-Encoding: ${encoding}`, '', body];
      const parsed = await parseMessage(
        mixed(
          ['Content-Type: text/plain; charset=utf-8', ...fields],
          ['Content-Type: application/x', ...fields],
          ['', 'last'],
        ),
      );
      expect(parsed.text === `${lines.replaceAll('\r\n', '\n')}\nlast`).toBe(true);
      expect(parsed.attachments.map(({ content }) => content.equals(bytes))).toEqual([true]);
    },
  );

  it('have the same line ends where these lie on the edge of a step', async () => {
    const end = fc.array(fc.constantFrom('\r', '\n', '\r\n', 'a'), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 32_758, max: 32_768 }), end, async (before, pieces) => {
        const body = `${'x'.repeat(before)}${pieces.join('')}`;
        const { text } = await parseMessage(Buffer.from(`Subject: x\r\n\r\n${body}`));
        expect(text === body.replaceAll('\r\n', '\n')).toBe(true);
      }),
    );
  });

  it('are read in UTF-16', async () => {
    const body = Buffer.from('\ufeffälter\r\nЍ\r\n', 'utf16le');
    const head = Buffer.from('Content-Type: text/plain; charset=utf-16\r\n\r\n');
    expect((await parseMessage(Buffer.concat([head, body]))).text).toBe('älter\nЍ\n');
  });

  it('are joined where they are flowed', async () => {
    const flowed = 'Content-Type: text/plain; charset=utf-8; Format=Flowed; DelSp=Yes';
    expect((await parseMessage(message(flowed, '', '日本 ', '語'))).text).toBe('日本語\n');
  });
});

describe('the header of a captured message', () => {
  it('has all addresses as they were written', async () => {
    const { addresses, subject } = await parseMessage(
      message(
        'From: =?utf-8?Q?J=C3=B6rg?= <J@Müller.Test>',
        'To: Team: a@x.test, "B, C" <b@x.test>;',
        'To: nobody',
        'Cc: <c d>',
        `Subject: =?utf-8?Q?${'=C3=A4'.repeat(2_000)}?=`,
        '',
      ),
    );
    expect(addresses).toEqual({
      from: [{ email: 'J@Müller.Test', name: 'Jörg' }],
      to: [
        { email: 'a@x.test', name: null },
        { email: 'b@x.test', name: 'B, C' },
        { email: 'nobody', name: null },
      ],
      cc: [{ email: 'c d', name: null }],
      reply_to: [],
    });
    expect(subject).toBe('ä'.repeat(2_000));
  });

  it.each([
    ['one field in one line', `X-Long: ${'x'.repeat(1_000_000)}\r\n`, 'X-Long'],
    ['one field of many lines', `X-Long: x${'\r\n x'.repeat(250_000)}\r\n`, 'X-Long'],
    ['many fields', 'X-Many: x\r\n'.repeat(90_000), 'X-Many'],
  ])('is read at its beginning with %s, and the body behind it', async (_what, header, wanted) => {
    const { headers, subject, text } = await parseMessage(Buffer.from(`Subject: s\r\n${header}\r\nbody\r\n`));
    expect({ subject, text }).toEqual({ subject: 's', text: 'body\n' });
    expect(headers.filter(({ name }) => name === wanted).length).toBeGreaterThan(0);
    expect(headers.length).toBeLessThanOrEqual(2_000);
  });
});

describe('a captured message that is well-formed', () => {
  const encoded = fc
    .tuple(
      fc.string({
        unit: fc.constantFrom('a', 'ä', '€', '=', ' b', '\r\n', '<p>', '--b', '.'),
        maxLength: 60,
      }),
      fc.constantFrom('base64', 'quoted-printable', '8bit'),
    )
    .map(([text, encoding]) => {
      const bytes = Buffer.from(`x${text}y`);
      const escaped = [...bytes].map((byte) => `=${byte.toString(16).padStart(2, '0').toUpperCase()}`);
      const body = {
        base64: bytes.toString('base64'),
        'quoted-printable': escaped.join(''),
        '8bit': `x${text}y`,
      };
      return [`Content-Transfer-Encoding: ${encoding}`, '', body[encoding as keyof typeof body]];
    });
  const leaf = (type: string) => encoded.map((body) => [`Content-Type: ${type}`, ...body]);
  const text = leaf('text/plain; charset=utf-8');
  const html = leaf('text/html; charset="UTF-8"');
  const file = fc
    .tuple(leaf('application/x; name="=?utf-8?Q?n=C3=B6te?="'), fc.constantFrom('attachment', 'inline'))
    .map(([[type = '', ...rest], disposition]) => [type, `Content-Disposition: ${disposition}`, ...rest])
    .filter((lines) => !lines.includes('Content-Transfer-Encoding: 8bit'));
  const multipart = (kind: string, boundary: string, inner: readonly string[][]) => [
    `Content-Type: multipart/${kind}; boundary="${boundary}"`,
    ...['', 'preamble', ...inner.flatMap((one) => [`--${boundary}`, ...one]), `--${boundary}--`],
  ];
  const both = fc.tuple(text, html).map((inner) => multipart('alternative', '=_a', inner));
  const related = fc.tuple(html, file).map((inner) => multipart('related', '=_r', inner));
  const body = fc.oneof(text, html, both, related);
  const many = fc.tuple(fc.oneof(both, related), fc.array(file)).map(([one, files]) => [one, ...files]);
  const texts = fc.array(fc.oneof(text, file), { minLength: 1 });
  const whole = fc.oneof(
    body,
    fc.oneof(many, texts).map((inner) => multipart('mixed', '=_m', inner)),
  );

  it('is what postal-mime makes of it', async () => {
    await fc.assert(
      fc.asyncProperty(whole, async (lines) => {
        const raw = message('From: A <a@b.test>', 'To: c@d.test', 'Subject: =?utf-8?q?=C3=A4?= b', ...lines);
        const ours = await parseMessage(raw);
        const theirs = await new PostalMime({ attachmentEncoding: 'arraybuffer' }).parse(raw);
        expect(comparable(ours)).toEqual({
          subject: theirs.subject,
          headers: theirs.headers.map(({ originalKey, value }) => [originalKey, value]),
          text: lineless(theirs.text),
          html: lineless(theirs.html),
          files: theirs.attachments.map(({ filename, mimeType, content }) => [
            ...[
              filename,
              mimeType,
              Buffer.from(content as ArrayBuffer)
                .toString('latin1')
                .trimEnd(),
            ],
          ]),
        });
      }),
      runs(500),
    );
  });

  function comparable({
    subject,
    headers,
    text,
    html,
    attachments,
  }: Awaited<ReturnType<typeof parseMessage>>) {
    return {
      subject,
      headers: headers.map(({ name, value }) => [name, value]),
      text: lineless(text),
      html: lineless(html),
      files: attachments.map((one) => [
        ...[one.filename, one.content_type, one.content.toString('latin1').trimEnd()],
      ]),
    };
  }

  /** postal-mime ends every text with a line end. */
  function lineless(text: string | null | undefined): string[] {
    return (text ?? '').split(/[\r\n]+/).filter(Boolean);
  }
});

describe('a long captured message', () => {
  it('has all of its text', async () => {
    const text = 'ä line of text\n'.repeat(100_000);
    const parsed = await parseMessage(Buffer.from(`Subject: x\r\n\r\n${text}`));
    expect(parsed.text === text).toBe(true);
  });

  it('lets others have their turns', async () => {
    const lines = Buffer.from(
      `Content-Transfer-Encoding: quoted-printable\r\n\r\n${'\r\n'.repeat(8_000_000)}`,
    );
    expect(await turnsOfOthers(() => parseMessage(lines))).toBeGreaterThan(3);
  });
});
