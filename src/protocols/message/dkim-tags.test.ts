import { describe, expect, it } from 'vitest';
import { readTags } from './dkim-verify.ts';

describe('a list of tags', () => {
  it('is read without white space, and says where each value stands', () => {
    const text = ' v=1; h=from : to;\r\n\tb= AB\r\n CD ;';
    const { values, places, hasDuplicates } = readTags(text);
    expect(Object.fromEntries(values)).toEqual({ v: '1', h: 'from:to', b: 'ABCD' });
    const { start = 0, end = 0 } = places.get('b') ?? {};
    expect(text.slice(start, end)).toBe(' AB\r\n CD ');
    expect(hasDuplicates).toBe(false);
  });

  it('with a tag twice says so', () => {
    expect(readTags('v=1; d=a; d=b').hasDuplicates).toBe(true);
  });

  it('of a hundred thousand tags is read as far as it may be one', () => {
    expect(readTags('a=b;'.repeat(100_000)).values.size).toBe(1);
  });
});
