import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffLines } from './diff.ts';

describe('differences between versions', () => {
  it('keeps what is the same and names what came and went', () => {
    expect(diffLines('a\nb\nc', 'a\nx\nc')).toEqual([
      { kind: 'same', text: 'a' },
      { kind: 'added', text: 'x' },
      { kind: 'removed', text: 'b' },
      { kind: 'same', text: 'c' },
    ]);
  });

  it('holds both texts in full', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c', ''), { minLength: 1 })
      .map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = diffLines(before, after);
        const side = (gone: string) => lines.filter(({ kind }) => kind !== gone).map((line) => line.text);
        expect(side('added').join('\n')).toBe(before);
        expect(side('removed').join('\n')).toBe(after);
      }),
    );
  });
});
