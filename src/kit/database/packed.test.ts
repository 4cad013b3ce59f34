import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packTexts } from './packed.ts';

describe('packed texts', () => {
  it('are found again where starts and sizes say, and nothing where there was none', () => {
    const texts = fc.array(fc.option(fc.string({ unit: 'grapheme' }), { nil: null }));
    fc.assert(
      fc.property(texts, (given) => {
        const { bytes, starts, sizes } = packTexts(given);
        const found = given.map((_, index) => {
          const [start, size] = [starts[index] ?? null, sizes[index] ?? null];
          if (start === null || size === null) return null;
          return bytes.toString('utf8', start - 1, start - 1 + size);
        });
        expect(found).toEqual(given);
      }),
    );
  });
});
