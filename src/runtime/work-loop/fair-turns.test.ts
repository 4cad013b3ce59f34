import { describe, expect, it } from 'vitest';
import { FairTurns } from './fair-turns.ts';

/** Adds work by name that only ends on request, and records the order in which it began. */
function setUp(atOnce: number) {
  const turns = new FairTurns(atOnce);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const add = (name: string, organizationId: string, priority = 1) =>
    turns.take({ organizationId, priority }, () => {
      begun.push(name);
      return new Promise<void>((end) => ends.push(end));
    });
  const endOne = async () => {
    ends.shift()?.();
    await new Promise(setImmediate);
  };
  return { turns, begun, add, endOne };
}

describe('fair turns', () => {
  it('limit concurrent work, and start the next item when one ends', async () => {
    const { begun, add, endOne } = setUp(2);
    for (const name of ['a', 'b', 'c']) void add(name, 'org_a');
    expect(begun).toEqual(['a', 'b']);
    await endOne();
    expect(begun).toEqual(['a', 'b', 'c']);
  });

  it('alternate between organizations, however much one of them has queued', async () => {
    const { begun, add, endOne } = setUp(1);
    for (const name of ['a1', 'a2', 'a3', 'a4']) void add(name, 'org_a');
    void add('b1', 'org_b');
    void add('b2', 'org_b');
    for (let i = 0; i < 5; i += 1) await endOne();
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3', 'b2', 'a4']);
  });

  it('start the more urgent work first within an organization', async () => {
    const { begun, add, endOne } = setUp(1);
    void add('running', 'org_a');
    void add('low', 'org_a', 2);
    void add('normal', 'org_a', 1);
    void add('high', 'org_a', 0);
    for (let i = 0; i < 3; i += 1) await endOne();
    expect(begun).toEqual(['running', 'high', 'normal', 'low']);
  });

  it('continue after work that failed, and reject its caller', async () => {
    const turns = new FairTurns(1);
    const owner = { organizationId: 'org_a', priority: 1 };
    const failing = turns.take(owner, () => Promise.reject(new Error('no')));
    const next = turns.take(owner, async () => 'done');
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('done');
    expect(await turns.take(owner, async () => 'again')).toBe('again');
  });
});
