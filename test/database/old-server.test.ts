/** A PostgreSQL that is too old: one that says so of itself. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Database } from '../../src/database/database.ts';
import { migrate } from '../../src/database/migrate.ts';
import { adHoc } from '../../src/database/sql.ts';
import { createLog } from '../../src/runtime/log.ts';
import { runCommand } from '../support/command-line.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const WORDS = 'This is PostgreSQL 13.14; Postrider needs 14 or newer.';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  const { db } = database;
  await db.exec(
    adHoc(`CREATE FUNCTION public.current_setting(text) RETURNS text LANGUAGE sql AS $$ SELECT '130014' $$`),
  );
  const { name } = await db.one(adHoc<{ name: string }>('SELECT current_database() AS name'));
  await db.exec(adHoc(`ALTER DATABASE ${name} SET search_path = public, pg_catalog`));
});
afterAll(() => database.drop());

it('is refused by whatever would use it, with words', async () => {
  const db = new Database({ url: database.url, log: createLog('test', 'silent'), applicationName: 'test' });
  await expect(db.many(adHoc('SELECT 1'))).rejects.toThrow(WORDS);
  await expect(db.transaction(async () => undefined)).rejects.toThrow(WORDS);
  await db.close();
  await expect(migrate(database.url)).rejects.toThrow(WORDS);
  const ran = await runCommand(['org', 'list'], { DATABASE_URL: database.url });
  expect(ran).toMatchObject({ code: 1, err: expect.stringContaining(WORDS) });
});
