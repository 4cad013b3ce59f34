/** Yahoo's reply [TSS04] stops all mail to Yahoo for two hours. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { newId } from '../../src/runtime/ids.ts';
import { until } from '../support/until.ts';
import { Live } from './live.ts';

const ORG = newId('org');
const TSS04 =
  '421 4.7.0 [TSS04] Messages from 192.0.2.1 temporarily deferred due to unexpected volume or user complaints';

let live: Live;
beforeAll(async () => {
  live = await Live.start({
    sites: { y: { banner: TSS04 } },
    delivered: { 'yahoo.test': 'yahoo' },
    zone: (sinks) => ({
      'yahoo.test': { MX: [[1, 'mta5.am0.yahoodns.net']] },
      'ymail.test': { MX: [[1, 'mta6.am0.yahoodns.net']] },
      'mta5.am0.yahoodns.net': { A: [sinks.y?.address ?? ''] },
      'mta6.am0.yahoodns.net': { A: [sinks.y?.address ?? ''] },
    }),
  });
  await live.seed('yahoo', ORG, 10);
  await live.startWorker();
});
afterAll(() => live.stop());

interface Row {
  readonly minutes: number;
  readonly reason: string;
}
const read = () =>
  live.db.maybeOne(
    adHoc<Row>(
      `SELECT round((block->>'untilMs')::float8 / 60000 - extract(epoch FROM now()) / 60)::int AS minutes,
              block->>'reason' AS reason
       FROM sites WHERE name = 'yahoo'`,
    ),
  );

const claimed = async () =>
  (await live.db.one(adHoc<{ count: number }>('SELECT count(*) FROM outbox WHERE worker IS NOT NULL'))).count;

it('blocks all that Yahoo hosts for two hours', async () => {
  const site = await until(read, (row) => row !== undefined);
  expect(site).toEqual({ minutes: 120, reason: 'rate_limited' });
  // Deliveries that were on their way at the first reply are deferred as well.
  await until(claimed, (count) => count === 0);
  const before = live.sink('y').connections.length;
  await live.seed('ymail', ORG, 10);
  await live.seed('y', ORG, 1, { domain: 'gone.test' });
  // The mail to the missing domain is settled, so the worker has also processed the mail beside it.
  await until(
    () => live.events(ORG),
    (events) => events.some((event) => event.type === 'bounced'),
  );
  expect(live.sink('y').connections.length).toBe(before);
});
