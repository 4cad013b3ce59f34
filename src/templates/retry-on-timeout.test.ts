import { expect, it } from 'vitest';
import { retryOnTimeout } from './retry-on-timeout.ts';

function tries(results: readonly string[]) {
  let made = 0;
  const result = retryOnTimeout(
    () => results[made++] ?? 'late',
    (one) => one === 'late',
  );
  return result.then((last) => ({ last, made }));
}

it('returns any result but a timeout at the first try', async () => {
  expect(await tries(['done'])).toEqual({ last: 'done', made: 1 });
  expect(await tries(['too many steps'])).toEqual({ last: 'too many steps', made: 1 });
});

it('retries when the machine was busy with something else', async () => {
  expect(await tries(['late', 'late', 'done'])).toEqual({ last: 'done', made: 3 });
});

it('gives up when every try times out', async () => {
  expect(await tries([])).toEqual({ last: 'late', made: 4 });
});

it('yields to the event loop between tries', async () => {
  const seen: string[] = [];
  setImmediate(() => seen.push('other'));
  await retryOnTimeout(
    () => seen.push('try'),
    (length) => length < 3,
  );
  expect(seen).toEqual(['try', 'other', 'try']);
});
