/** A database of several cells: statements and transactions run where they belong. */
import { setImmediate as breathe } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RoutedDatabase } from '../../src/cells/routed-database.ts';
import { Database } from '../../src/database/database.ts';
import { isUnavailable } from '../../src/database/errors.ts';
import { type Sql, sql } from '../../src/database/sql.ts';
import { createOrganization } from '../../src/organizations/service.ts';
import { listOrganizations } from '../../src/organizations/store.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { createLog } from '../../src/runtime/log.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const HERE = 'org_here000000000';
const THERE = 'org_there00000000';
const NOWHERE = 'org_nowhere000000';
const AWAY = 'org_away000000000';
const THERE_TOO = 'org_there_too';
const CELLS: Readonly<Record<string, string>> = {
  [THERE]: 'two',
  [THERE_TOO]: 'two',
  [NOWHERE]: 'unknown',
  [AWAY]: 'away',
};

const add = sql(
  'test.add_usage',
  'INSERT INTO email_counts (organization_id, day, status, count) VALUES ($1, now()::date, $2, 1)',
  { home: 'cell', organization: '$1' },
);
const addEach = sql(
  'test.add_usage_of_each',
  `INSERT INTO email_counts (organization_id, day, status, count)
   SELECT o, now()::date, 'queued', 1 FROM unnest($1::text[]) AS new(o)`,
  { home: 'cell', organization: '$1' },
);
const count = sql<{ count: number }>(
  'test.count_usage',
  'SELECT count(*) AS count FROM email_counts WHERE organization_id = $1',
  { home: 'cell', organization: '$1' },
);
const countAll = sql<{ count: number }>(
  'test.count_all_usage',
  'SELECT count(*) AS count FROM email_counts',
  { home: 'cell' },
);

let main: TestDatabase;
let two: TestDatabase;
let away: Database;
let db: Database;
beforeAll(async () => {
  [main, two] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  const log = createLog('test', 'silent');
  away = new Database({ url: 'postgres://nobody@127.0.0.1:1/nothing', log, applicationName: 'test' });
  db = new RoutedDatabase({
    main: main.db,
    others: new Map([
      ['two', two.db],
      ['away', away],
    ]),
    directory: { cellOf: (id) => CELLS[id] ?? 'main' },
  });
});
afterAll(() => Promise.all([main.drop(), two.drop(), away.close()]));

const counted = async (on: Sql, organization: string) => (await on.one(count, [organization])).count;

describe('a statement', () => {
  it('runs in the cell of the organization that it names', async () => {
    await db.exec(add, [HERE, 'queued']);
    await db.exec(add, [THERE, 'queued']);
    expect([await counted(main.db, HERE), await counted(main.db, THERE)]).toEqual([1, 0]);
    expect([await counted(two.db, HERE), await counted(two.db, THERE)]).toEqual([0, 1]);
    expect([await counted(db, HERE), await counted(db, THERE)]).toEqual([1, 1]);
    expect(await counted(db.reading(1_000), THERE)).toBe(1);
  });

  it('runs in control where its tables are there, for any organization', async () => {
    const { id } = await createOrganization(db, systemClock, { name: 'Somebody', dailyLimit: 0 });
    const of = async (one: Sql) => (await listOrganizations(one)).map((row) => row.id);
    expect(await of(main.db)).toContain(id);
    expect(await of(two.db)).not.toContain(id);
    expect(await of(db.of(THERE))).toContain(id);
  });

  it('is refused where it is about organizations of several cells, which `byCell` takes apart', async () => {
    await expect(db.exec(addEach, [[HERE, THERE]])).rejects.toThrow('several cells');
    const parts = db.byCell([HERE, THERE, 'org_other'], (id) => id);
    expect(parts.map(({ items }) => items)).toEqual([[HERE, 'org_other'], [THERE]]);
    const before = await counted(two.db, THERE);
    await parts[1]?.db.exec(addEach, [[THERE_TOO]]);
    expect([before, await counted(two.db, THERE_TOO)]).toEqual([1, 1]);
  });

  it('is refused where it is about everybody, unless it is asked of one cell', async () => {
    await expect(db.one(countAll)).rejects.toThrow('asked of one cell');
    const asked = db.cells.filter(({ name }) => name !== 'away').map((cell) => cell.db.one(countAll));
    const [inMain, inTwo] = await Promise.all(asked);
    expect(inMain).toEqual(await main.db.one(countAll));
    expect(inTwo).toEqual(await two.db.one(countAll));
  });

  it('fails as with a database that is away where its cell is, or is not known here; others do not notice', async () => {
    for (const organization of [AWAY, NOWHERE]) {
      const error: unknown = await counted(db, organization).catch((one: unknown) => one);
      expect(isUnavailable(error), organization).toBe(true);
    }
    expect(await counted(db, THERE)).toBe(1);
  });
});

