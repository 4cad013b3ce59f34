import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Holder, register } from '../../src/outbox/lease.ts';
import { WorkerLease } from '../../src/outbox/worker-lease.ts';
import { createLog } from '../../src/runtime/log.ts';
import { machineId } from '../../src/runtime/machine.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

it('goes on with the next dead worker when one cannot be taken over', async () => {
  const { pid } = spawnSync('true');
  const place = { host: 'here', machine: machineId(), pid };
  const [broken, other] = [await register(test.db, place), await register(test.db, place)];
  const tried: number[] = [];
  const lease = new WorkerLease({
    db: test.db,
    log: createLog('test', 'silent'),
    takeOver: async ({ epoch }: Holder) => {
      tried.push(epoch);
      if (epoch === broken) throw new Error('its journal cannot be settled');
    },
    journals: () => [],
    tidyUp: async () => {},
    isUnsettled: () => false,
    onLost: () => {},
  });
  await lease.start();
  expect(tried).toEqual([broken, other]);
  await lease.stop();
});
