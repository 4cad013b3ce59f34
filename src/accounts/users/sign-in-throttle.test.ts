import { describe, expect, it } from 'vitest';
import {
  ACCOUNT_LIMIT,
  ADDRESS_LIMIT,
  DEVICE_LIMIT,
  PAIR_LIMIT,
  SignInThrottle,
  WINDOW_MS,
} from './sign-in-throttle.ts';

function create() {
  const clock = { now: 0, nowMs: () => clock.now };
  const throttle = new SignInThrottle(clock);
  /** How many of so many attempts are let through. */
  const tries = (
    count: number,
    ip: (i: number) => string,
    account: (i: number) => string,
    device?: string,
  ) => {
    let through = 0;
    for (let i = 0; i < count; i += 1) {
      try {
        throttle.begin(ip(i), account(i), device);
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
/** A network of its own for every guess. */
const everywhere = (i: number) => `2001:db8:${i.toString(16)}::1`;

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

  it('from many addresses ends at the account’s own ceiling', () => {
    const { tries } = create();
    expect(tries(1_000, everywhere, ada)).toBe(ACCOUNT_LIMIT);
    expect(tries(1, home, ada)).toBe(0);
  });

  it('by strangers never keeps a device out that has signed in before; it has tries of its own', () => {
    const { tries } = create();
    tries(1_000, everywhere, ada);
    tries(500, home, (i) => `user${i}@example.org`);
    expect(tries(50, home, ada, 'laptop')).toBe(DEVICE_LIMIT);
    expect(tries(1, home, ada, 'phone')).toBe(1);
  });

  it('at one account leaves others alone', () => {
    const { tries } = create();
    tries(50, home, ada);
    expect(tries(1, home, () => 'bob@example.org')).toBe(1);
  });
});
