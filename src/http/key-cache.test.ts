import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { TestClock } from '../../test/support/http-example.ts';
import { KeyCache } from './key-cache.ts';
import type { Principal } from './principal.ts';
import { UnauthenticatedQuotas } from './unauthenticated-quotas.ts';

const principal: Principal = { organizationId: 'org_1', keyId: 'key_1', scope: 'full', domain: null };
const hash = (token: string) => createHash('sha256').update(token).digest();

describe('the key cache', () => {
  it('looks a key up again after the TTL, known or unknown', async () => {
    const clock = new TestClock();
    let asked = 0;
    const cache = new KeyCache(async (given) => {
      asked += 1;
      return given.equals(hash('good')) ? principal : null;
    }, clock);
    for (const token of ['good', 'bad', 'good', 'bad']) await cache.lookUp(hash(token));
    expect(asked).toBe(2);
    clock.now += 800;
    for (const token of ['good', 'bad']) await cache.lookUp(hash(token));
    expect(asked).toBe(4);
  });

  it('counts the TTL from before the query, however slow it was', async () => {
    const clock = new TestClock();
    let asked = 0;
    const cache = new KeyCache(async () => {
      asked += 1;
      clock.now += 900;
      return principal;
    }, clock);
    await cache.lookUp(hash('a'));
    await cache.lookUp(hash('a'));
    expect(asked).toBe(2);
  });

  it('keeps real keys through a flood of guesses', async () => {
    const asked: string[] = [];
    const cache = new KeyCache(async (given) => {
      asked.push(given.toString('hex'));
      return given.equals(hash('good')) ? principal : null;
    }, new TestClock());
    await cache.lookUp(hash('good'));
    for (let i = 0; i < 10_500; i += 1) await cache.lookUp(hash(`guess ${i}`));
    await cache.lookUp(hash('good'));
    expect(asked.filter((one) => one === hash('good').toString('hex'))).toHaveLength(1);
    await cache.lookUp(hash('guess 0')); // evicted by later guesses
    expect(asked.at(-1)).toBe(hash('guess 0').toString('hex'));
  });

  it('limits lookups of unknown keys per address', async () => {
    const clock = new TestClock();
    let asked = 0;
    const quotas = new UnauthenticatedQuotas(clock, { keyLookUps: 2 });
    const find = async () => {
      asked += 1;
      return null;
    };
    const cache = new KeyCache(find, clock, quotas);
    for (const token of ['a', 'b', 'b', 'a']) expect(await cache.lookUp(hash(token), '192.0.2.1')).toBe(null);
    expect(() => cache.lookUp(hash('c'), '192.0.2.1')).toThrow('Too many unknown API keys');
    expect(await cache.lookUp(hash('c'), '192.0.2.2')).toBe(null);
    expect(asked).toBe(3);
  });

  it('looks a recently valid key up even when its address has reached the limit', async () => {
    const clock = new TestClock();
    const quotas = new UnauthenticatedQuotas(clock, { keyLookUps: 1 });
    const find = async (given: Buffer) => (given.equals(hash('good')) ? principal : null);
    const cache = new KeyCache(find, clock, quotas);
    await cache.lookUp(hash('good'), '192.0.2.1');
    await cache.lookUp(hash('bad'), '192.0.2.1');
    expect(() => cache.lookUp(hash('worse'), '192.0.2.1')).toThrow();
    clock.now += 800;
    expect(await cache.lookUp(hash('good'), '192.0.2.1')).toBe(principal);
  });

  it('counts neither valid keys of an address nor failed queries', async () => {
    const clock = new TestClock();
    const quotas = new UnauthenticatedQuotas(clock, { keyLookUps: 1 });
    const find = async (given: Buffer) => {
      if (given.equals(hash('away'))) throw new Error('away');
      return given.equals(hash('unknown')) ? null : principal;
    };
    const cache = new KeyCache(find, clock, quotas);
    for (const token of ['a', 'b', 'c']) expect(await cache.lookUp(hash(token), '192.0.2.1')).toBe(principal);
    await expect(cache.lookUp(hash('away'), '192.0.2.1')).rejects.toThrow('away');
    expect(await cache.lookUp(hash('unknown'), '192.0.2.1')).toBe(null);
    expect(() => cache.lookUp(hash('d'), '192.0.2.1')).toThrow('Too many unknown API keys');
  });

  it('works again after a failed query', async () => {
    let fail = true;
    const cache = new KeyCache(async () => {
      if (fail) throw new Error('away');
      return principal;
    }, new TestClock());
    await expect(cache.lookUp(hash('a'))).rejects.toThrow('away');
    fail = false;
    expect(await cache.lookUp(hash('a'))).toBe(principal);
  });

  it('caches no lookup that began before the cache was cleared, answered or not', async () => {
    let answer: (found: typeof principal | null) => void = () => undefined;
    let asked = 0;
    const cache = new KeyCache(() => {
      asked += 1;
      return new Promise((resolve) => {
        answer = resolve;
      });
    }, new TestClock());
    const underWay = cache.lookUp(hash('a'));
    cache.forgetAll();
    answer(principal);
    expect(await underWay).toBe(principal);
    const again = cache.lookUp(hash('a'));
    answer(null);
    expect([await again, asked]).toEqual([null, 2]);
  });
});
