import { describe, expect, it } from 'vitest';
import { decodeHeaderText } from './encoded-words.ts';
import { decodeCharset } from './part-text.ts';

/** The bytes 0x80 to 0x9F as the web reads them: five of them have no character, and stay control characters. */
const WEB_80_TO_9F =
  '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f' + // 0x80 to 0x8F
  '\x90‘’“”•–—˜™š›œ\x9džŸ'; // 0x90 to 0x9F

const bytesFrom = (first: number, last: number) =>
  Buffer.from(Array.from({ length: last - first + 1 }, (_, i) => first + i));

describe('text in a character set of one byte', () => {
  it.each(['windows-1252', 'iso-8859-1', 'us-ascii', 'latin1', 'cp1252', ' ISO-8859-1 '])(
    'reads all bytes from 0x80 to 0x9F labelled %j as windows-1252, as the web does',
    (charset) => {
      expect(decodeCharset(bytesFrom(0x80, 0x9f), charset)).toBe(WEB_80_TO_9F);
    },
  );

  it('reads the bytes from 0xA0 in windows-1252 as Latin-1', () => {
    const bytes = bytesFrom(0xa0, 0xff);
    expect(decodeCharset(bytes, 'windows-1252')).toBe(bytes.toString('latin1'));
  });

  it('reads the euro sign of a price', () => {
    expect(decodeCharset(Buffer.from([0x35, 0x20, 0x80]), 'windows-1252')).toBe('5 €');
    expect(decodeHeaderText('=?windows-1252?Q?5_=80?=')).toBe('5 €');
    expect(decodeHeaderText('=?us-ascii?B?NSCA?=')).toBe('5 €');
  });

  it.each([
    ['iso-8859-15', [0xa4, 0xa8, 0xbd], '€šœ'],
    ['iso-8859-2', [0xb1, 0xe6, 0xb3], 'ąćł'],
    ['iso-8859-8-i', [0xf9, 0xec, 0xe5, 0xed], 'שלום'],
    ['koi8-r', [0xf0, 0xd2, 0xc9, 0xd7, 0xc5, 0xd4], 'Привет'],
    ['windows-1251', [0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2, 0x98], 'Привет\x98'],
    ['windows-1250', [0x9c, 0xb9], 'śą'],
    ['ibm866', [0x8f, 0xe0, 0x1a, 0x7f], 'Пр\x1a\x7f'],
    ['macintosh', [0x80, 0xdb], 'Ä€'],
  ])('reads %s', (charset, bytes, text) => {
    expect(decodeCharset(Buffer.from(bytes), charset)).toBe(text);
  });

  it('reads a text that is longer than a slice of work', () => {
    const text = decodeCharset(Buffer.alloc(300_000, 0x80), 'windows-1252');
    expect(text).toBe('€'.repeat(300_000));
  });
});

describe('text in other character sets', () => {
  it.each([
    ['utf-8', Buffer.from('5 € \u0080')],
    ['UTF8', Buffer.from('5 € \u0080')],
    ['x-nobody-knows', Buffer.from('5 € \u0080')],
  ])('leaves UTF-8 labelled %s as it is', (charset, bytes) => {
    expect(decodeCharset(bytes, charset)).toBe('5 € \u0080');
  });

  it('reads an unknown character set as windows-1252 where it is not UTF-8', () => {
    expect(decodeCharset(Buffer.from([0xe4, 0x80]), 'x-nobody-knows')).toBe('ä€');
  });

  it.each([
    ['cp932', [0x82, 0xa0], 'あ'],
    ['windows-936', [0xc4, 0xe3], '你'],
    ['CP949', [0xc7, 0xd1], '한'],
    ['x-windows-950', [0xa7, 0x41], '你'],
    ['cp874', [0xa1], 'ก'],
  ])('reads the code page %s', (charset, bytes, text) => {
    expect(decodeCharset(Buffer.from(bytes), charset)).toBe(text);
  });

  it('reads a character of several bytes across two slices of work', () => {
    const bytes = Buffer.concat([Buffer.alloc(128 * 1024 - 1, 'a'), Buffer.from([0x82, 0xa0])]);
    expect(decodeCharset(bytes, 'shift_jis').slice(-2)).toBe('aあ');
  });
});
