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

it('takes what is not late, whatever it is, at the first try', async () => {
  expect(await tries(['done'])).toEqual({ last: 'done', made: 1 });
  expect(await tries(['too many steps'])).toEqual({ last: 'too many steps', made: 1 });
});

it('tries again when the machine was busy with something else', async () => {
  expect(await tries(['late', 'late', 'done'])).toEqual({ last: 'done', made: 3 });
});

it('gives up when it is late every time', async () => {
  expect(await tries([])).toEqual({ last: 'late', made: 4 });
});

it('lets others have a turn in between', async () => {
  const seen: string[] = [];
  setImmediate(() => seen.push('other'));
  await retryOnTimeout(
    () => seen.push('try'),
    (length) => length < 3,
  );
  expect(seen).toEqual(['try', 'other', 'try']);
});
