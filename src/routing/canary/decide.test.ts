import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CanaryFacts, decideCanary, NOTHING_SENT, type PathCounts, restMinutes } from './decide.ts';
import { type Canary, DEFAULT_PLAN, RATES } from './plan.ts';

const PLAN: Canary = { name: 'off-acme', to: 'pool', ...DEFAULT_PLAN };
const HOUR_MS = 3_600_000;
const counts = (sent: number, more: Partial<PathCounts> = {}): PathCounts => ({
  ...{ sent, deferred: 0, bounced: 0, complained: 0, ...more },
});
const well = counts(10_000, { deferred: 100 });
const facts = (old: PathCounts, fresh: PathCounts, more: Partial<CanaryFacts> = {}): CanaryFacts => ({
  ...{
    percent: 1,
    ageMs: HOUR_MS,
    falls: 0,
    isPaused: false,
    periods: [{ old, new: fresh }],
    usual: null,
    ...more,
  },
});

describe('a canary', () => {
  it.each<[string, CanaryFacts, object]>([
    [
      'starts at once',
      facts(counts(1), NOTHING_SENT, { percent: 0, ageMs: 0 }),
      { kind: 'rise', percent: 1 },
    ],
    [
      'rises after its minimum time and number of mails that fare like others',
      facts(well, counts(100)),
      { kind: 'rise', percent: 5 },
    ],
    [
      'rises to the next step if the steps were changed',
      facts(well, counts(100), { percent: 7 }),
      { percent: 10 },
    ],
    ['stays while there is too little mail', facts(well, counts(99)), { kind: 'stay' }],
    ['stays while it is too early', facts(well, counts(100), { ageMs: HOUR_MS - 1 }), { kind: 'stay' }],
    ['stays at the last step', facts(well, counts(1_000), { percent: 100 }), { kind: 'stay' }],
    ['stays while it is paused', facts(well, counts(1_000), { isPaused: true }), { kind: 'stay' }],
    [
      'falls without waiting',
      facts(well, counts(10, { deferred: 9 }), { ageMs: 1 }),
      { kind: 'fall', rate: 'deferred' },
    ],
    [
      'falls while it is paused',
      facts(well, counts(10, { deferred: 9 }), { isPaused: true }),
      { kind: 'fall' },
    ],
    [
      'does not fall because of its first few mails',
      facts(well, counts(5, { deferred: 5 }), { ageMs: 1 }),
      { kind: 'stay' },
    ],
    ['falls for bounces', facts(well, counts(500, { bounced: 60 })), { kind: 'fall', rate: 'bounced' }],
    [
      'falls for complaints',
      facts(well, counts(2_000, { complained: 20 })),
      { kind: 'fall', rate: 'complained' },
    ],
    [
      'does not fall if the old path is as bad',
      facts(counts(1_000, { deferred: 500 }), counts(200, { deferred: 100 })),
      { kind: 'rise' },
    ],
    [
      'does not fall if both paths have too few mails',
      facts(counts(10, { deferred: 5 }), counts(10, { deferred: 6 })),
      { kind: 'stay' },
    ],
    [
      'falls with no mail left on the old path, by the usual rates there',
      facts(NOTHING_SENT, counts(1_000, { deferred: 300 }), { percent: 100, usual: well }),
      { kind: 'fall' },
    ],
    [
      'stays with no mail left on the old path if the usual rates there were as high',
      facts(NOTHING_SENT, counts(1_000, { deferred: 300 }), {
        ...{ percent: 100, usual: counts(1_000, { deferred: 300 }) },
      }),
      { kind: 'stay' },
    ],
    [
      'falls for the last minutes, however good the days before were',
      facts(NOTHING_SENT, NOTHING_SENT, {
        percent: 50,
        periods: [
          { old: counts(30), new: counts(30, { deferred: 25 }) },
          { old: counts(100_000), new: counts(100_000, { deferred: 25 }) },
        ],
      }),
      { kind: 'fall' },
    ],
    [
      'pauses after a fall',
      facts(well, NOTHING_SENT, { percent: 0, falls: 1, ageMs: HOUR_MS - 1 }),
      { kind: 'stay' },
    ],
    [
      'starts again after that pause',
      facts(well, NOTHING_SENT, { percent: 0, falls: 1 }),
      { kind: 'rise', percent: 1 },
    ],
  ])('%s', (_, given, move) => {
    expect(decideCanary(PLAN, given)).toMatchObject(move);
  });

  it('pauses longer after every rollback, for at most one day', () => {
    expect([0, 1, 2, 3, 6, 50].map(restMinutes)).toEqual([0, 60, 120, 240, 1_440, 1_440]);
  });

  it('never rolls back in a million reviews of mail that fares like the old path', () => {
    const random = randomNumbers(7);
    const draw = (mails: number, rate: number) => {
      let found = 0;
      for (let i = 0; i < mails; i += 1) if (random() < rate) found += 1;
      return found;
    };
    let looks = 0;
    let falls = 0;
    for (const rate of [0, 0.03, 0.3, 0.6])
      for (const olds of [0, 10, 100, 2_000]) {
        const usual = counts(500, { deferred: draw(500, rate) });
        for (let run = 0; run < 100; run += 1) {
          const old = counts(olds, { deferred: draw(olds, rate) });
          let deferred = 0;
          for (let sent = 1; sent <= 650; sent += 1, looks += 1) {
            if (random() < rate) deferred += 1;
            const given = facts(old, counts(sent, { deferred }), { ageMs: 0, usual });
            if (decideCanary(PLAN, given).kind === 'fall') falls += 1;
          }
        }
      }
    expect(looks).toBeGreaterThan(1_000_000);
    expect(falls).toBe(0);
  });

  it('rolls back within thirty emails if the receiver defers most of them, whatever else happens', () => {
    const random = randomNumbers(11);
    for (let run = 0; run < 1_000; run += 1) {
      const sent = 30;
      let deferred = 0;
      for (let i = 0; i < sent; i += 1) if (random() < 0.9) deferred += 1;
      const old = counts(run, { deferred: Math.floor(run / 50) });
      expect(decideCanary(PLAN, facts(old, counts(sent, { deferred }))).kind).toBe('fall');
    }
  });
});

