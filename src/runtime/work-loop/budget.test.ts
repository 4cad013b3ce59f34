import { describe, expect, it } from 'vitest';
import { Budget } from './budget.ts';

describe('a budget', () => {
  it('admits shares together while they fit, and the rest in order', async () => {
    const budget = new Budget(10);
    const order: string[] = [];
    const release: Record<string, () => void> = {};
    const hold = (name: string, share: number) =>
      budget.hold(share, async () => {
        order.push(name);
        await new Promise<void>((resolve) => {
          release[name] = resolve;
        });
      });
    const a = hold('a', 6);
    const b = hold('b', 4);
    const c = hold('c', 5);
    const d = hold('d', 1);
    await Promise.resolve();
    expect(order).toEqual(['a', 'b']);
    release.a?.();
    await a;
    await Promise.resolve();
    expect(order).toEqual(['a', 'b', 'c', 'd']);
    for (const name of ['b', 'c', 'd']) release[name]?.();
    await Promise.all([b, c, d]);
  });

  it('admits a share that is larger than the budget', async () => {
    expect(await new Budget(10).hold(100, async () => 'through')).toBe('through');
  });

  it('releases a share when the work fails', async () => {
    const budget = new Budget(1);
    await expect(budget.hold(1, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await budget.hold(1, async () => 'next')).toBe('next');
  });
});
