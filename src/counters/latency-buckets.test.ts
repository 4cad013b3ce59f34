import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LATENCY_BUCKET_BOUNDS, latencyBucket, latencyPercentile } from './latency-buckets.ts';

function counted(seconds: readonly number[]): number[] {
  const counts = new Array<number>(LATENCY_BUCKET_BOUNDS.length + 1).fill(0);
  for (const one of seconds)
    counts[latencyBucket(one * 1_000)] = (counts[latencyBucket(one * 1_000)] ?? 0) + 1;
  return counts;
}

describe('a percentile of how long deliveries took', () => {
  it('is null without deliveries', () => {
    expect(latencyPercentile([], 0.5)).toBeNull();
    expect(latencyPercentile(counted([]), 0.95)).toBeNull();
  });

  it('lies in the bucket of the delivery at that rank', () => {
    const seconds = fc.array(fc.double({ min: 0, max: 86_400, noNaN: true }), {
      minLength: 1,
      maxLength: 50,
    });
    fc.assert(
      fc.property(seconds, fc.constantFrom(0.5, 0.95), (all, part) => {
        const exact = all.toSorted((a, b) => a - b)[Math.ceil(all.length * part) - 1] as number;
        const index = latencyBucket(exact * 1_000);
        const found = latencyPercentile(counted(all), part) as number;
        expect(found).toBeGreaterThanOrEqual((LATENCY_BUCKET_BOUNDS[index - 1] ?? 0) * 0.99);
        expect(found).toBeLessThanOrEqual((LATENCY_BUCKET_BOUNDS[index] as number) * 1.01);
      }),
    );
  });

  it('is a day for deliveries that took longer', () => {
    expect(latencyPercentile(counted([200_000]), 0.5)).toBe(86_400);
  });
});
