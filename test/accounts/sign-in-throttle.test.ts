/** How often a password may be guessed, counted by several processes together. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ACCOUNT_LIMIT,
  ADDRESS_LIMIT,
  DEVICE_LIMIT,
  PAIR_LIMIT,
  removeExpiredAttempts,
  SignInThrottle,
  WINDOW_MS,
} from '../../src/accounts/users/sign-in-throttle.ts';
import { adHoc } from '../../src/database/sql.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Every test has people and addresses of its own: the hashes are with another key. */
function create() {
  const clock = { now: 0, nowMs: () => clock.now };
  const hashKey = Buffer.from(randomUUID());
  const processes = [1, 2, 3].map(() => new SignInThrottle({ db: database.db, clock, hashKey }));
  const throttle = (i: number) => processes[i % 3] as SignInThrottle;
  /** How many of so many attempts at once, each at the next process, are let through. */
  const tries = async (
    count: number,
    ip: (i: number) => string,
    account: (i: number) => string,
    device?: string,
  ) => {
    const attempts = await Promise.allSettled(
      Array.from({ length: count }, (_, i) => throttle(i).begin(ip(i), account(i), device)),
    );
    const refused = attempts.filter((one) => one.status === 'rejected');
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'RATE_LIMITED' });
    return count - refused.length;
  };
  return { clock, throttle: throttle(0), tries };
}

const home = () => '192.0.2.1';
const ada = () => 'ada@example.org';
/** A network of its own for every guess. */
const everywhere = (i: number) => `2001:db8:${i.toString(16)}::1`;

describe('guessing', () => {
  it('ends after some failures from one address at one account, until the window is over', async () => {
    const { clock, throttle, tries } = create();
    expect(await tries(50, home, ada)).toBe(PAIR_LIMIT);
    await expect(throttle.begin(home(), ada())).rejects.toMatchObject({
      retryAfterSeconds: WINDOW_MS / 1000,
      message: 'Too many failed attempts. Try again in 15 minutes.',
    });
    clock.now = WINDOW_MS;
    expect(await tries(1, home, ada)).toBe(1);
  });

  it('does not count what succeeded', async () => {
    const { throttle, tries } = create();
    for (let i = 0; i < 20; i += 1) await (await throttle.begin(home(), ada())).refund();
    expect(await tries(50, home, ada)).toBe(PAIR_LIMIT);
  });

  it('at many accounts from one address ends too', async () => {
    const { tries } = create();
    expect(await tries(200, home, (i) => `user${i}@example.org`)).toBe(ADDRESS_LIMIT);
  });

  it('from one network of IPv6 counts as one address', async () => {
    const { tries } = create();
    expect(await tries(50, (i) => `2001:db8::${i.toString(16)}`, ada)).toBe(PAIR_LIMIT);
  });

  it('from many addresses ends at the account’s own ceiling', async () => {
    const { tries } = create();
    expect(await tries(200, everywhere, ada)).toBe(ACCOUNT_LIMIT);
    expect(await tries(1, home, ada)).toBe(0);
  });

  it('that is refused counts nowhere else: one address does not use up an account’s ceiling', async () => {
    const { tries } = create();
    await tries(200, home, ada);
    expect(await tries(200, everywhere, ada)).toBe(ACCOUNT_LIMIT - PAIR_LIMIT);
  });

  it('by strangers never keeps a device out that has signed in before; it has tries of its own', async () => {
    const { tries } = create();
    await tries(100, everywhere, ada);
    await tries(150, home, (i) => `user${i}@example.org`);
    expect(await tries(50, home, ada, 'laptop')).toBe(DEVICE_LIMIT);
    expect(await tries(1, home, ada, 'phone')).toBe(1);
  });

  it('at one account leaves others alone', async () => {
    const { tries } = create();
    await tries(50, home, ada);
    expect(await tries(1, home, () => 'bob@example.org')).toBe(1);
  });

  it('is forgotten when it counts no longer', async () => {
    const { tries } = create();
    await tries(1, home, ada);
    const rows = adHoc<{ count: number }>('SELECT count(*)::int AS count FROM sign_in_attempts');
    expect((await database.db.one(rows)).count).toBeGreaterThan(2);
    await removeExpiredAttempts(database.db, 10 * WINDOW_MS);
    expect(await database.db.one(rows)).toEqual({ count: 0 });
  });
});
