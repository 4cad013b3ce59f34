/** Workers share the condition of a site, also with workers that start later. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../src/runtime/ids.ts';
import { drop } from '../support/smtp-sink.ts';
import { until } from '../support/until.ts';
import { Live } from './live.ts';

const ORG = newId('org');

let live: Live;
beforeAll(async () => {
  live = await Live.start({ sites: { dead: { banner: drop() }, well: {} } });
});
afterAll(() => live.stop());

it('a new worker does not try a blocked site', async () => {
  const first = await live.startWorker();
  await live.seed('dead', ORG, 100);
  await until(
    () => live.site('dead'),
    (row) => row !== undefined,
  );
  await live.stopWorker(first);
  const tries = live.sink('dead').connections.length;

  await live.startWorker();
  await live.seed('dead', ORG, 100);
  await live.seed('well', ORG, 50);
  await live.sink('well').waitForMessages(50);
  expect(live.sink('dead').connections.length).toBe(tries);
  expect(await live.site('dead')).toMatchObject({ block: { count: 1 } });
});
