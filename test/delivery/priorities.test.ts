/** An organization's mail is sent by priority, whatever its order of acceptance and its domains. */
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { newId } from '../../src/runtime/ids.ts';
import type { SinkAction } from '../support/smtp-sink.ts';
import { Live } from './live.ts';

const ORG = newId('org');
const PRIORITIES = ['low', 'normal', 'high'] as const;
const EACH = 20;
/** The server's delay in milliseconds. With a slow server few deliveries are in hand, and those keep their order. */
const TAKES_MS = 50;

let live: Live;
beforeAll(async () => {
  live = await Live.start({
    sites: { narrow: { dot: takingItsTime } },
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
  await live.startWorker();
  await seedEach(1, -1_000); // from here on the worker knows where each domain's mail goes
  await live.whenSent();
  await seedEach(EACH, 3_600_000);
  await live.db.exec(adHoc('UPDATE outbox SET due_at = now()')); // all of it in the same moment
  await live.whenSent();
  const order = live
    .sink('narrow')
    .messages.slice(PRIORITIES.length)
    .map((message) => message.to[0]?.replace(/^.*@|\.test.*$/g, ''));
  // Two connections: only the few deliveries in hand when the next priority begins may be out of order.
  const wanted = PRIORITIES.toReversed().flatMap((one) => Array.from({ length: EACH }, () => one));
  const misplaced = order.filter((one, i) => one !== wanted[i]).length;
  expect(order).toHaveLength(3 * EACH);
  expect(misplaced).toBeLessThanOrEqual(16);
});

async function seedEach(count: number, dueInMs: number): Promise<void> {
  for (const priority of PRIORITIES) await live.seed(priority, ORG, count, { priority, dueInMs });
}

async function takingItsTime(): Promise<SinkAction> {
  await setTimeout(TAKES_MS);
  return { act: 'agree' };
}
