/** Mail to a site that accepts nothing expires at the end of its lifetime, not when the site recovers. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pauseSite } from '../../src/delivery/scheduler/site-store.ts';
import { newId } from '../../src/runtime/ids.ts';
import { Live } from './live.ts';

const ORG = newId('org');

let live: Live;
beforeAll(async () => {
  live = await Live.start({ sites: { paused: {} } });
  await pauseSite(live.db, 'mx.paused.test');
  await live.startWorker();
});
afterAll(() => live.stop());

it('fails, with the reason', async () => {
  await live.seed('paused', ORG, 3, { expiresInMs: 1_500 });
  await live.whenSent();
  const events = await live.events(ORG);
  expect(events.map((event) => [event.type, event.reason])).toEqual(
    Array.from({ length: 3 }, () => ['failed', 'lifetime_exceeded']),
  );
  expect(live.sink('paused').connections).toHaveLength(0);
});
