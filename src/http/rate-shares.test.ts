import { describe, expect, it } from 'vitest';
import { TestClock } from '../../test/support/http-example.ts';
import { type Allowance, RateLimiter } from './rate-limit.ts';
import { RateShares, type Share, type ShareAsk } from './rate-shares.ts';

/** The database's part, in memory; `test/api/several-processes.test.ts` uses the real one. */
class Bank {
  asked = 0;
  isAway = false;
  readonly #clock: TestClock;
  readonly #taken = new Map<string, number>();

  constructor(clock: TestClock) {
    this.#clock = clock;
  }

  async take({ caller, uncounted, limit, parts }: ShareAsk): Promise<Share> {
    this.asked += 1;
    await new Promise((resolve) => setImmediate(resolve));
    if (this.isAway) throw new Error('away');
    const minute = Math.floor(this.#clock.now / 60_000);
    const before = (this.#taken.get(`${caller} ${minute}`) ?? 0) + uncounted;
    const granted = Math.ceil(Math.max(0, limit - before) / parts);
    this.#taken.set(`${caller} ${minute}`, before + granted);
    const left = Math.max(0, limit - before - granted);
    return { minute, granted, left, endsInMs: 60_000 - (this.#clock.now % 60_000) };
  }
}

function fixture(limit: number, count: number) {
  const clock = new TestClock();
  clock.now = 1_800_000_000_000 + 10_000;
  const bank = new Bank(clock);
  const processes = Array.from({ length: count }, () => {
    const shares = new RateShares({ limit, clock, ask: (one) => bank.take(one) });
    shares.setOthers(count - 1);
    return { shares, limiter: new RateLimiter(limit, clock, shares) };
  });
  const take = async (i: number, caller = 'keys:a') =>
    processes[i]?.limiter.take(caller) as Promise<Allowance>;
  /** How many of these requests are admitted, distributed over the processes in turn. */
  const through = async (requests: number, at: (i: number) => number = (i) => i % count) => {
    const all = await Promise.all(Array.from({ length: requests }, (_, i) => take(at(i))));
    return all.filter(({ exceeded }) => !exceeded).length;
  };
  return { clock, bank, processes, take, through };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

describe('processes that count together', () => {
  it.each([
    [120, 3],
    [600, 3],
    [1, 2],
    [10, 8],
  ])(
    'admit %i requests a minute, and at most one more per other process, where there are %i',
    async (limit, count) => {
      const { through } = fixture(limit, count);
      const passed = await through(3 * limit * count);
      expect(passed).toBeGreaterThanOrEqual(limit);
      expect(passed).toBeLessThanOrEqual(limit + count - 1);
    },
  );

  it('give the whole limit to a client that uses only one of them', async () => {
    const { through } = fixture(120, 3);
    expect(await through(500, () => 0)).toBe(120);
  });

  it('leave less than a tenth unused in idle processes', async () => {
    const { through, take } = fixture(6_000, 3);
    for (const i of [1, 2]) await take(i);
    await settled();
    expect(await through(10_000, () => 0)).toBeGreaterThan(5_400);
  });

  it('answer synchronously until the limit is near', async () => {
    const { processes, bank } = fixture(6_000, 3);
    for (let i = 0; i < 1_000; i += 1) {
      expect(processes[i % 3]?.limiter.take('keys:a')).not.toBeInstanceOf(Promise);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(bank.asked).toBeLessThan(100);
  });

  it('refuse without a query once the limit is used up, and report when the minute ends', async () => {
    const { processes, bank, through } = fixture(120, 3);
    await through(1_000);
    await settled();
    const { asked } = bank;
    expect(processes[0]?.limiter.take('keys:a')).toEqual({
      limit: 120,
      remaining: 0,
      resetSeconds: 50,
      exceeded: true,
    });
    expect(bank.asked).toBe(asked);
  });

  it('start over with the next minute', async () => {
    const { clock, through } = fixture(120, 3);
    await through(1_000);
    clock.now += 50_000;
    expect(await through(1_000)).toBeLessThanOrEqual(122);
    clock.now += 60_000;
    expect(await through(1_000)).toBeGreaterThanOrEqual(120);
  });

  it('report what is left', async () => {
    const { take } = fixture(120, 3);
    expect(await take(0)).toMatchObject({ limit: 120, remaining: 119, resetSeconds: 50, exceeded: false });
    await settled();
    expect(await take(0)).toMatchObject({ remaining: 118 });
  });

  it('count requests that one process admitted while it was alone', async () => {
    const { processes, through } = fixture(120, 2);
    processes[0]?.shares.setOthers(0);
    processes[0]?.shares.turnMinute();
    expect(await through(100, () => 0)).toBe(100);
    processes[0]?.shares.setOthers(1);
    await through(1, () => 0);
    expect(await through(1_000)).toBeLessThanOrEqual(20 + 2);
  });

  it('run no query when there is only one process', async () => {
    const { bank, through } = fixture(120, 1);
    expect(await through(500)).toBe(120);
    expect(bank.asked).toBe(0);
  });

  it('refuse no request while the database is unavailable', async () => {
    const { bank, through } = fixture(120, 3);
    bank.isAway = true;
    expect(await through(200)).toBe(200);
  });

  it('count addresses separately', async () => {
    const { bank, take } = fixture(120, 3);
    expect(await take(0, 'ip:192.0.2.1')).toMatchObject({ remaining: 119 });
    expect(bank.asked).toBe(0);
  });
});
