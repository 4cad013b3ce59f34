/** A flood of one organization to a provider that answers slowly. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { newId } from '../../src/runtime/ids.ts';
import { type Gate, gate, type SinkMessage } from '../support/smtp-sink.ts';
import { Live } from './live.ts';

const FLOOD = 100_000;
const SEEDED_AT_ONCE = 20_000;
const SMALL = 200;
const FLOODING = newId('org');
const OTHER = newId('org');

let live: Live;
let answers: Gate;
beforeAll(async () => {
  answers = gate();
  live = await Live.start({ sites: { slow: { dot: answers.step }, quick: {}, other: {} } });
  // In several statements, because on a busy machine one statement would exceed the time limit.
  for (let seeded = 0; seeded < FLOOD; seeded += SEEDED_AT_ONCE)
    await live.seed('slow', FLOODING, SEEDED_AT_ONCE, { dueInMs: -3_600_000, priority: 'high' });
  await live.startWorker();
  await answers.reached;
});
afterAll(() => live.stop());

const isFrom = (organizationId: string) => (message: SinkMessage) =>
  message.content.includes(`From: ${organizationId}@`);

it('delays neither another organization nor other providers', async () => {
  await live.seed('quick', FLOODING, SMALL);
  await live.seed('quick', OTHER, SMALL);
  await live.seed('other', OTHER, SMALL, { priority: 'low' });
  await live.sink('quick').waitForMessages(2 * SMALL);
  await live.sink('other').waitForMessages(SMALL);
  await live.whenSent(OTHER);
  expect(live.sink('slow').messageCount).toBe(0);
});

it('holds only a few of its own mails in hand meanwhile', async () => {
  const { claimed } = await live.db.one(
    adHoc<{ claimed: number }>('SELECT count(*) AS claimed FROM outbox WHERE worker IS NOT NULL'),
  );
  expect(claimed).toBeGreaterThan(0);
  expect(claimed).toBeLessThanOrEqual(20);
});

it('lets another organization at the same provider have every other turn', async () => {
  await live.seed('slow', OTHER, 50);
  answers.release();
  await live.whenSent(OTHER);
  const messages = live.sink('slow').messages;
  const first = messages.findIndex(isFrom(OTHER));
  const last = messages.findLastIndex(isFrom(OTHER));
  const between = messages.slice(first, last).filter(isFrom(FLOODING));
  // Deliveries that are claimed together are sent together, so the turns do not alternate exactly.
  expect(between.length).toBeLessThan(150);
  expect(await live.queued(FLOODING)).toBeGreaterThan(FLOOD / 2);
});
