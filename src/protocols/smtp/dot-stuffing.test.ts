import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { atOnce } from '../../runtime/sliced-work.ts';
import { dotStuffing } from './dot-stuffing.ts';

const dotStuff = (...args: Parameters<typeof dotStuffing>) => atOnce(dotStuffing(...args));

const stuffed = (text: string): string => dotStuff(Buffer.from(text)).bytes.toString();

/** What a server does with the bytes, written independently of the encoder. */
function receive(bytes: Buffer): string {
  const lines = bytes.toString('latin1').split('\r\n');
  expect(lines.pop()).toBe('');
  return lines.map((line) => `${line.startsWith('.') ? line.slice(1) : line}\r\n`).join('');
}

describe('dotStuff', () => {
  it('returns a clean message as the very same buffer', () => {
    const wire = Buffer.from('Subject: a.b\r\n\r\nhello. you\r\n');
    expect(dotStuff(wire).bytes).toBe(wire);
  });

  it.each([
    ['.\r\n', '..\r\n'],
    ['a\r\n.\r\nb\r\n', 'a\r\n..\r\nb\r\n'],
    ['a\r\n..b\r\n', 'a\r\n...b\r\n'],
    ['a', 'a\r\n'],
    ['a\r\n.', 'a\r\n..\r\n'],
    ['a\nb\r\n', 'a\r\nb\r\n'],
    ['a\rb\r\n', 'a\r\nb\r\n'],
    ['a\n.\nMAIL FROM:<x>\r\n', 'a\r\n..\r\nMAIL FROM:<x>\r\n'],
    ['a\r.\r\n', 'a\r\n..\r\n'],
    ['a\r', 'a\r\n'],
    ['a\r\r\nb\r\n', 'a\r\n\r\nb\r\n'],
    ['\n', '\r\n'],
    ['', ''],
  ])('writes %j as %j', (wire, expected) => {
    expect(stuffed(wire)).toBe(expected);
  });

  it('tells 8-bit content from 7-bit', () => {
    expect(dotStuff(Buffer.from('ascii\r\n')).eightBit).toBe(false);
    expect(dotStuff(Buffer.from('é\r\n')).eightBit).toBe(true);
  });

  it('gives every receiver back the message with its line ends made CRLF, and never ends early', () => {
    const piece = fc.constantFrom(
      '.',
      '..',
      '\r',
      '\n',
      '\r\n',
      'a',
      'é',
      ' ',
      '.\r\n',
      '\r\n.\r\n',
      '\n.\n',
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join('')),
        (text) => {
          const wire = Buffer.from(text);
          const { bytes } = dotStuff(wire);
          const onTheWire = `\r\n${bytes.toString('latin1')}`;
          expect(onTheWire).not.toContain('\r\n.\r\n');
          expect(onTheWire).not.toMatch(/\r(?!\n)|(?<!\r)\n/);
          const normal = wire.toString('latin1').replace(/\r\n|\r|\n/g, '\r\n');
          expect(receive(bytes)).toBe(normal === '' || normal.endsWith('\r\n') ? normal : `${normal}\r\n`);
        },
      ),
    );
  });
});
