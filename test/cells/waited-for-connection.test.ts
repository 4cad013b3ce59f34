/** What waits for a connection for longer than it is known where organizations are: nothing is written where one was before it moved. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Database } from '../../src/database/database.ts';
import { concernsOne, isUnavailable } from '../../src/database/errors.ts';
import { type Sql, sql } from '../../src/database/sql.ts';
import { openCells } from '../../src/processes/cells.ts';
import { parseConfig } from '../../src/runtime/config.ts';
import { createLog } from '../../src/runtime/log.ts';
import { block, blocked, failureOf, NarrowCell, unblock } from '../support/narrow-cell.ts';
import { until } from '../support/until.ts';

const log = createLog('test', 'silent');

const add = sql(
  'test.add_waited',
  `INSERT INTO email_counts (organization_id, day, status, count) VALUES ($1, now()::date, 'queued', 1)`,
  { home: 'cell', organization: '$1' },
);
const addEach = sql(
  'test.add_each_waited',
  `INSERT INTO email_counts (organization_id, day, status, count)
   SELECT o, now()::date, 'queued', 1 FROM unnest($1::text[]) AS new(o)`,
  { home: 'cell', organization: '$1' },
);
const count = sql<{ count: number }>(
  'test.count_waited',
  'SELECT count(*) AS count FROM email_counts WHERE organization_id = $1',
  { home: 'cell', organization: '$1' },
);
let cell: NarrowCell;
let org: string;
let stayer: string;
beforeAll(async () => {
  cell = await NarrowCell.create();
});
afterAll(() => cell.drop());
beforeEach(async () => {
  cell.open();
  org = await cell.createOrganization('Mover');
  stayer = await cell.createOrganization('Stayer');
  await cell.refreshDirectory();
});
afterEach(() => cell.close());

const placed = (id: string, name: string, isMoving = false) => cell.assignCell(id, name, isMoving);
const waitedFor: NarrowCell['waitedFor'] = (begin, meanwhile) => cell.waitedFor(begin, meanwhile);

const counted = async (id: string) => {
  const of = async (one: Sql) => (await one.one(count, [id])).count;
  return { main: await of(cell.main.db), two: await of(cell.two.db) };
};
describe('a single statement that waited for a connection', () => {
  it('is run where its organization lives by now', async () => {
    await waitedFor(
      () => cell.db.exec(add, [org]),
      () => placed(org, 'main'),
    );
    expect(await counted(org)).toEqual({ main: 1, two: 0 });
  });

  it('is run where it was to be, if nobody has moved', async () => {
    await waitedFor(
      () => cell.db.exec(add, [org]),
      async () => undefined,
    );
    expect(await counted(org)).toEqual({ main: 0, two: 1 });
  });

  it('is refused, as by a database that is away, while its organization is on its way', async () => {
    const error = await failureOf(
      waitedFor(
        () => cell.db.exec(add, [org]),
        () => placed(org, 'two', true),
      ),
    );
    expect(isUnavailable(error)).toBe(true);
    expect(await counted(org)).toEqual({ main: 0, two: 0 });
  });

  it('reads where its organization lives by now', async () => {
    await cell.main.db.exec(add, [org]);
    const read = () => cell.db.reading(5_000).one(count, [org]);
    expect(await waitedFor(read, () => placed(org, 'main'))).toEqual({ count: 1 });
  });

  it('gives the connection back where it was refused', async () => {
    await failureOf(
      waitedFor(
        () => cell.db.exec(add, [org]),
        () => placed(org, 'two', true),
      ),
    );
    expect(await cell.narrow.one(count, [org])).toEqual({ count: 0 });
  });
});

describe('what is asked of the cell that an organization was found in', () => {
  it('is refused where that one has moved, alone and in a transaction', async () => {
    for (const begin of [
      () => cell.db.of(org).exec(add, [org]),
      () => cell.db.of(org).transaction((tx) => tx.exec(add, [org])),
      () => cell.db.transaction((tx) => tx.exec(add, [org])),
    ]) {
      await placed(org, 'two');
      await cell.refreshDirectory();
      const error = await failureOf(waitedFor(begin, () => placed(org, 'main')));
      expect(isUnavailable(error)).toBe(true);
    }
    expect(await counted(org)).toEqual({ main: 0, two: 0 });
  });

  it('is refused for several so that each is tried alone, and those who stay are written', async () => {
    const [part] = cell.db.byCell([org, stayer], (id) => id);
    const error = await failureOf(
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

  it('is run for every worker of a cell, for any organization', async () => {
    const worker = cell.db.cells.find(({ name }) => name === 'two')?.db as Database;
    await waitedFor(
      () => worker.exec(add, [org]),
      () => placed(org, 'main'),
    );
    expect(await counted(org)).toEqual({ main: 0, two: 1 });
  });
});

describe('an exhausted first database', () => {
  it('does not keep a process from hearing who is where', async () => {
    const config = parseConfig({ DATABASE_URL: cell.main.url, POSTRIDER_CELLS: `two=${cell.two.url}` });
    const opened = openCells(config, cell.main.url, { log, applicationName: 'test', maxConnections: 1 });
    const lock = new Database({ url: cell.main.url, log, applicationName: 'test', maxConnections: 1 });
    await lock.many(block);
    const taken = opened.db.cells[0]?.db.many(block).catch(() => undefined);
    await until(
      () => cell.main.db.one(blocked),
      (row) => row.count === 1,
    );
    await opened.directory?.refresh();
    expect(opened.directory?.cellOf(org)).toBe('two');
    expect((await cell.main.db.one(blocked)).count).toBe(1);
    await lock.many(unblock);
    await taken;
    await Promise.all([lock.close(), opened.close()]);
  });
});
