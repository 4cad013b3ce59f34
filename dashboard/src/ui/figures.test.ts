import { describe, expect, it } from 'vitest';
import { share, took } from './figures.ts';

describe('figures', () => {
  it('are shares that tell a little from nothing, and nearly all from all', () => {
    expect([null, 0, 0.0004, 0.023, 0.97, 0.9996, 1].map(share)).toEqual([
      '–',
      '0%',
      '0.04%',
      '2.3%',
      '97.0%',
      '99.96%',
      '100%',
    ]);
  });

  it('are times in the unit that people would use', () => {
    expect([null, 0.075, 1.5, 42, 90, 5_400, 200_000].map(took)).toEqual([
      '–',
      '0.075 s',
      '1.5 s',
      '42 s',
      '1.5 min',
      '1.5 h',
      '2.3 d',
    ]);
  });
});
