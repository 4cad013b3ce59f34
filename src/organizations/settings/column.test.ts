import { expect, test } from 'vitest';
import type { Sql } from '../../database/sql.ts';
import { steadyClock } from '../../runtime/clock.ts';
import { ColumnSetting, columnOf } from './column.ts';

const COLUMN = columnOf('column_of_a_test', 'unset');

/** A database that holds each answer back until released, and answers with the value at the time of the query. */
function slowDatabase() {
  const asked: (() => void)[] = [];
  let stored = 'old';
  const db = {
    maybeOne: () => {
      const value = stored;
      return new Promise((resolve) => asked.push(() => resolve({ value })));
    },
    exec: async (_: unknown, params: readonly string[]) => {
      stored = params[1] as string;
      return 1;
    },
  } as unknown as Sql;
  return { db, asked };
}

test('concurrent requests for a setting query the database once', async () => {
  const { db, asked } = slowDatabase();
  const setting = new ColumnSetting(COLUMN, { db, clock: steadyClock });
  const answers = [setting.of('org_a'), setting.of('org_a'), setting.of('org_a')];
  expect(asked).toHaveLength(1);
  asked[0]?.();
  expect(await Promise.all(answers)).toEqual(['old', 'old', 'old']);
});

test('a process that changed a setting does not read the earlier value', async () => {
  const { db, asked } = slowDatabase();
  const setting = new ColumnSetting(COLUMN, { db, clock: steadyClock });
  void setting.of('org_a');
  await setting.set('org_a', 'new');
  const answer = setting.of('org_a');
  asked[1]?.();
  expect(await answer).toBe('new');
});
