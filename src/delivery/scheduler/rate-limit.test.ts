/** Simulates a site that limits messages a minute, with an endless backlog and a simulated clock. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { byTheMinute, byTokens, inAnyMinute, Rehearsal } from '../../../test/support/limited-site.ts';

const SERVERS = {
  'from the first message of a minute': byTheMinute,
  'over any minute': inAnyMinute,
  'with tokens': (limit: number) => byTokens(limit, limit),
};

const cases = Object.keys(SERVERS).flatMap((way) =>
  [20, 500].map((latencyMs) => ({ way: way as keyof typeof SERVERS, latencyMs })),
);

describe('a site that takes 60 messages a minute', () => {
  it.each(cases)(
    'and counts $way gets nine tenths of that in ten minutes, and refuses less than 5 % ($latencyMs ms a message)',
    async ({ way, latencyMs }) => {
      const { taken, refused } = await new Rehearsal({ latencyMs }).run(10, SERVERS[way](60));
      expect(taken).toBeGreaterThanOrEqual(0.9 * 10 * 60);
      expect(refused).toBeLessThan(0.05 * (taken + refused));
    },
  );

  it('refuses no more messages than were on their way at its first refusal, and four more', async () => {
    const { refused } = await new Rehearsal({ connections: 10 }).run(2, byTheMinute(60));
    expect(refused).toBeLessThanOrEqual(10 + 4);
  });

  it('gets less mail soon after its limit is halved, and more after the limit ends', async () => {
    const rehearsal = new Rehearsal();
    await rehearsal.run(10, byTheMinute(60));
    const half = byTheMinute(30);
    await rehearsal.run(10, half);
    const settled = await rehearsal.run(10, half);
    expect(settled.taken).toBeGreaterThanOrEqual(0.85 * 10 * 30);
    expect(settled.refused).toBeLessThan(0.05 * (settled.taken + settled.refused));
    await rehearsal.run(30, () => true);
    expect(rehearsal.local.condition.slow).toBeNull();
  });

  it('gets one message a minute while it accepts nothing', async () => {
    const rehearsal = new Rehearsal();
    await rehearsal.run(5, byTheMinute(60));
    await rehearsal.run(30, () => false);
    const shut = await rehearsal.run(10, () => false);
    expect(shut.refused).toBeLessThanOrEqual(11);
    expect(shut.refused).toBeGreaterThanOrEqual(4);
  });
});

describe('a site with another limit', () => {
  // The refusals of the first minutes are a larger share where the limit is small.
  it('gets nine tenths of any limit above 30 a minute, however the site counts', async () => {
    const anyServer = fc.constantFrom(...Object.values(SERVERS));
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 31, max: 300 }), anyServer, async (limit, limited) => {
        const { taken, refused } = await new Rehearsal().run(15, limited(limit));
        expect(taken).toBeGreaterThanOrEqual(0.9 * 15 * limit);
        expect(refused).toBeLessThan(0.05 * (taken + refused) + 20);
      }),
      { numRuns: 10 },
    );
  });

  it.each([10, 600])('gets nine tenths of %s a minute in ten minutes', async (limit) => {
    const { taken } = await new Rehearsal().run(10, byTheMinute(limit));
    expect(taken).toBeGreaterThanOrEqual(0.9 * 10 * limit);
  });
});
