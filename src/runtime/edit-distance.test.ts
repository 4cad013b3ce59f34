import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editDistance, isSlip } from './edit-distance.ts';

const word = fc.string({ unit: fc.constantFrom(...'abc'), maxLength: 8 });

describe('the edit distance', () => {
  it.each([
    ['gmail', 'gmail', 0],
    ['gmial', 'gmail', 1],
    ['gmal', 'gmail', 1],
    ['ggmail', 'gmail', 1],
    ['gnail', 'gmail', 1],
    ['hotmial', 'hotmail', 1],
    ['hotmlai', 'hotmail', 2],
    ['', 'ab', 2],
  ])('from %s to %s is %d', (one, other, distance) => {
    expect(editDistance(one, other, 3)).toBe(distance);
  });

  it('is the same in both directions, and 0 only for equal texts', () => {
    fc.assert(
      fc.property(word, word, (one, other) => {
        expect(editDistance(one, other, 8)).toBe(editDistance(other, one, 8));
        expect(editDistance(one, other, 8) === 0).toBe(one === other);
      }),
    );
  });

  it('is above the limit for everything beyond it', () => {
    fc.assert(
      fc.property(word, word, fc.integer({ min: 0, max: 4 }), (one, other, limit) => {
        const whole = editDistance(one, other, 8);
        const cut = editDistance(one, other, limit);
        expect(whole <= limit ? cut === whole : cut > limit).toBe(true);
      }),
    );
  });
});

describe('a typing error', () => {
  it.each(['lvie', 'liive', 'livee', 'lliive'.slice(1)])('is %s for live', (typed) => {
    expect(isSlip(typed, 'live')).toBe(true);
  });

  it.each(['life', 'love', 'five', 'olive', 'lie', 'live'])('is not %s for live', (typed) => {
    expect(isSlip(typed, 'live')).toBe(false);
  });
});
