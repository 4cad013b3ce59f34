/** A schema that is newer than the code that uses it, as during an upgrade. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkSchema, type Migration, migrate, readMigrations } from '../../src/database/migrate.ts';
import { planMigrations } from '../../src/database/migration-plan.ts';
import { adHoc } from '../../src/database/sql.ts';
import { reasonNotReady } from '../../src/processes/api-server.ts';
import { runCommand } from '../support/command-line.ts';
import { admin, createTestDatabase, holding, type TestDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';

const released = readMigrations();
const KNOWN = released.length;

/** Those of a later version: what this code has, and these. */
const later = (...texts: string[]): readonly Migration[] => [
  ...released,
  ...texts.map((text, i) => ({ version: KNOWN + 1 + i, name: `${KNOWN + 1 + i}_later`, text })),
];
const number = (version: number) => String(version).padStart(4, '0');

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

describe('a schema that is newer than the code', () => {
  it('is used as long as nothing was taken away', async () => {
    await migrate(database.url, { migrations: later('ALTER TABLE emails ADD COLUMN later text') });
    expect(await reasonNotReady(database.db)).toBeNull();
    // As a machine does that starts again before it is upgraded.
    expect(await migrate(database.url)).toEqual([]);
    const { out } = await runCommand(['status'], { DATABASE_URL: database.url, POSTRIDER_PORT: '1' });
    expect(out).toContain(`${KNOWN + 1}, newer than this code knows (${KNOWN}), which can use it`);
  });

  it('is refused as soon as something was taken away that the code uses', async () => {
    const contract = `-- contract: ${number(KNOWN + 1)}\nALTER TABLE emails DROP COLUMN later`;
    const migrations = later('ALTER TABLE emails ADD COLUMN later text', contract);
    await migrate(database.url, { migrations });
    await expect(checkSchema(database.db)).rejects.toThrow('newer than this code knows');
    await expect(migrate(database.url)).rejects.toThrow('newer than this code knows');
  });

  it('goes on being used when what was taken away is no longer used by the code', async () => {
    const contract = `-- contract: ${number(KNOWN)}\nALTER TABLE emails DROP COLUMN later`;
    const migrations = later('ALTER TABLE emails ADD COLUMN later text', contract);
    expect(await migrate(database.url, { migrations, isOnline: true })).toHaveLength(2);
    await checkSchema(database.db);
  });
});

describe('a migration that running processes could not go on with', () => {
  const migrations = later(
    'ALTER TABLE emails ADD COLUMN later text; ALTER TABLE domains ADD COLUMN later text',
    `-- contract: ${number(KNOWN + 1)}\nDROP TABLE sites`,
  );

  it('is refused online, and nothing is changed', async () => {
    await expect(migrate(database.url, { migrations, isOnline: true })).rejects.toThrow(
      `Processes of schema ${KNOWN} may not work after migration ${KNOWN + 2}_later. Nothing was changed.`,
    );
    await checkSchema(database.db);
    const columns = adHoc(`SELECT 1 FROM information_schema.columns WHERE column_name = 'later'`);
    expect(await database.db.many(columns)).toEqual([]);
  });

  it('is announced by a plan, with the tables it concerns', async () => {
    const plan = await planMigrations(database.db, migrations);
    expect(plan).toMatchObject({
      version: KNOWN,
      isOnline: false,
      pending: [
        {
          name: `${KNOWN + 1}_later`,
          effects: [
            { kind: 'lock', table: 'emails', rows: 0 },
            { kind: 'lock', table: 'domains', rows: 0 },
          ],
        },
        {
          name: `${KNOWN + 2}_later`,
          effects: [{ kind: 'breaks', what: 'DROP TABLE sites' }],
          needs: KNOWN + 1,
        },
      ],
    });
    for (const { bytes } of plan.pending[0]?.effects ?? []) expect(bytes).toBeGreaterThan(0);
  });

  it('is announced without the tables that are not there yet', async () => {
    const plan = await planMigrations(
      database.db,
      later(
        'CREATE TABLE later (id text)',
        'ALTER TABLE later ADD COLUMN more text; ALTER TABLE emails ADD COLUMN later text; DROP TABLE IF EXISTS gone',
      ),
    );
    expect(plan.pending.map(({ effects }) => effects.map(({ table }) => table))).toEqual([[], ['emails']]);
  });
});

