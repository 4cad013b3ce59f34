import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BoundedMap } from './bounded-map.ts';

describe('a bounded map', () => {
  it('keeps the entries set last, up to its limit', () => {
    const keys = fc.array(fc.integer({ min: 0, max: 9 }));
    fc.assert(
      fc.property(keys, fc.integer({ min: 1, max: 5 }), (set, max) => {
        const map = new BoundedMap<number, number>(max);
        for (const key of set) map.set(key, key);
        const last = [...new Set(set.toReversed())].slice(0, max);
        expect([...map.keys()].toReversed()).toEqual(last);
      }),
    );
  });

  it('keeps used entries longer than unused ones', () => {
    const map = new BoundedMap<string, number>(2).set('a', 1).set('b', 2);
    expect(map.use('a')).toBe(1);
    map.set('c', 3);
    expect([...map.keys()]).toEqual(['a', 'c']);
    expect(map.use('b')).toBeUndefined();
  });
});
