import { describe, expect, it } from 'vitest';
import { atOnce } from '../../../runtime/sliced-work.ts';
import { readFields } from './fields.ts';
import { readingWrittenFields } from './written-fields.ts';

function written(header: string | Buffer): [string, string][] {
  const bytes = Buffer.from(header as string);
  const { scanned } = readFields(bytes, 0, bytes.length);
  return atOnce(readingWrittenFields(bytes, scanned)).map(({ name, value }) => [name, value]);
}

describe('the fields of a header as written', () => {
  it('are in order, repeated ones too, with their spelling and their encoded words', () => {
    expect(written('X-a: 1\r\nSUBJECT: =?utf-8?q?=C3=A4?=\r\nX-A:2\r\n\r\n')).toEqual([
      ['X-a', '1'],
      ['SUBJECT', '=?utf-8?q?=C3=A4?='],
      ['X-A', '2'],
    ]);
  });

  it('are unfolded, with the blanks of the fold', () => {
    expect(written('A: one\r\n   two \t\nB:\r\n three\r\n\r\n')).toEqual([
      ['A', 'one   two'],
      ['B', 'three'],
    ]);
  });

  it('never have a line break', () => {
    expect(written('A: one\rB: two\r\r\n\r\n')).toEqual([['A', 'one B: two']]);
  });

  it.each(['utf8', 'latin1'] as const)('are read in %s', (encoding) => {
    expect(written(Buffer.from('A: käthe\r\n\r\n', encoding))).toEqual([['A', 'käthe']]);
  });

  it('are truncated between two characters', () => {
    const [[, value = ''] = []] = written(`A: x${'ä'.repeat(100_000)}\r\n\r\n`);
    expect(value).toMatch(/^xä{60000}/);
    expect(value.replaceAll('ä', '')).toBe('x');
  });

  it('are omitted beyond half a mebibyte', () => {
    const fields = written(`A: ${'x'.repeat(100_000)}\r\n`.repeat(9));
    expect(fields).toHaveLength(5);
  });
});
