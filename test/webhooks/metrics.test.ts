/** What a worker says about webhooks. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createMetrics } from '../../src/runtime/metrics.ts';
import { World } from './world.ts';

const metrics = createMetrics('worker');
let world: World;
beforeAll(async () => {
  world = await World.start({}, {}, { metrics });
});
afterAll(() => world.stop());

it('tells attempts by outcome, their times, the backlog, and how many webhooks were given up', async () => {
  const well = await world.hook('/well', { event_types: ['email.delivered'] });
  const gone = await world.hook('/gone', { event_types: ['email.delivered'] });
  world.receiver.reply = (one) => (one.path === '/gone' ? 410 : 204);
  await world.send();
  await world.delivery(well, ({ status }) => status === 'delivered');
  await world.delivery(gone, ({ status }) => status === 'failed');
  const text = await metrics.text();
  const value = (name: string) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(name))
        ?.split(' ')
        .at(-1),
    );
  expect(value('postrider_webhook_attempts_total{outcome="delivered"')).toBe(1);
  expect(value('postrider_webhook_attempts_total{outcome="failed"')).toBe(1);
  expect(value('postrider_webhook_seconds_count')).toBe(2);
  expect(value('postrider_webhook_deliveries{state="due"')).toBe(0);
  expect(value('postrider_webhook_oldest_due_seconds')).toBe(0);
  expect(value('postrider_webhooks_disabled')).toBe(1);
});
