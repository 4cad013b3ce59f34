import { describe, expect, it } from 'vitest';
import { createLog } from '../../runtime/log.ts';
import { GuardedStore } from './guarded-store.ts';
import { type ObjectStore, StoreProblem } from './object-store.ts';

function guarded() {
  const clock = { ms: 0, nowMs: () => clock.ms };
  const asked: PromiseWithResolversOf[] = [];
  const get = () =>
    new Promise<Buffer | null>((resolve, reject) => {
      asked.push({ answer: () => resolve(null), fail: () => reject(new StoreProblem('It is away.')) });
    });
  const store = { get } as unknown as ObjectStore;
  return { clock, asked, store: new GuardedStore({ store, clock, log: createLog('test', 'silent') }) };
}

interface PromiseWithResolversOf {
  readonly answer: () => void;
  readonly fail: () => void;
}

async function failing({ store, asked }: ReturnType<typeof guarded>, times: number): Promise<void> {
  for (let failed = 0; failed < times; failed += 1) {
    const get = store.get('a');
    asked.at(-1)?.fail();
    await expect(get).rejects.toThrow('It is away.');
  }
}

describe('a store that failed three times in a row', () => {
  it('is left alone for ten seconds', async () => {
    const one = guarded();
    await failing(one, 3);
    await expect(one.store.get('a')).rejects.toThrow('left alone');
    one.clock.ms += 9_999;
    await expect(one.store.get('a')).rejects.toThrow('left alone');
    expect(one.asked).toHaveLength(3);
  });

  it('is asked by one then, while the others are refused', async () => {
    const one = guarded();
    await failing(one, 3);
    one.clock.ms += 10_000;
    const trying = one.store.get('a');
    await expect(one.store.get('b')).rejects.toThrow('left alone');
    one.asked.at(-1)?.answer();
    expect(await trying).toBeNull();
    const next = one.store.get('c');
    one.asked.at(-1)?.answer();
    expect(await next).toBeNull();
  });

  it('is left alone again when that one fails', async () => {
    const one = guarded();
    await failing(one, 3);
    one.clock.ms += 10_000;
    await failing(one, 1);
    await expect(one.store.get('b')).rejects.toThrow('left alone');
    expect(one.asked).toHaveLength(4);
  });
});

it('is asked on after failures with an answer in between', async () => {
  const one = guarded();
  await failing(one, 2);
  const answered = one.store.get('a');
  one.asked.at(-1)?.answer();
  await answered;
  await failing(one, 2);
  expect(one.asked).toHaveLength(5);
});

it('is asked by so many at once, and refuses more', async () => {
  const one = guarded();
  const asking = Array.from({ length: 32 }, () => one.store.get('a'));
  await expect(one.store.get('a')).rejects.toThrow('at once');
  for (const { answer } of one.asked) answer();
  expect(await Promise.all(asking)).toHaveLength(32);
});
