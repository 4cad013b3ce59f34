import { setImmediate as aMoment } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Burst, MAX_AT_ONCE } from './resolver.ts';

const ALL = MAX_AT_ONCE + 36;

describe('questions that leave together', () => {
  it('are no more than so many, and the rest follow in order as answers come', async () => {
    const asked: number[] = [];
    const answers: (() => void)[] = [];
    const burst = new Burst();
    const all = Array.from({ length: ALL }, (_, i) =>
      burst.run(() => {
        asked.push(i);
        return new Promise<void>((resolve) => answers.push(resolve));
      }),
    );
    await aMoment();
    expect(asked).toHaveLength(MAX_AT_ONCE);
    while (answers.length > 0) {
      answers.shift()?.();
      await aMoment();
    }
    await Promise.all(all);
    expect(asked).toEqual(Array.from({ length: ALL }, (_, i) => i));
  });

  it('do not wait for those that nobody answers', async () => {
    const burst = new Burst();
    for (let i = 0; i < MAX_AT_ONCE; i += 1) void burst.run(() => new Promise(() => {}));
    expect(await burst.run(async () => 'answered')).toBe('answered');
  });

  it('make room when they fail', async () => {
    const burst = new Burst();
    for (let i = 0; i < 3 * MAX_AT_ONCE; i += 1) {
      await expect(burst.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    }
    expect(await burst.run(async () => 'answered')).toBe('answered');
  });
});
