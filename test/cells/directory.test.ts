/** Which organization is in which cell, as a process knows it. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CellDirectory } from '../../src/cells/directory.ts';
import { assignCell, placementOf } from '../../src/cells/store.ts';
import { isUnavailable } from '../../src/database/errors.ts';
import { adHoc, type Sql } from '../../src/database/sql.ts';
import { createOrganization } from '../../src/organizations/service.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { createLog } from '../../src/runtime/log.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const log = createLog('test', 'silent');

let test: TestDatabase;
let directory: CellDirectory;
let ids: string[];
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

beforeEach(async () => {
  await test.db.exec(adHoc('DELETE FROM organization_cells'));
  const made = await Promise.all(
    ['One', 'Two'].map((name) => createOrganization(test.db, systemClock, { name, dailyLimit: 0 })),
  );
  ids = made.map(({ id }) => id);
  directory = new CellDirectory({ db: test.db, log });
});

const placed = (id: string, cell: string) => test.db.transaction((tx) => assignCell(tx, id, cell));
const first = () => ids[0] as string;
const second = () => ids[1] as string;

describe('the directory', () => {
  it('has organizations that nobody has placed in the first cell, and keeps nothing of them', async () => {
    await directory.refresh();
    expect(directory.cellOf(first())).toBe('main');
    expect(directory.size).toBe(0);
  });

  it('answers requests before it was read as if the database were unavailable', () => {
    expect.assertions(1);
    try {
      directory.cellOf(first());
    } catch (error) {
      expect(isUnavailable(error)).toBe(true);
    }
  });

  it('finds out who was placed, and who was moved since', async () => {
    await placed(first(), 'two');
    await placed(second(), 'two');
    await directory.refresh();
    expect(ids.map((id) => directory.cellOf(id))).toEqual(['two', 'two']);
    await placed(first(), 'three');
    await placed(second(), 'main');
    await directory.refresh();
    expect(ids.map((id) => directory.cellOf(id))).toEqual(['three', 'main']);
    expect(directory.size).toBe(1);
    expect((await placementOf(test.db, first()))?.cell).toBe('three');
  });

  it('misses none of many that are placed at once', async () => {
    const many = await Promise.all(
      Array.from({ length: 20 }, () =>
        createOrganization(test.db, systemClock, { name: 'Many', dailyLimit: 0 }),
      ),
    );
    let isPlacing = true;
    const placing = Promise.all(many.map(({ id }) => placed(id, 'two'))).finally(() => {
      isPlacing = false;
    });
    while (isPlacing) await directory.refresh();
    await placing;
    await directory.refresh();
    expect(many.filter(({ id }) => directory.cellOf(id) !== 'two')).toEqual([]);
  });

  it('knows nothing any more after a second without control, also where only the clock on the wall says so', async () => {
    let now: readonly [number, number] = [0, 0];
    const slept = new CellDirectory({ db: test.db, log, nowMs: () => now });
    await slept.refresh();
    for (const later of [
      [1_000, 0],
      [0, 1_000],
    ] as const) {
      now = later;
      expect(() => slept.cellOf(first())).toThrow('cannot be read at the moment');
      await slept.located();
      expect(slept.cellOf(first())).toBe('main');
      expect(slept.located()).toBeUndefined();
      now = [0, 0];
      await slept.refresh();
    }
  });

  it('lets nobody act for one that is being moved', async () => {
    await test.db.transaction((tx) => assignCell(tx, first(), 'main', { isMoving: true }));
    await directory.refresh();
    expect(() => directory.cellOf(first())).toThrow('being moved');
    expect(directory.cellOf(second())).toBe('main');
    await placed(first(), 'two');
    await directory.refresh();
    expect(directory.cellOf(first())).toBe('two');
  });

  it('asks again where an answer took longer than it is good for', async () => {
    let nowMs = 0;
    let asked = 0;
    const slow: Pick<Sql, 'many'> = {
      many: (statement, params) => {
        if (++asked === 1) nowMs += 1_500;
        return test.db.many(statement, params);
      },
    };
    await placed(first(), 'two');
    const busy = new CellDirectory({ db: slow as Sql, log, nowMs: () => [nowMs, nowMs] });
    await busy.located();
    expect([busy.cellOf(first()), asked]).toEqual(['two', 2]);
  });
});
