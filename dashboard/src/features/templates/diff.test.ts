import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffLines, diffWithin } from './diff.ts';

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
  it('marks the words that changed', () => {
    expect(diffWithin('same\n<p>Dear {{name}}</p>', 'same\n<p>Hello {{name}}</p>')).toEqual([
      { kind: 'same', parts: [{ text: 'same', changed: false }] },
      {
        kind: 'removed',
        parts: [
          { text: '<p>', changed: false },
          { text: 'Dear', changed: true },
          { text: ' {{name}}</p>', changed: false },
        ],
      },
      {
        kind: 'added',
        parts: [
          { text: '<p>', changed: false },
          { text: 'Hello', changed: true },
          { text: ' {{name}}</p>', changed: false },
        ],
      },
    ]);
  });

  it('loses no letter of either side', () => {
    const text = fc.array(fc.constantFrom('a', 'b', ' ', '\n', '<', '{{x}}'), { maxLength: 40 });
    fc.assert(
      fc.property(text, text, (a, b) => {
        const [before, after] = [a.join(''), b.join('')];
        const side = (kind: string) =>
          diffWithin(before, after)
            .filter((line) => line.kind === 'same' || line.kind === kind)
            .map(({ parts }) => parts.map((part) => part.text).join(''))
            .join('\n');
        expect(side('removed')).toBe(before);
        expect(side('added')).toBe(after);
      }),
    );
  });
});
