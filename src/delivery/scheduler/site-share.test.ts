import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isFirst, shareOf } from './site-share.ts';

const workers = fc.uniqueArray(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1, maxLength: 12 });

describe('the shares of all workers', () => {
  it('add up to the limit, and differ by one at most', () => {
    fc.assert(
      fc.property(workers, fc.integer({ min: 1, max: 50 }), fc.domain(), (epochs, limit, site) => {
        const shares = epochs.map((own) => shareOf(limit, site, epochs, own));
        expect(shares.reduce((sum, one) => sum + one, 0)).toBe(limit);
        expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('name exactly one first worker, which has a connection if any worker has one', () => {
    fc.assert(
      fc.property(workers, fc.domain(), (epochs, site) => {
        const first = epochs.filter((own) => isFirst(site, epochs, own));
        expect(first).toHaveLength(1);
        expect(shareOf(1, site, epochs, first[0] as number)).toBe(1);
      }),
    );
  });

  it('go to different workers at different sites where there are more workers than connections', () => {
    const epochs = [11, 12, 13, 14];
    const firsts = Array.from({ length: 200 }, (_, i) =>
      epochs.find((own) => isFirst(`mx${i}.test`, epochs, own)),
    );
    for (const epoch of epochs) {
      expect(firsts.filter((one) => one === epoch).length).toBeGreaterThan(25);
    }
  });
});
