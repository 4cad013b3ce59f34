import { describe, expect, it } from 'vitest';
import { TestClock } from '../../test/support/http-example.ts';
import { callerOfAddress } from '../runtime/caller-address.ts';
import { type Allowance, callerOf, RateLimiter } from './rate-limit.ts';

/** A limiter that counts alone is always synchronous. */
const take = (limiter: RateLimiter, caller: string) => limiter.take(caller) as Allowance;

describe('the limiter', () => {
  it('allows exactly the limit within a window', () => {
    const limiter = new RateLimiter(3, new TestClock());
    const taken = Array.from({ length: 4 }, () => take(limiter, 'key:a'));
    expect(taken.map((one) => one.remaining)).toEqual([2, 1, 0, 0]);
    expect(taken.map((one) => one.exceeded)).toEqual([false, false, false, true]);
  });

  it('reports the allowance without counting', () => {
    const limiter = new RateLimiter(3, new TestClock());
    take(limiter, 'key:a');
    limiter.peek('key:a');
    expect(limiter.peek('key:a').remaining).toBe(2);
    expect(limiter.peek('key:b').remaining).toBe(3);
  });

  it('reports the seconds until the window ends, never zero', () => {
    const clock = new TestClock();
    const limiter = new RateLimiter(3, clock);
    clock.now = 120_000;
    expect(take(limiter, 'key:a').resetSeconds).toBe(60);
    clock.now = 179_999;
    expect(take(limiter, 'key:a').resetSeconds).toBe(1);
    clock.now = 180_000;
    expect(take(limiter, 'key:a')).toMatchObject({ resetSeconds: 60, remaining: 2 });
  });

  it('starts over when the clock is set back', () => {
    const clock = new TestClock();
    const limiter = new RateLimiter(1, clock);
    take(limiter, 'key:a');
    clock.now -= 3_600_000;
    expect(take(limiter, 'key:a')).toMatchObject({ exceeded: false });
  });

  it('allows an address at most 6,000, however high the limit of organizations is', () => {
    const limiter = new RateLimiter(1_000_000, new TestClock());
    for (let i = 0; i < 6_000; i += 1) take(limiter, 'ip:192.0.2.1');
    expect(take(limiter, 'ip:192.0.2.1')).toMatchObject({ exceeded: true, limit: 6_000 });
    expect(take(limiter, 'ip:192.0.2.2')).toMatchObject({ exceeded: false, remaining: 5_999 });
    expect(take(limiter, 'keys:org_1')).toMatchObject({ exceeded: false, remaining: 999_999 });
  });

  it('lets addresses beyond a limit share one count, without affecting keys', () => {
    const limiter = new RateLimiter(10, new TestClock());
    take(limiter, 'ip:known');
    for (let i = 0; i < 50_000; i += 1) take(limiter, `ip:${i}`);
    for (let i = 0; i < 9; i += 1) take(limiter, `ip:late-${i}`);
    expect(take(limiter, 'ip:very-late').exceeded).toBe(true);
    expect(take(limiter, 'ip:known').remaining).toBe(8);
    expect(take(limiter, 'key:new').remaining).toBe(9);
  });
});

describe('a caller', () => {
  it('is the organization of its key; its users count separately', () => {
    const session = { userId: 'usr_1', role: 'owner' as const, isOperator: false, hash: Buffer.alloc(32) };
    expect(callerOf({ organizationId: 'org_1' })).toBe('keys:org_1');
    expect(callerOf({ organizationId: 'org_1', session })).toBe('people:org_1');
  });

  it.each([
    ['192.0.2.1', 'ip:192.0.2.1'],
    ['::ffff:192.0.2.1', 'ip:192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', 'ip:2001:db8:1:2::/64'],
    ['2001:db8::1', 'ip:2001:db8:0:0::/64'],
    ['::1', 'ip:0:0:0:0::/64'],
    ['fe80::1%eth0', 'ip:fe80:0:0:0::/64'],
    [undefined, 'ip:unknown'],
  ])('at %s is %s', (address, caller) => {
    expect(callerOfAddress(address)).toBe(caller);
  });
});
