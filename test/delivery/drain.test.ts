/** A worker stops while one receiver has not answered the final dot and another has no message yet. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import type { MailWorker } from '../../src/processes/mail-worker.ts';
import { newId } from '../../src/runtime/ids.ts';
import { gate } from '../support/smtp-sink.ts';
import { until } from '../support/until.ts';
import { Live } from './live.ts';

const SLOW = newId('org');
const STUCK = newId('org');
const slow = gate();
const stuck = gate();
let live: Live;
let worker: MailWorker;
beforeEach(async () => {
  live = await Live.start({ sites: { slow: { dot: slow.step }, stuck: { mail: stuck.step } } });
  worker = await live.startWorker();
  await live.seed('slow', SLOW, 1);
  await live.seed('stuck', STUCK, 1);
  await Promise.all([slow.reached, stuck.reached]);
});
afterEach(async () => {
  slow.release();
  stuck.release();
  await live.stop();
});

async function isClaimed(organizationId: string): Promise<boolean> {
  const row = await live.db.one(
    adHoc<{ claimed: boolean }>(
      'SELECT worker IS NOT NULL AS claimed FROM outbox WHERE organization_id = $1',
    ),
    [organizationId],
  );
  return row.claimed;
}

const typesOf = async (organizationId: string) => (await live.events(organizationId)).map(({ type }) => type);

it('releases mail before its final dot to another worker, and waits for the answers after the final dot', async () => {
  const waitedFor: number[] = [];
  const drained = worker.drain(new AbortController().signal, (receivers) => waitedFor.push(receivers));
  await until(async () => !(await isClaimed(STUCK)));
  expect(await isClaimed(SLOW)).toBe(true);
  expect(waitedFor).toEqual([1]);

  live.sink('stuck').script = {};
  await live.startWorker();
  await live.whenSent(STUCK);
  expect(await isClaimed(SLOW)).toBe(true);

  slow.release();
  await drained;
  await live.stopWorker(worker);
  expect(waitedFor).toEqual([1, 0]);
  expect(live.sink('slow').messageCount).toBe(1);
  expect(await typesOf(SLOW)).toEqual(['processing', 'delivered']);
  expect((await typesOf(STUCK)).at(-1)).toBe('delivered');
});
