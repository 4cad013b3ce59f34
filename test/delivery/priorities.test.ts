/** Within an organization, high before normal before low, whatever came first and whichever domain it goes to. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../src/runtime/ids.ts';
import { Live } from './live.ts';

const ORG = newId('org');
const EACH = 40;

let live: Live;
beforeAll(async () => {
  live = await Live.start({
    sites: { narrow: {} },
    zone: (sinks) => ({
      'low.test': { MX: [[1, 'smtp-in.orange.fr']] },
      'normal.test': { MX: [[1, 'smtp-in.orange.fr']] },
      'high.test': { MX: [[1, 'smtp-in.orange.fr']] },
      'smtp-in.orange.fr': { A: [sinks.narrow?.address ?? ''] },
    }),
  });
});
afterAll(() => live.stop());

it('is what the server sees', async () => {
  for (const priority of ['low', 'normal', 'high'] as const) {
    await live.seed(priority, ORG, EACH, { priority, dueInMs: -1_000 });
  }
  await live.startWorker();
  await live.whenSent();
  const order = live.sink('narrow').messages.map((message) => message.to[0]?.replace(/^.*@|\.test.*$/g, ''));
  // Two connections, and a few in hand when the next priority begins: neighbours may swap, no more.
  const wanted = ['high', 'normal', 'low'].flatMap((one) => Array.from({ length: EACH }, () => one));
  const misplaced = order.filter((one, i) => one !== wanted[i]).length;
  expect(order).toHaveLength(3 * EACH);
  expect(misplaced).toBeLessThanOrEqual(8);
});
