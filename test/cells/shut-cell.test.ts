/** What is noted in memory and written later, of organizations whose cell is shut or which are on their way: it waits, and keeps nobody else waiting. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CellDirectory } from '../../src/cells/directory.ts';
import { CellGate } from '../../src/cells/gate.ts';
import { RoutedDatabase } from '../../src/cells/routed-database.ts';
import { assignCell } from '../../src/cells/store.ts';
import { adHoc, type Sql, sql } from '../../src/database/sql.ts';
import type { Fetched } from '../../src/emails/opens.ts';
import { createOrganization } from '../../src/organizations/service.ts';
import { RequestRecorder } from '../../src/request-logs/recorder.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { uuidv7 } from '../../src/runtime/ids.ts';
import { createLog } from '../../src/runtime/log.ts';
import { createMetrics } from '../../src/runtime/metrics.ts';
import { FetchRecorder } from '../../src/tracking/fetch-recorder.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const log = createLog('test', 'silent');

const record = sql(
  'test.record_fetched',
  `INSERT INTO email_counts (organization_id, day, status, count)
   SELECT o, now()::date, 'opened', count(*) FROM unnest($1::text[]) AS new(o) GROUP BY o
   ON CONFLICT (organization_id, day, status) DO UPDATE SET count = email_counts.count + excluded.count`,
  { home: 'cell', organization: '$1' },
);
const KIND = {
  name: 'opens',
  lingerMs: 0,
  keyOf: ({ emailId }: Fetched) => emailId,
  write: async (tx: Sql, items: readonly Fetched[]) => {
    await tx.exec(record, [items.map(({ organizationId }) => organizationId)]);
    return items;
  },
};

let main: TestDatabase;
let two: TestDatabase;
let directory: CellDirectory;
/** How often it was asked where somebody is. */
let looks: number;
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
  looks = 0;
  const cellOf = (id: string) => {
    looks += 1;
    return directory.cellOf(id);
  };
  db = new RoutedDatabase({ main: main.db, others: new Map([['two', two.db]]), directory: { cellOf }, gate });
  metrics = createMetrics('test');
  const made = await Promise.all(
    ['There', 'Here'].map((name) => createOrganization(main.db, systemClock, { name, dailyLimit: 0 })),
  );
  [there = '', here = ''] = made.map(({ id }) => id);
  await placed('two');
});

async function placed(cell: string, isMoving = false): Promise<void> {
  await main.db.transaction((tx) => assignCell(tx, there, cell, { isMoving }));
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

describe('what was fetched', () => {
  let recorder: FetchRecorder<Fetched>;
  beforeEach(() => {
    recorder = new FetchRecorder(KIND, { db, log, metrics });
  });
  afterEach(() => recorder.stop());

  const fetched = () => {
    const emailId = uuidv7(Date.now());
    const about = { position: 0, atMs: Date.now(), machine: null, soonMs: 0, userAgent: null };
    recorder.add({ organizationId: there, emailId, ...about });
  };
  const recorded = async (on: Sql) => {
    const count = adHoc<{ count: number }>(
      'SELECT coalesce(sum(count), 0)::int AS count FROM email_counts WHERE organization_id = $1',
    );
    return (await on.one(count, [there])).count;
  };

  it('waits while its cell is shut, and is recorded when it is open', async () => {
    gate.shut('two');
    fetched();
    expect([recorder.waiting, await dropped('opens')]).toEqual([1, 0]);
    gate.open('two');
    await expect.poll(() => recorded(two.db), { timeout: 10_000 }).toBe(1);
  });

  it('waits while whose it is is on the way, and is recorded where they are then', async () => {
    await placed('two', true);
    fetched();
    expect([recorder.waiting, await dropped('opens')]).toEqual([1, 0]);
    await placed('main');
    await expect.poll(() => recorded(main.db), { timeout: 10_000 }).toBe(1);
    expect([await recorded(two.db), recorder.waiting]).toEqual([0, 0]);
  });

  it('waits on where it waited for the cell before they were on their way', async () => {
    gate.shut('two');
    fetched();
    await placed('two', true);
    const before = looks;
    gate.open('two');
    await expect.poll(() => looks - before, { timeout: 10_000 }).toBeGreaterThan(2);
    expect([recorder.waiting, await dropped('opens')]).toEqual([1, 0]);
    await placed('main');
    await expect.poll(() => recorded(main.db), { timeout: 10_000 }).toBe(1);
  });

  it('is counted as lost where a stop comes first', async () => {
    await placed('two', true);
    fetched();
    await recorder.stop();
    expect([recorder.waiting, await dropped('opens')]).toEqual([0, 1]);
  });

  it('is counted as lost where the last look finds that they have moved', async () => {
    gate.shut('two');
    fetched();
    await placed('main');
    gate.open('two');
    await recorder.stop();
    expect(await dropped('opens')).toBe(1);
  });
});
