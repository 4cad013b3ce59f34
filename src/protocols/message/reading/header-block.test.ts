import { describe, expect, it } from 'vitest';
import { fieldValue, MAX_HEADER_BYTES, readHeaderBlock } from './header-block.ts';

const read = (text: string | Buffer) => readHeaderBlock(Buffer.from(text as string));
const problemOf = (text: string | Buffer) => {
  const block = read(text);
  return block.ok ? null : block.message;
};

describe('a header', () => {
  it('is its fields as they stand, and where the body begins', () => {
    const block = read('Subject:  folded\r\n\tline \r\nX-EMPTY:\r\nx-odd : 1\r\n\r\nbody\r\n');
    expect(block).toMatchObject({ ok: true, bodyAt: 49 });
    expect(block.ok && block.fields).toEqual([
      { name: 'subject', text: 'Subject:  folded\r\n\tline ' },
      { name: 'x-empty', text: 'X-EMPTY:' },
      { name: 'x-odd', text: 'x-odd : 1' },
    ]);
    expect(block.ok && block.fields.map(fieldValue)).toEqual(['folded\tline', '', '1']);
  });

  it('may be all there is, or not be there', () => {
    expect(read('A: b\r\n')).toMatchObject({ ok: true, bodyAt: 6, fields: [{ name: 'a' }] });
    expect(read('\r\nbody')).toMatchObject({ ok: true, bodyAt: 2, fields: [] });
  });

  it.each([
    [
      'a line that is no field',
      'A: b\r\nhello there\r\n\r\n',
      'has no field in line 2; an empty line ends it',
    ],
    ['a line feed alone', 'A: b\nC: d\r\n\r\n', 'has a line that does not end with CRLF: line 1'],
    ['a line that goes on from nothing', ' A: b\r\n\r\n', 'has no field in line 1; an empty line ends it'],
    ['Latin-1', Buffer.from('Subject: Gr\xfc\xdfe\r\n\r\n', 'latin1'), expect.stringContaining('RFC 2047')],
    ['too many fields', `${'A: b\r\n'.repeat(1_001)}\r\n`, 'has more than 1000 fields'],
    ['too many bytes', `A: ${'b'.repeat(MAX_HEADER_BYTES)}\r\n\r\n`, 'is longer than 256 KiB'],
  ])('is refused with %s', (_what, text, words) => {
    expect(problemOf(text)).toEqual(words);
  });

  it('may have UTF-8 in it', () => {
    const block = read('Subject: Grüße\r\n\r\n');
    expect(block.ok && block.fields[0]?.text).toBe('Subject: Grüße');
  });
});
