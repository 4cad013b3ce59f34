import { describe, expect, it } from 'vitest';
import {
  ACCOUNT_LIMIT,
  ADDRESS_LIMIT,
  PAIR_LIMIT,
  PAIR_LIMIT_UNDER_ATTACK,
  SignInThrottle,
  WINDOW_MS,
} from './sign-in-throttle.ts';

function create() {
  const clock = { now: 0, nowMs: () => clock.now };
  const throttle = new SignInThrottle(clock);
  /** How many of so many attempts are let through. */
  const tries = (count: number, ip: (i: number) => string, account: (i: number) => string) => {
    let through = 0;
    for (let i = 0; i < count; i += 1) {
      try {
        throttle.begin(ip(i), account(i));
        through += 1;
      } catch (error) {
        expect(error).toMatchObject({ code: 'RATE_LIMITED' });
      }
    }
    return through;
  };
  return { clock, throttle, tries };
}

const home = () => '192.0.2.1';
const ada = () => 'ada@example.org';
const many = (i: number) => `198.51.100.${i}`;

describe('guessing', () => {
  it('ends after some failures from one address at one account, until the window is over', () => {
    const { clock, throttle, tries } = create();
    expect(tries(50, home, ada)).toBe(PAIR_LIMIT);
    expect(() => throttle.begin(home(), ada())).toThrow(
      expect.objectContaining({ retryAfterSeconds: WINDOW_MS / 1000 }),
    );
    clock.now = WINDOW_MS;
    expect(tries(1, home, ada)).toBe(1);
  });

  it('does not count what succeeded', () => {
    const { throttle } = create();
    for (let i = 0; i < 100; i += 1) throttle.begin(home(), ada()).giveBack();
    expect(() => throttle.begin(home(), ada())).not.toThrow();
  });

  it('at many accounts from one address ends too', () => {
    const { tries } = create();
    expect(tries(500, home, (i) => `user${i}@example.org`)).toBe(ADDRESS_LIMIT);
  });

  it('from one network of IPv6 counts as one address', () => {
    const { tries } = create();
    expect(tries(50, (i) => `2001:db8::${i.toString(16)}`, ada)).toBe(PAIR_LIMIT);
  });

  it('from many addresses leaves fewer tries to each, but never locks the owner out', () => {
    const { tries } = create();
    expect(tries(ACCOUNT_LIMIT, many, ada)).toBe(ACCOUNT_LIMIT);
    expect(tries(50, home, ada)).toBe(PAIR_LIMIT_UNDER_ATTACK);
  });

  it('at one account leaves others alone', () => {
    const { tries } = create();
    tries(50, home, ada);
    expect(tries(1, home, () => 'bob@example.org')).toBe(1);
  });
});
