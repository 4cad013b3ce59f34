/** What is noted in memory and written later, of organizations whose cell is shut or which are on their way: it waits, and keeps nobody else waiting. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CellDirectory } from '../../src/cells/directory.ts';
import { CellGate } from '../../src/cells/gate.ts';
import { RoutedDatabase } from '../../src/cells/routed-database.ts';
import { place } from '../../src/cells/store.ts';
import { adHoc, type Sql } from '../../src/kit/database/sql.ts';
import { systemClock } from '../../src/kit/runtime/clock.ts';
import { createLog } from '../../src/kit/runtime/log.ts';
import { createMetrics } from '../../src/kit/runtime/metrics.ts';
import { createOrganization } from '../../src/organizations/service.ts';
import { RequestRecorder } from '../../src/request-logs/recorder.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const log = createLog('test', 'silent');

let main: TestDatabase;
let two: TestDatabase;
let directory: CellDirectory;
let gate: CellGate;
let db: RoutedDatabase;
let metrics: ReturnType<typeof createMetrics>;
/** In the second cell. */
let there: string;
/** In the first. */
let here: string;
beforeAll(async () => {
  [main, two] = await Promise.all([createTestDatabase(), createTestDatabase()]);
});
afterAll(() => Promise.all([main.drop(), two.drop()]));

beforeEach(async () => {
  directory = new CellDirectory({ db: main.db, log, nowMs: () => [0, 0] });
  gate = new CellGate();
  db = new RoutedDatabase({ main: main.db, others: new Map([['two', two.db]]), directory, gate });
  metrics = createMetrics('test');
  const made = await Promise.all(
    ['There', 'Here'].map((name) => createOrganization(main.db, systemClock, { name, dailyLimit: 0 })),
  );
  [there = '', here = ''] = made.map(({ id }) => id);
  await placed('two');
});

async function placed(cell: string, isMoving = false): Promise<void> {
  await main.db.transaction((tx) => place(tx, there, cell, { isMoving }));
  await directory.refresh();
}

const dropped = async (what: string) =>
  Number(
    new RegExp(`^postrider_${what}_dropped_total\\{.*\\} (\\d+)$`, 'm').exec(await metrics.text())?.[1] ?? 0,
  );

describe('the request log', () => {
  let recorder: RequestRecorder;
  beforeEach(() => {
    recorder = new RequestRecorder({ db, clock: systemClock, log, metrics });
  });

  const refuse = (organizationId: string) =>
    recorder.onRefused({
      ...{ organizationId, keyId: null, userId: null, method: 'POST', path: '/emails/send', status: 400 },
      ...{ code: null, message: 'No.', fields: [], requestId: 'req_1', durationMs: 1, body: undefined },
    });
  const logged = async (on: Sql, organizationId: string) => {
    const count = adHoc<{ count: number }>('SELECT count(*) FROM request_logs WHERE organization_id = $1');
    return (await on.one(count, [organizationId])).count;
  };

  it('of others is written while a cell is shut, and that of the cell when it is open', async () => {
    gate.shut('two');
    for (const one of [there, here]) refuse(one);
    await recorder.flush();
    expect(await logged(main.db, here)).toBe(1);
    gate.open('two');
    await recorder.flush();
    expect([await logged(two.db, there), await dropped('request_log')]).toEqual([1, 0]);
  });

  it('of others is written while somebody is on the way, and theirs where they are then', async () => {
    await placed('two', true);
    for (const one of [there, here]) refuse(one);
    await recorder.flush();
    expect(await logged(main.db, here)).toBe(1);
    await placed('main');
    await recorder.flush();
    expect([await logged(main.db, there), await dropped('request_log')]).toEqual([1, 0]);
  });
});
