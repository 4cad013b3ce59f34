import { describe, expect, it } from 'vitest';
import { TtlCache } from './ttl-cache.ts';

function setUp() {
  const clock = { ms: 0, nowMs: () => clock.ms };
  return { clock, memory: new TtlCache<number | null>({ keepMs: 100, max: 2, clock }) };
}

describe('a short memory', () => {
  it('knows a thing until its time is over, and nothing before it was told', () => {
    const { clock, memory } = setUp();
    expect(memory.get('a')).toBeUndefined();
    memory.set('a', null);
    clock.ms = 99;
    expect(memory.get('a')).toBeNull();
    clock.ms = 100;
    expect(memory.get('a')).toBeUndefined();
    expect(memory.size).toBe(0);
  });

  it('counts from when the question was asked, where that is said', () => {
    const { clock, memory } = setUp();
    clock.ms = 50;
    memory.set('a', 1, 0);
    clock.ms = 100;
    expect(memory.get('a')).toBeUndefined();
  });

  it('forgets one thing or all when told to', () => {
    const { memory } = setUp();
    for (const key of ['a', 'b', 'c']) memory.set(key, 1);
    memory.delete('b');
    expect(['a', 'b', 'c'].map((key) => memory.get(key))).toEqual([undefined, undefined, 1]);
    memory.clear();
    expect(memory.get('c')).toBeUndefined();
  });
});
