/** DNS that fails at first and answers later. */
import { expect, it } from 'vitest';
import { adHoc } from '../../../src/database/sql.ts';
import { type Clock, systemClock } from '../../../src/runtime/clock.ts';
import { until } from '../../support/until.ts';
import { startScenario } from './scenario.ts';

/** A failed lookup is cached for half a minute. */
const REMEMBERED_MS = 30_000;

it('defers, and delivers once DNS answers', async () => {
  let aheadMs = 0;
  const clock: Clock = { ...systemClock, nowMs: () => systemClock.nowMs() + aheadMs };
  const scenario = await startScenario({
    sites: { late: {} },
    zone: () => ({ 'late.test': { MX: 'SERVFAIL' } }),
    worker: { clock, speed: 200 },
  });
  const delivery = scenario.deliver('late.test', 'final');
  const countDeferred = adHoc<{ count: number }>(`SELECT count(*) FROM events WHERE type = 'deferred'`);
  await until(
    () => scenario.database.db.one(countDeferred),
    ({ count }) => count > 0,
  );
  scenario.dns.set('late.test', { MX: [[10, 'mx.late.test']] });
  aheadMs = REMEMBERED_MS;
  const events = await delivery;
  expect(events[0]).toMatchObject({ type: 'deferred', reason: 'dns_unavailable', mx_host: null, attempt: 1 });
  expect(events.at(-1)).toMatchObject({ type: 'delivered', mx_host: 'mx.late.test' });
  expect(await scenario.leftovers()).toEqual([]);
});
