/** The question that every send asks about its recipients. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc, type Sql } from '../../src/database/sql.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const ORGANIZATION = 'org_0123456789abc';
/** Many pages: nobody would read them all for one address, were the plan made for so many. */
const IMPORTED = 20_000;

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

const add = (tx: Sql, from: number, to: number) =>
  tx.exec(
    adHoc(`INSERT INTO suppressions (organization_id, id, created_at, email, key, reason, source)
           SELECT $1, gen_random_uuid(), now(), key, key, 'manual', 'manual'
           FROM generate_series($2::int, $3::int) AS n, concat('user', n, '@example.org') AS key`),
    [ORGANIZATION, from, to],
  );

const find = async (tx: Sql, keys: readonly string[], hashes: readonly (string | null)[] | null = null) =>
  (
    await tx.one(adHoc<{ found: number[] | null }>('SELECT suppressed_among($1, $2) AS found'), [
      keys.map((key) => ORGANIZATION + key),
      hashes?.map((hash) => hash && ORGANIZATION + hash) ?? null,
    ])
  ).found;

const readWhole = (tx: Sql) =>
  tx.one(
    adHoc<{ rows: number }>(
      `SELECT coalesce(sum(seq_tup_read), 0)::int AS rows FROM pg_stat_xact_user_tables WHERE relname = 'suppressions'`,
    ),
  );

describe('asking which addresses are suppressed', () => {
  it('never reads the whole list, with a plan from the days when it was almost empty', async () => {
    await test.db.transaction(async (tx) => {
      await add(tx, 1, 1);
      await tx.exec(adHoc('ANALYZE suppressions'));
      for (let often = 0; often < 10; often += 1) expect(await find(tx, ['user1@example.org'])).toEqual([1]);
      await add(tx, 2, IMPORTED);
      const before = await readWhole(tx);
      const asked = [
        'nobody@example.org',
        `user${IMPORTED}@example.org`,
        'user2@example.org',
        'x@example.org',
      ];
      expect(await find(tx, asked)).toEqual([2, 3]);
      expect(await find(tx, asked, [null, null, null, 'user3@example.org'])).toEqual([2, 3, 4]);
      expect(await readWhole(tx)).toEqual(before);
    });
  });

  it('answers null where none is', async () => {
    expect(await find(test.db, ['nobody@example.org'], ['user0@example.org'])).toBeNull();
    expect(await find(test.db, [])).toBeNull();
  });
});
