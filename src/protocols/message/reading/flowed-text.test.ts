import { describe, expect, it } from 'vitest';
import { atOnce } from '../../../runtime/sliced-work.ts';
import { joiningFlowed } from './flowed-text.ts';

const join = (text: string, deletesBlanks = false) => atOnce(joiningFlowed(text, deletesBlanks));

describe('a flowed text', () => {
  it.each([
    ['a paragraph', 'one \ntwo \nthree\nfour\n', 'one two three\nfour\n'],
    ['a line that begins with an added blank', 'one \n  two\n From three\n', 'one  two\nFrom three\n'],
    ['a signature', 'bye\n-- \nAda\n', 'bye\n-- \nAda\n'],
    ['quoted lines', 'one \n> two \n> three\nfour\n', 'one \n> two \n> three\nfour\n'],
    ['empty lines', 'one\n\n \ntwo', 'one\n\n\ntwo'],
    ['a last line that ends with a blank', 'one \ntwo ', 'one two '],
  ])('has %s as its writer typed it', (_what, text, joined) => {
    expect(join(text)).toBe(joined);
  });

  it('loses the blanks that were added to fold it', () => {
    expect(join('日本 \n語\n', true)).toBe('日本語\n');
  });

  it('is joined across slices of work', () => {
    expect(join('a word \n'.repeat(10_000)) === 'a word '.repeat(10_000)).toBe(true);
  });

  it.each([16_382, 16_383, 16_384, 16_385])('is joined behind a line of %d characters', (length) => {
    for (const line of ['x'.repeat(length), `>${'x'.repeat(length)}`]) {
      const end = line.startsWith('>') ? ' \n' : ' ';
      expect(join(`${line} \ntwo\n`) === `${line}${end}two\n`).toBe(true);
    }
  });

  it('keeps the blanks of a line that is longer than a slice of work', () => {
    const line = `x${' '.repeat(100_000)}x\n`;
    expect(join(line) === line).toBe(true);
  });
});
