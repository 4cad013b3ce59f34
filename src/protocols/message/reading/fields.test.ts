import { describe, expect, it } from 'vitest';
import { readFields } from './fields.ts';

const read = (text: string | Buffer, maxLines?: number) => {
  const bytes = Buffer.from(text as string);
  const block = readFields(bytes, 0, bytes.length, maxLines);
  return { fields: Object.fromEntries(block.fields), rest: bytes.toString('utf8', block.next) };
};

describe('readFields', () => {
  it('ends at the empty line and says where the rest begins', () => {
    expect(read('A: 1\r\nB: 2\r\n\r\nbody')).toEqual({ fields: { a: '1', b: '2' }, rest: 'body' });
  });

  it('accepts bare line feeds and a block that just ends', () => {
    expect(read('A: 1\nB: 2')).toEqual({ fields: { a: '1', b: '2' }, rest: '' });
  });

  it('unfolds with one blank, also a value that begins on the next line', () => {
    expect(read('A: one\r\n\t two\r\nB:\r\n three\r\n\r\n').fields).toEqual({ a: 'one two', b: 'three' });
  });

  it('keeps the first of a repeated field and does not fold the second into it', () => {
    expect(read('A: 1\r\nA: 2\r\n more\r\n\r\n').fields).toEqual({ a: '1' });
  });

  it('skips lines that are no field', () => {
    expect(read('From daemon Sun Nov 15\r\nA: 1\r\nnonsense\r\n folded\r\nB : 2\r\n\r\n').fields).toEqual({
      a: '1',
      b: '2',
    });
  });

  it('reads UTF-8 as such and any other bytes as Latin-1', () => {
    expect(read('A: käthe\r\n\r\n').fields).toEqual({ a: 'käthe' });
    expect(read(Buffer.from('A: käthe\r\n\r\n', 'latin1')).fields).toEqual({ a: 'käthe' });
  });

  it('cuts endless values', () => {
    expect(read(`A:${'x'.repeat(10_000)}\r\n\r\n`).fields.a).toHaveLength(4_000);
    expect(read(`A: x\r\n${' yyyyyyyyy\r\n'.repeat(1_000)}\r\n`).fields.a).toHaveLength(4_000);
  });

  it.each(['\r\n', '\n'])('finds the end behind more lines than it reads, with line ends %j', (end) => {
    const { fields, rest } = read(`A: 1${end}B: 2${end}C: 3${end}${end}body`, 2);
    expect(fields).toEqual({ a: '1', b: '2' });
    expect(rest).toBe('body');
  });
});
