/** The metrics of a worker. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pauseSite } from '../../src/delivery/scheduler/site-store.ts';
import { newId } from '../../src/runtime/ids.ts';
import { createMetrics } from '../../src/runtime/metrics.ts';
import { lintExposition } from '../support/metric-lint.ts';
import { until } from '../support/until.ts';
import { Live } from './live.ts';

const ORG = newId('org');

const metrics = createMetrics('worker');
let live: Live;
beforeAll(async () => {
  live = await Live.start({
    sites: { well: {}, full: { rcpt: '452 4.2.2 Mailbox full' }, paused: {} },
    metrics,
  });
  await pauseSite(live.db, 'mx.paused.test');
  await live.seed('well', ORG, 7);
  await live.seed('full', ORG, 1);
  await live.seed('paused', ORG, 5, { dueInMs: -60_000 });
  await live.startWorker();
  await live.sink('well').waitForMessages(7);
  await until(
    () => live.events(ORG),
    (events) => events.filter((event) => event.type !== 'processing').length === 8,
  );
});
afterAll(() => live.stop());

it('exports attempts, outcomes, times, queue depth, the oldest age, and delayed sites', async () => {
  const text = await metrics.text();
  const line = (name: string, ...labels: string[]) =>
    text
      .split('\n')
      .find((one) => one.startsWith(`${name}{`) && labels.every((label) => one.includes(label)));
  const value = (...asked: [string, ...string[]]) =>
    Number(
      line(...asked)
        ?.split(' ')
        .at(-1),
    );
  expect(value('postrider_delivery_attempts_total', 'outcome="delivered"', 'provider="other"')).toBe(7);
  expect(value('postrider_delivery_attempts_total', 'reason="mailbox_full"')).toBe(1);
  expect(value('postrider_delivery_seconds_count', 'provider="other"')).toBe(8);
  expect(value('postrider_queue_deliveries', 'state="due"')).toBe(5);
  expect(value('postrider_queue_oldest_due_seconds')).toBeGreaterThanOrEqual(60);
  expect(value('postrider_sites_delayed', 'state="paused"')).toBe(1);
});

it('names its metrics by the conventions of Prometheus', async () => {
  expect(lintExposition(await metrics.text())).toEqual([]);
});

it('exports the duration of each stage of a delivery', async () => {
  const text = await metrics.text();
  const counts = Object.fromEntries(
    [...text.matchAll(/postrider_stage_seconds_count\{.*stage="(\w+)".*\} (\d+)/g)].map(
      ([, stage, count]) => [stage, Number(count)],
    ),
  );
  const { connect = 0, ...others } = counts;
  expect(connect).toBeGreaterThanOrEqual(2);
  expect(others).toEqual({ queue: 8, load: 8, compose: 8, slot: 8, smtp: 8 });
});
