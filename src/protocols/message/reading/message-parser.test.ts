import fc from 'fast-check';
import PostalMime from 'postal-mime';
import { describe, expect, it } from 'vitest';
import { turnsOfOthers } from '../../../../test/support/others-turns.ts';
import { MessageParser } from './message-parser.ts';

/** What both make of a message; their errors count as well. */
async function both(raw: Buffer) {
  const options = { attachmentEncoding: 'arraybuffer', forceRfc822Attachments: true } as const;
  return Promise.all([
    new MessageParser().parseInTurns(raw).then(comparable, String),
    new PostalMime(options).parse(raw).then(comparable, String),
  ]);
}

function comparable({ attachments, ...email }: Awaited<ReturnType<PostalMime['parse']>>) {
  const files = attachments.map(({ content, ...file }) => ({
    ...file,
    content: Buffer.from(content as ArrayBuffer).toString('latin1'),
  }));
  return { ...email, files };
}

async function expectSame(raw: Buffer): Promise<void> {
  const [ours, theirs] = await both(raw);
  expect(ours).toEqual(theirs);
}

const line = fc.constantFrom(
  '--b',
  '--b--',
  '--b ',
  '--bc',
  '--c',
  '--c--',
  'Content-Type: text/plain; charset=iso-8859-1',
  'Content-Type: text/html',
  'Content-Type: multipart/alternative; boundary=c',
  'Content-Type: text/calendar; method=request',
  'Content-Type: message/rfc822',
  'Content-Disposition: attachment; filename="a b.txt"',
  'Content-Transfer-Encoding: base64',
  'Content-Transfer-Encoding: quoted-printable',
  'Content-ID: <x@y>',
  ' folded',
  'QUJDRA==',
  'QUJD=RA',
  'Q',
  '=41=4=\t=',
  'a=C3=A4=ZZ',
  'soft=',
  '<p>x</p>',
  'text ä',
  '\r\r',
  '',
  '',
);
const messages = fc
  .tuple(
    fc.constantFrom(
      'multipart/mixed; boundary=b',
      'multipart/related; boundary="b"',
      'text/plain',
      'text/html',
    ),
    fc.array(fc.tuple(line, fc.constantFrom('\r\n', '\r\n', '\n', '\r\r\n')), { maxLength: 40 }),
    fc.constantFrom('', 'no line end'),
  )
  .map(([type, lines, last]) =>
    Buffer.from(`From: a@b.c\r\nContent-Type: ${type}\r\n${lines.flat().join('')}${last}`),
  );

describe('a message that is parsed in turns', () => {
  it('is what postal-mime makes of it', async () => {
    await fc.assert(fc.asyncProperty(messages, expectSame), { numRuns: 1_000 });
  });

  it.each(['base64', 'quoted-printable', '8bit'])(
    'is the same where a body in %s takes several steps',
    async (encoding) => {
      const text = Array.from({ length: 9_000 }, (_, n) => `line ${n} of = a body\tä`).join('\r\n');
      const body =
        encoding === 'base64' ? Buffer.from(text).toString('base64').replace(/.{76}/g, '$&\r\n') : text;
      const part = `--b\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${body}\r\n`;
      const file = part.replace('text/plain', 'application/x');
      await expectSame(
        Buffer.from(
          `Content-Type: multipart/mixed; boundary=b\r\n\r\n${part}${file}--b\r\n\r\nlast\r\n--b--\r\n`,
        ),
      );
    },
  );

  it('is the same where line ends lie on the edge of a step', async () => {
    const end = fc.array(fc.constantFrom('\r', '\n', '\r\n', 'a'), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 65_526, max: 65_536 }), end, (before, pieces) =>
        expectSame(Buffer.from(`Subject: x\r\n\r\n${'x'.repeat(before)}${pieces.join('')}`)),
      ),
    );
  });

  it('is the same where a long text stands beside html', async () => {
    const text = `<"a & b">?\n'c' `.repeat(12_000);
    await expectSame(
      Buffer.from(
        `Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n<p>x</p>\r\n--b\r\n\r\n${text}\r\n--b--\r\n`,
      ),
    );
  });

  it('has all of many texts, and the beginning of them in the html beside them', async () => {
    const texts = Array.from({ length: 40 }, (_, at) => `${at} ${'<x>'.repeat(20_000)}`);
    const parts = texts.map((text) => `--b\r\n\r\n${text}\r\n`).join('');
    const raw = `Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n<p>y</p>\r\n${parts}--b--\r\n`;
    const { text = '', html = '' } = await new MessageParser().parseInTurns(Buffer.from(raw));
    expect(texts.filter((one) => !text.includes(one))).toEqual([]);
    expect(html).toContain('<p>y</p>');
    expect(html.length).toBeLessThan(2_000_000);
  });

  it('has all of a text that is longer than what postal-mime is shown', async () => {
    const text = 'ä line of text\n'.repeat(100_000);
    const email = await new MessageParser().parseInTurns(Buffer.from(`Subject: x\r\n\r\n${text}`));
    expect(email.text).toBe(text);
  });

  it('reads 1,000 parts, and takes what follows for the end of the last one', async () => {
    const parts = '--b\r\nContent-Type: application/x\r\n\r\na\r\n'.repeat(1_500);
    const email = await new MessageParser().parseInTurns(
      Buffer.from(`Content-Type: multipart/mixed; boundary=b\r\n\r\n${parts}--b--\r\n`),
    );
    const contents = email.attachments.map(({ content }) => Buffer.from(content as ArrayBuffer).toString());
    expect(contents).toHaveLength(1_000);
    expect(contents[0]).toBe('a\n');
    expect(contents.at(-1)?.match(/--b/g)).toHaveLength(501);
  });

  it.each([
    ['one field in one line', `X-Long: ${'x'.repeat(1_000_000)}\r\n`, 'x-long'],
    ['one field of many lines', `X-Long: x${'\r\n x'.repeat(250_000)}\r\n`, 'x-long'],
    ['many fields', 'X-Many: x\r\n'.repeat(100_000), 'x-many'],
  ])('reads the beginning of a header with %s, and the body', async (_what, header, name) => {
    const email = await new MessageParser().parseInTurns(Buffer.from(`Subject: s\r\n${header}\r\nbody\r\n`));
    expect(email).toMatchObject({ subject: 's', text: 'body\n' });
    expect(email.headers.filter(({ key }) => key === name).length).toBeGreaterThan(0);
    expect(email.headers.length).toBeLessThanOrEqual(2_000);
  });

  it('lets others have their turns', async () => {
    const lines = Buffer.from(
      `Content-Transfer-Encoding: quoted-printable\r\n\r\n${'\r\n'.repeat(1_000_000)}`,
    );
    expect(await turnsOfOthers(() => new MessageParser().parseInTurns(lines))).toBeGreaterThan(3);
  });
});
