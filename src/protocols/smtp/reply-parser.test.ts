import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_REPLY_LINES, MAX_UNTAKEN_REPLIES, type ParsedReply, ReplyParser } from './reply-parser.ts';

function parse(bytes: string | Buffer): { replies: ParsedReply[]; parser: ReplyParser } {
  const parser = new ReplyParser();
  parser.push(Buffer.from(bytes as string));
  return { replies: drain(parser), parser };
}

function drain(parser: ReplyParser): ParsedReply[] {
  const replies: ParsedReply[] = [];
  for (let reply = parser.take(); reply !== null; reply = parser.take()) replies.push(reply);
  return replies;
}

describe('ReplyParser', () => {
  it('reads code, enhanced code and text', () => {
    const { replies } = parse('550 5.1.1 no such user\r\n');
    expect(replies).toEqual([
      { code: 550, enhanced: '5.1.1', text: '5.1.1 no such user', lines: ['5.1.1 no such user'] },
    ]);
  });

  it('joins the lines of a reply and drops the repeated enhanced code', () => {
    const { replies } = parse(
      '550-5.1.1 The account does not\r\n550-5.1.1 exist, see\r\n550 5.1.1 there\r\n',
    );
    expect(replies).toHaveLength(1);
    expect(replies[0]?.text).toBe('5.1.1 The account does not exist, see there');
  });

  it('reads several replies from one chunk in order', () => {
    expect(parse('250 a\r\n250 b\r\n354 c\r\n').replies.map((reply) => reply.text)).toEqual(['a', 'b', 'c']);
  });

  it.each(['250\r\n', '250 \r\n', '250 ok\n'])('accepts the terse or lax %j', (bytes) => {
    expect(parse(bytes).replies[0]?.code).toBe(250);
  });

  it('takes the code of the last line where a server disagrees with itself', () => {
    expect(parse('250-fine\r\n550 not fine\r\n').replies[0]?.code).toBe(550);
  });

  it.each(['5.1 x', '5.1.1111 x', '3.1.1 x', '5.1.1x', '5..1 x', 'x5.1.1'])(
    'sees no enhanced code in %j',
    (text) => {
      expect(parse(`550 ${text}\r\n`).replies[0]?.enhanced).toBeNull();
    },
  );

  it('replaces control characters and keeps other languages', () => {
    expect(parse('550 a\u001b[31m\u0000b \u202eпочта\u009b\r\n').replies[0]?.text).toBe('a?[31m?b ?почта?');
  });

  it('trims the text to about a thousand characters', () => {
    expect(parse(`550-${'x'.repeat(900)}\r\n550 ${'y'.repeat(900)}\r\n`).replies[0]?.text).toHaveLength(1001);
  });

  it.each(['HTTP/1.1 400 Bad\r\n', '\r\n', '25 x\r\n', '199 x\r\n', '600 x\r\n', '250x\r\n', '2a0 x\r\n'])(
    'calls %j garbage',
    (bytes) => {
      expect(parse(bytes).parser.garbage).toMatch(/^not an SMTP reply/);
    },
  );

  it('hands out replies that came before the garbage', () => {
    const { replies, parser } = parse('421 bye\r\n!!\r\n');
    expect(replies.map((reply) => reply.code)).toEqual([421]);
    expect(parser.garbage).not.toBeNull();
  });

  it('calls a line that never ends garbage before it fills memory', () => {
    expect(parse(`250 ${'x'.repeat(5000)}`).parser.garbage).toMatch(/line is longer/);
    expect(parse(`250 ${'x'.repeat(5000)}\r\n`).parser.garbage).toMatch(/line is longer/);
  });

  it('calls a reply of too many lines or bytes garbage', () => {
    expect(parse('250-x\r\n'.repeat(MAX_REPLY_LINES + 1)).parser.garbage).toMatch(/more than 200 lines/);
    expect(parse(`250-${'x'.repeat(4000)}\r\n`.repeat(20)).parser.garbage).toMatch(/reply is longer/);
  });

  it('calls more replies than anybody can have asked for garbage before they fill memory', () => {
    const { replies, parser } = parse('250 ok\r\n'.repeat(10_000));
    expect(parser.garbage).toMatch(/50 replies at once/);
    expect(replies).toHaveLength(MAX_UNTAKEN_REPLIES);
  });

  it('does not count replies that were taken', () => {
    const parser = new ReplyParser();
    for (let i = 0; i < MAX_UNTAKEN_REPLIES * 3; i += 1) {
      parser.push(Buffer.from('250 ok\r\n'));
      parser.take();
    }
    expect(parser.garbage).toBeNull();
  });

  it('knows about bytes that nobody has taken', () => {
    const { parser } = parse('220 go\r\n2');
    expect(parser.hasUntaken).toBe(true);
    expect(parse('220 go\r\n').parser.hasUntaken).toBe(false);
  });

  it('reads the same replies however the bytes are cut', () => {
    const line = fc.string({ unit: 'grapheme', maxLength: 40 }).map((text) => text.replace(/[\r\n]/g, '_'));
    const reply = fc.tuple(
      fc.integer({ min: 200, max: 599 }),
      fc.array(line, { minLength: 1, maxLength: 4 }),
    );
    fc.assert(
      fc.property(
        fc.array(reply, { maxLength: 5 }),
        fc.array(fc.integer({ min: 1, max: 9 })),
        (wanted, cuts) => {
          const wire = wanted
            .map(([code, lines]) =>
              lines.map((text, i) => `${code}${i < lines.length - 1 ? '-' : ' '}${text}\r\n`).join(''),
            )
            .join('');
          const bytes = Buffer.from(wire);
          const parser = new ReplyParser();
          const replies: ParsedReply[] = [];
          let at = 0;
          for (let i = 0; at < bytes.length; i++) {
            const size = cuts.length === 0 ? bytes.length : (cuts[i % cuts.length] ?? 1);
            parser.push(bytes.subarray(at, at + size));
            at += size;
            replies.push(...drain(parser));
          }
          expect(parser.garbage).toBeNull();
          expect(replies).toEqual(parse(bytes).replies);
          expect(replies.map((got) => [got.code, got.lines.length])).toEqual(
            wanted.map(([code, lines]) => [code, lines.length]),
          );
        },
      ),
    );
  });

  it('never throws and never yields control characters, whatever comes', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 10 }), (chunks) => {
        const parser = new ReplyParser();
        for (const chunk of chunks)
          parser.push(Buffer.concat([Buffer.from('250 '), chunk, Buffer.from('\r\n')]));
        for (const reply of drain(parser)) expect(reply.text).not.toMatch(/[\u0000-\u001f\u007f]/);
      }),
    );
  });
});
