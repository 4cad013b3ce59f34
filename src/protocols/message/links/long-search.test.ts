import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/support/property-runs.ts';
import { atOnce } from '../../../runtime/sliced-work.ts';
import { searching, searchingBack } from './long-search.ts';

const SLICE = 128 * 1024;
const MARK = '-->';

/** Pieces of the mark on and around the edges of slices. */
const longText = fc
  .record({
    before: fc.integer({ min: 2 * SLICE - 6, max: 2 * SLICE + 6 }),
    middle: fc.array(fc.constantFrom('-', '>', '-->', 'x'), { maxLength: 8 }),
    after: fc.integer({ min: SLICE - 6, max: SLICE + 6 }),
  })
  .map(({ before, middle, after }) => 'x'.repeat(before) + middle.join('') + 'x'.repeat(after));

describe('a search in slices', () => {
  it('finds the same mark as indexOf', () => {
    fc.assert(
      fc.property(longText, fc.integer({ min: 0, max: 2 * SLICE + 8 }), (text, from) => {
        expect(atOnce(searching(text, MARK, from))).toBe(text.indexOf(MARK, from));
      }),
      runs(100),
    );
  });

  it('finds the same mark as lastIndexOf when it searches backwards', () => {
    fc.assert(
      fc.property(longText, fc.integer({ min: 0, max: 8 }), (text, less) => {
        const before = text.length - less;
        expect(atOnce(searchingBack(text, MARK, before))).toBe(text.slice(0, before).lastIndexOf(MARK));
      }),
      runs(100),
    );
  });

  it.each([
    ['forwards', searching, 0],
    ['backwards', searchingBack, 5 * SLICE],
  ])('pauses after each slice when it searches %s', (_direction, search, from) => {
    const pauses = [...search('x'.repeat(5 * SLICE), MARK, from)];
    expect(pauses).toHaveLength(4);
  });
});
