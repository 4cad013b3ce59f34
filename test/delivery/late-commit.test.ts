/** Mail that was due long before its transaction committed, and mail that another worker released. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../src/runtime/ids.ts';
import { Live } from './live.ts';

const ORG = newId('org');

let live: Live;
beforeAll(async () => {
  live = await Live.start({ sites: { well: {} } });
  await live.startWorker();
  await live.seed('well', ORG, 1);
  await live.whenSent();
});
afterAll(() => live.stop());

it('is found within seconds', async () => {
  await live.seed('well', ORG, 5, { dueInMs: -3_600_000 });
  const startedMs = Date.now();
  await live.whenSent();
  expect(Date.now() - startedMs).toBeLessThan(5_000);
});