it('a migration gives way to sessions that hold its locks, and tries again', async () => {
  const migrations = later('ALTER TABLE sites ADD COLUMN later text');
  let hasWaited = () => {};
  const waited = new Promise<void>((resolve) => {
    hasWaited = resolve;
  });
  const log = (line: string) => {
    if (line.includes('waits for a lock')) hasWaited();
  };
  let migrated: Promise<string[]> = Promise.resolve([]);
  await holding(database.db, async (tx) => {
    await tx.exec(adHoc('LOCK TABLE sites IN ACCESS SHARE MODE'));
    migrated = migrate(database.url, { migrations, log });
    await waited;
  });
  expect(await migrated).toHaveLength(1);
});

describe('an index that is built beside running statements', () => {
  const CREATE = 'CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS later_index ON sites (updated_at)';
  const migrations = later(`-- no-transaction\n${CREATE}`);
  const isValid = async () =>
    (
      await database.db.one(
        adHoc<{ valid: boolean }>(
          `SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = 'later_index'::regclass`,
        ),
      )
    ).valid;

  it('is built anew where a build of it was cut off', async () => {
    await database.db.exec(
      adHoc(
        `INSERT INTO sites (name, paused_at, updated_at) VALUES ('one', now(), 'today'), ('two', now(), 'today')`,
      ),
    );
    await expect(admin(database.url, CREATE)).rejects.toThrow('later_index');
    expect(await isValid()).toBe(false);
    await database.db.exec(adHoc('DELETE FROM sites'));
    await migrate(database.url, { migrations });
    expect(await isValid()).toBe(true);
  });

  it('does not wait for a process that waits for its own turn to migrate', async () => {
    const waiting = adHoc<{ count: number }>(
      `SELECT count(*) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'postrider-migrate'
         AND (query NOT ILIKE 'CREATE%' OR wait_event_type = 'Lock')`,
    );
    const areWaiting = (count: number) =>
      until(
        async () => (await database.db.one(waiting)).count,
        (found) => found === count,
        20,
      );
    let turns: Promise<string[]>[] = [];
    await holding(database.db, async (tx) => {
      await tx.exec(adHoc('LOCK TABLE sites IN ROW EXCLUSIVE MODE'));
      turns = [migrate(database.url, { migrations })];
      await areWaiting(1);
      turns.push(migrate(database.url, { migrations }));
      await areWaiting(2);
    });
    expect((await Promise.all(turns)).map((applied) => applied.length)).toEqual([1, 0]);
    expect(await isValid()).toBe(true);
  });
});

describe('migrate --dry-run', () => {
  it('says what would be done, does nothing, and tells by its exit code whether what runs may go on', async () => {
    const { url } = database;
    expect(await runCommand(['migrate', '--dry-run'], { DATABASE_URL: url })).toMatchObject({
      code: 0,
      out: 'The schema is up to date.',
    });
    await database.db.exec(adHoc('DELETE FROM schema_migrations WHERE version = $1'), [KNOWN]);
    const last = released.at(-1)?.name ?? '';
    const { out } = await runCommand(['migrate', '--dry-run'], { DATABASE_URL: url });
    expect(out).toMatch(
      new RegExp(`^The database is at schema ${KNOWN - 1}; 1 migration would run:\n  ${last}\n`),
    );
    const { code, out: json } = await runCommand(['migrate', '--dry-run', '--json'], { DATABASE_URL: url });
    const report = JSON.parse(json);
    expect(report).toMatchObject({ schema: KNOWN - 1, pending: [{ name: last }] });
    expect(out.match(/^Conclusion: /gm)).toHaveLength(1);
    expect(code).toBe(report.online ? 0 : 3);
    expect((await runCommand(['org', 'list'], { DATABASE_URL: url })).err).toContain('npx postrider migrate');
  });
});
