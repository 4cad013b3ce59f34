import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffLines, diffRows } from './diff.ts';

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

describe('a difference within lines', () => {
  it('marks the words that changed, side by side', () => {
    const same = { kind: 'same', parts: [{ text: 'same', changed: false }] };
    const line = (kind: string, word: string) => ({
      kind,
      parts: [
        { text: '<p>', changed: false },
        { text: word, changed: true },
        { text: ' {{name}}</p>', changed: false },
      ],
    });
    expect(diffRows('same\n<p>Dear {{name}}</p>', 'same\n<p>Hello {{name}}</p>')).toEqual([
      { before: same, after: same },
      { before: line('removed', 'Dear'), after: line('added', 'Hello') },
    ]);
  });

  it('loses no letter of either side', () => {
    const text = fc.array(fc.constantFrom('a', 'b', ' ', '\n', '<', '{{x}}'), { maxLength: 40 });
    fc.assert(
      fc.property(text, text, (a, b) => {
        const [before, after] = [a.join(''), b.join('')];
        const rows = diffRows(before, after);
        const side = (key: 'before' | 'after') =>
          rows
            .flatMap((row) => row[key] ?? [])
            .map(({ parts }) => parts.map((part) => part.text).join(''))
            .join('\n');
        expect(side('before')).toBe(before);
        expect(side('after')).toBe(after);
      }),
    );
  });
});