describe('a transaction', () => {
  it('is in the cell that its first statement names', async () => {
    await db.transaction(async (tx) => {
      await tx.exec(add, [THERE, 'sent']);
      await tx.one(countAll);
      expect(await counted(main.db, THERE)).toBe(0);
      expect(await counted(two.db, THERE)).toBe(1);
    });
    expect(await counted(two.db, THERE)).toBe(2);
  });

  it('takes nothing of another cell, and then nothing at all', async () => {
    const before = await counted(two.db, THERE);
    const crossing = db.transaction(async (tx) => {
      await tx.exec(add, [THERE, 'bounced']);
      await tx.exec(add, [HERE, 'bounced']);
    });
    await expect(crossing).rejects.toThrow('not in the cell of its transaction');
    const withControl = db.transaction(async (tx) => {
      await tx.exec(add, [THERE, 'bounced']);
      await createOrganization(tx, systemClock, { name: 'Somebody', dailyLimit: 0 });
    });
    await expect(withControl).rejects.toThrow('not in the cell of its transaction');
    expect(await counted(two.db, THERE)).toBe(before);
  });

  it('runs its last statements there, too', async () => {
    await db.transaction(
      (tx) => counted(tx, THERE),
      (tx) => tx.exec(add, [THERE, 'opened']),
    );
    expect(await counted(two.db, THERE)).toBe(3);
    expect(await counted(main.db, THERE)).toBe(0);
  });

  it('fails with what was wrong where it fails, where its cell is away, and where it asks nothing', async () => {
    const twice = db.transaction(async (tx) => {
      await tx.exec(add, [THERE, 'failed']);
      await tx.exec(add, [THERE, 'failed']);
    });
    await expect(twice).rejects.toMatchObject({ code: '23505' });
    const error: unknown = await db
      .transaction((tx) => Promise.all([counted(tx, AWAY), counted(tx, AWAY)]))
      .catch((one: unknown) => one);
    expect(isUnavailable(error)).toBe(true);
    await expect(db.transaction(() => Promise.reject(new Error('before anything')))).rejects.toThrow(
      'before',
    );
    expect(await db.transaction(async () => 'nothing asked')).toBe('nothing asked');
  });

  it('does nothing where its organization moved while it waited for a connection', async () => {
    let asked = 0;
    const cellOf = () => (asked++ === 0 ? 'two' : 'main');
    const moving = new RoutedDatabase({
      main: main.db,
      others: new Map([['two', two.db]]),
      directory: { cellOf },
    });
    const error: unknown = await moving
      .transaction((tx) => tx.exec(add, [HERE, 'moved']))
      .catch((one: unknown) => one);
    expect(isUnavailable(error)).toBe(true);
    expect(await counted(two.db, HERE)).toBe(0);
  });

  it('runs its statements in the order they were started, also where one has to find out first who is where', async () => {
    let looks = 0;
    const located = () => (looks++ === 1 ? breathe() : undefined);
    const slow = new RoutedDatabase({
      main: main.db,
      others: new Map([['two', two.db]]),
      directory: { cellOf: () => 'two', located },
    });
    const counts = await slow.transaction((tx) =>
      Promise.all([tx.exec(add, ['org_in_order', 'queued']), counted(tx, 'org_in_order')]),
    );
    expect(counts).toEqual([1, 1]);
  });
});