const way = fc
  .record({ sent: fc.nat(5_000), ...Object.fromEntries(RATES.map((rate) => [rate, fc.nat(5_000)])) })
  .map((one) => one as unknown as PathCounts);
const anyFacts = fc.record<CanaryFacts>({
  percent: fc.constantFrom(0, 0.5, 1, 5, 10, 25, 50, 100),
  ageMs: fc.integer({ min: -HOUR_MS, max: 100 * HOUR_MS }),
  falls: fc.nat(100),
  isPaused: fc.boolean(),
  periods: fc.array(fc.record({ old: way, new: way }), { minLength: 1, maxLength: 3 }),
  usual: fc.option(way),
});

describe('for any counts', () => {
  it('a canary rises one step, or falls from above 0, or stays, and does not rise while paused', () => {
    fc.assert(
      fc.property(anyFacts, (given) => {
        const move = decideCanary(PLAN, given);
        if (move.kind === 'rise') {
          expect(given.isPaused).toBe(false);
          expect(move.percent).toBe(PLAN.percents.find((one) => one > given.percent));
        }
        if (move.kind === 'fall') expect(given.percent).toBeGreaterThan(0);
      }),
    );
  });

  it('additional deferrals never keep a canary from falling', () => {
    fc.assert(
      fc.property(anyFacts, fc.nat(100), (given, more) => {
        fc.pre(decideCanary(PLAN, given).kind === 'fall');
        const periods = given.periods.map(({ old, new: fresh }) => {
          const deferred = Math.min(fresh.sent, fresh.deferred) + more;
          return { old, new: { ...fresh, deferred: Math.min(fresh.sent, deferred) } };
        });
        expect(decideCanary(PLAN, { ...given, periods }).kind).toBe('fall');
      }),
    );
  });
});

function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 0) / 2 ** 32;
  };
}
