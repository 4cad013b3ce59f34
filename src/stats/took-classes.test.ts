import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TOOK_BOUNDS, tookClass, tookPercentile } from './took-classes.ts';

function counted(seconds: readonly number[]): number[] {
  const counts = new Array<number>(TOOK_BOUNDS.length + 1).fill(0);
  for (const one of seconds) counts[tookClass(one * 1_000)] = (counts[tookClass(one * 1_000)] ?? 0) + 1;
  return counts;
}

describe('a percentile of how long deliveries took', () => {
  it('is not known where there are none', () => {
    expect(tookPercentile([], 0.5)).toBeNull();
    expect(tookPercentile(counted([]), 0.95)).toBeNull();
  });

  it('lies in the class of the delivery that it is about', () => {
    const seconds = fc.array(fc.double({ min: 0, max: 86_400, noNaN: true }), {
      minLength: 1,
      maxLength: 50,
    });
    fc.assert(
      fc.property(seconds, fc.constantFrom(0.5, 0.95), (all, part) => {
        const exact = all.toSorted((a, b) => a - b)[Math.ceil(all.length * part) - 1] as number;
        const index = tookClass(exact * 1_000);
        const found = tookPercentile(counted(all), part) as number;
        expect(found).toBeGreaterThanOrEqual((TOOK_BOUNDS[index - 1] ?? 0) * 0.99);
        expect(found).toBeLessThanOrEqual((TOOK_BOUNDS[index] as number) * 1.01);
      }),
    );
  });

  it('says a day of what took longer', () => {
    expect(tookPercentile(counted([200_000]), 0.5)).toBe(86_400);
  });
});
