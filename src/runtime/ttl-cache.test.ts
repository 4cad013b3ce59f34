import { describe, expect, it } from 'vitest';
import { TtlCache } from './ttl-cache.ts';

function setUp() {
  const clock = { ms: 0, nowMs: () => clock.ms };
  return { clock, memory: new TtlCache<number | null>({ keepMs: 100, max: 2, clock }) };
}

describe('a TTL cache', () => {
  it('returns a value until it expires, and nothing before it was set', () => {
    const { clock, memory } = setUp();
    expect(memory.get('a')).toBeUndefined();
    memory.set('a', null);
    clock.ms = 99;
    expect(memory.get('a')).toBeNull();
    clock.ms = 100;
    expect(memory.get('a')).toBeUndefined();
    expect(memory.size).toBe(0);
  });

  it('counts the TTL from the given time', () => {
    const { clock, memory } = setUp();
    clock.ms = 50;
    memory.set('a', 1, 0);
    clock.ms = 100;
    expect(memory.get('a')).toBeUndefined();
  });

  it('removes one entry or all', () => {
    const { memory } = setUp();
    for (const key of ['a', 'b', 'c']) memory.set(key, 1);
    memory.delete('b');
    expect(['a', 'b', 'c'].map((key) => memory.get(key))).toEqual([undefined, undefined, 1]);
    memory.clear();
    expect(memory.get('c')).toBeUndefined();
  });
});
