/** What waits for a connection for longer than it is known where organizations are: nothing is written where one was before it moved. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CellDirectory } from '../../src/cells/directory.ts';
import { RoutedDatabase } from '../../src/cells/routed-database.ts';
import { place } from '../../src/cells/store.ts';
import { Database } from '../../src/kit/database/database.ts';
import { concernsOne, isUnavailable } from '../../src/kit/database/errors.ts';
import { adHoc, type Sql, sql } from '../../src/kit/database/sql.ts';
import { systemClock } from '../../src/kit/runtime/clock.ts';
import { parseConfig } from '../../src/kit/runtime/config.ts';
import { createLog } from '../../src/kit/runtime/log.ts';
import { createOrganization } from '../../src/organizations/service.ts';
import { openCells } from '../../src/processes/cells.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';

const log = createLog('test', 'silent');

const add = sql(
  'test.add_waited',
  `INSERT INTO email_counts (organization_id, day, status, count) VALUES ($1, now()::date, 'queued', 1)`,
);
const addEach = sql(
  'test.add_each_waited',
  `INSERT INTO email_counts (organization_id, day, status, count)
   SELECT o, now()::date, 'queued', 1 FROM unnest($1::text[]) AS new(o)`,
);
const count = sql<{ count: number }>(
  'test.count_waited',
  'SELECT count(*) AS count FROM email_counts WHERE organization_id = $1',
);
const block = adHoc(`SELECT pg_advisory_lock(hashtext('test.exhausted'))`);
const unblock = adHoc(`SELECT pg_advisory_unlock(hashtext('test.exhausted'))`);
const waiting = adHoc<{ count: number }>(
  `SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
     AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
);

let main: TestDatabase;
let two: TestDatabase;
/** The second cell, of which there is one connection to be had. */
let narrow: Database;
let blocker: Database;
let directory: CellDirectory;
let db: RoutedDatabase;
let nowMs: number;
let org: string;
let stayer: string;
beforeAll(async () => {
  [main, two] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  blocker = new Database({ url: two.url, log, applicationName: 'test', maxConnections: 1 });
});
afterAll(async () => {
  await blocker.close();
  await Promise.all([main.drop(), two.drop()]);
});

const placed = (id: string, cell: string, isMoving = false) =>
  main.db.transaction((tx) => place(tx, id, cell, { isMoving }));

beforeEach(async () => {
  nowMs = 0;
  narrow = new Database({ url: two.url, log, applicationName: 'test', maxConnections: 1 });
  directory = new CellDirectory({ db: main.db, log, nowMs: () => [nowMs, nowMs] });
  db = new RoutedDatabase({ main: main.db, others: new Map([['two', narrow]]), directory });
  const made = await Promise.all(
    ['Mover', 'Stayer'].map((name) => createOrganization(main.db, systemClock, { name, dailyLimit: 0 })),
  );
  [org = '', stayer = ''] = made.map(({ id }) => id);
  for (const id of [org, stayer]) await placed(id, 'two');
  await directory.refresh();
});
afterEach(() => narrow.close());

/** Begins while the one connection is taken; `meanwhile` happens, a second passes, and then there is a connection. */
async function waitedFor<T>(begin: () => Promise<T>, meanwhile: () => Promise<unknown>): Promise<T> {
  await blocker.many(block);
  const taken = narrow.many(block).then(() => narrow.many(unblock));
  await until(
    () => two.db.one(waiting),
    (row) => row.count === 1,
  );
  const begun = begin();
  begun.catch(() => undefined);
  await meanwhile();
  nowMs += 1_500;
  await blocker.many(unblock);
  await taken;
  return begun;
}

const counted = async (id: string) => {
  const of = async (one: Sql) => (await one.one(count, [id])).count;
  return { main: await of(main.db), two: await of(two.db) };
};
const failure = (begun: Promise<unknown>) =>
  begun.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('a single statement that waited for a connection', () => {
  it('is run where its organization lives by now', async () => {
    await waitedFor(
      () => db.exec(add, [org]),
      () => placed(org, 'main'),
    );
    expect(await counted(org)).toEqual({ main: 1, two: 0 });
  });

  it('is run where it was to be, if nobody has moved', async () => {
    await waitedFor(
      () => db.exec(add, [org]),
      async () => undefined,
    );
    expect(await counted(org)).toEqual({ main: 0, two: 1 });
  });

  it('is refused, as by a database that is away, while its organization is on its way', async () => {
    const error = await failure(
      waitedFor(
        () => db.exec(add, [org]),
        () => placed(org, 'two', true),
      ),
    );
    expect(isUnavailable(error)).toBe(true);
    expect(await counted(org)).toEqual({ main: 0, two: 0 });
  });

  it('reads where its organization lives by now', async () => {
    await main.db.exec(add, [org]);
    const read = () => db.reading(5_000).one(count, [org]);
    expect(await waitedFor(read, () => placed(org, 'main'))).toEqual({ count: 1 });
  });

  it('gives the connection back where it was refused', async () => {
    await failure(
      waitedFor(
        () => db.exec(add, [org]),
        () => placed(org, 'two', true),
      ),
    );
    expect(await narrow.one(count, [org])).toEqual({ count: 0 });
  });
});

describe('what is asked of the cell that an organization was found in', () => {
  it('is refused where that one has moved, alone and in a transaction', async () => {
    for (const begin of [
      () => db.of(org).exec(add, [org]),
      () => db.of(org).transaction((tx) => tx.exec(add, [org])),
      () => db.transaction((tx) => tx.exec(add, [org])),
    ]) {
      await placed(org, 'two');
      await directory.refresh();
      const error = await failure(waitedFor(begin, () => placed(org, 'main')));
      expect(isUnavailable(error)).toBe(true);
    }
    expect(await counted(org)).toEqual({ main: 0, two: 0 });
  });

  it('is refused for several so that each is tried alone, and those who stay are written', async () => {
    const [part] = db.byCell([org, stayer], (id) => id);
    const error = await failure(
      waitedFor(
        async () => part?.db.exec(addEach, [[org, stayer]]),
        () => placed(org, 'two', true),
      ),
    );
    expect([isUnavailable(error), concernsOne(error)]).toEqual([true, true]);
    await part?.db.exec(addEach, [[stayer]]);
    expect([await counted(org), await counted(stayer)]).toEqual([
      { main: 0, two: 0 },
      { main: 0, two: 1 },
    ]);
  });

  it('is run for whoever works for a cell, whoever it is about', async () => {
    const cell = db.cells.find(({ name }) => name === 'two')?.db as Database;
    await waitedFor(
      () => cell.exec(add, [org]),
      () => placed(org, 'main'),
    );
    expect(await counted(org)).toEqual({ main: 0, two: 1 });
  });
});

describe('an exhausted first database', () => {
  it('does not keep a process from hearing who is where', async () => {
    const config = parseConfig({ DATABASE_URL: main.url, POSTRIDER_CELLS: `two=${two.url}` });
    const opened = openCells(config, main.url, { log, applicationName: 'test', maxConnections: 1 });
    const lock = new Database({ url: main.url, log, applicationName: 'test', maxConnections: 1 });
    await lock.many(block);
    const taken = opened.db.cells[0]?.db.many(block).catch(() => undefined);
    await until(
      () => main.db.one(waiting),
      (row) => row.count === 1,
    );
    await opened.directory?.refresh();
    expect(opened.directory?.cellOf(org)).toBe('two');
    expect((await main.db.one(waiting)).count).toBe(1);
    await lock.many(unblock);
    await taken;
    await Promise.all([lock.close(), opened.close()]);
  });
});
