/** What a worker says about webhooks. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createMetrics } from '../../src/runtime/metrics.ts';
import { WebhookFixture } from './fixture.ts';

const metrics = createMetrics('worker');
let fixture: WebhookFixture;
beforeAll(async () => {
  fixture = await WebhookFixture.start({}, {}, { metrics });
});
afterAll(() => fixture.stop());

it('tells attempts by outcome, their times, the backlog, and how many webhooks were given up', async () => {
  const well = await fixture.hook('/well', { event_types: ['email.delivered'] });
  const gone = await fixture.hook('/gone', { event_types: ['email.delivered'] });
  fixture.receiver.reply = (one) => (one.path === '/gone' ? 410 : 204);
  await fixture.send();
  await fixture.delivery(well, ({ status }) => status === 'delivered');
  await fixture.delivery(gone, ({ status }) => status === 'failed');
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
