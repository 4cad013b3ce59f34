/**
 * A cell on Citus is upgraded: migrations run on a schema that is kept on another node, from the same files as elsewhere, while
 * mail is accepted and delivered. Runs where `POSTRIDER_TEST_CITUS_BIN` says where a PostgreSQL with Citus is.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/database/database.ts';
import { migrate, readMigrations } from '../../src/database/migrate.ts';
import { ensurePartitions } from '../../src/database/partitions.ts';
import { adHoc } from '../../src/database/sql.ts';
import { migrateCells } from '../../src/processes/migrate-cells.ts';
import { DAY_MS } from '../../src/runtime/durations.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { CelledDatabase, SECOND_CELL } from '../support/celled-database.ts';
import { CITUS_BIN, Citus, type CitusCell } from '../support/citus.ts';
import { runCommand } from '../support/command-line.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { sendLetter } from '../support/emails.ts';
import { LATER_MIGRATIONS } from '../support/later-migrations.ts';
import { startMailWorker, type TestWorker } from '../support/mail-worker.ts';
import { schemaOf } from '../support/schema-of.ts';
import { until } from '../support/until.ts';

/** The schema that cells on Citus could not be brought beyond. */
const GIVEN_AT = 124;

const whyNot = CITUS_BIN === undefined ? ', skipped: POSTRIDER_TEST_CITUS_BIN names none' : '';

describe.skipIf(CITUS_BIN === undefined)(`an upgrade of a cell on Citus${whyNot}`, () => {
  let citus: Citus;
  let cell: CitusCell;
  /** The same PostgreSQL, where Citus has nothing to do with it. */
  let plain: CitusCell;
  let control: TestDatabase;
  let server: TestApi;
  let worker: TestWorker;
  let org: TestOrganization;

  beforeAll(async () => {
    [citus, control] = await Promise.all([Citus.start(CITUS_BIN ?? ''), createTestDatabase()]);
    cell = await citus.createCell('cell_1', { migrations: readMigrations().slice(0, GIVEN_AT) });
    plain = await citus.createSchema('plain');
  }, 120_000);
  afterAll(async () => {
    await worker?.stop();
    await server?.stop();
    await citus?.stop();
    await control?.drop();
  });

  async function start(): Promise<void> {
    const db = new CelledDatabase(control.db, cell.db);
    const served = db.cells.find(({ name }) => name === SECOND_CELL)?.db as Database;
    const database = { ...control, db, worker: { url: cell.url, db: served } };
    server = await startApi({ database });
    org = await server.createOrganization();
    worker = await startMailWorker(database, { POSTRIDER_SANDBOX_SPEED: '60' });
  }
  const send = () => sendLetter(server, org);
  const delivered = (id: string) =>
    until(
      () => server.api('GET', `/emails/${id}`, undefined, org.key),
      ({ body }) => body.data.status === 'delivered',
    );

  it('`postrider migrate` applies what has come since it was given to Citus', async () => {
    const env = { DATABASE_URL: control.url, POSTRIDER_CELLS: `${SECOND_CELL}=${cell.url}` };
    const { code, err } = await runCommand(['migrate'], env);
    expect([code, err]).toEqual([0, '']);
    expect(await schemaOf(cell.db)).toEqual(await schemaOf(plain.db));
    await start();
    await delivered(await send());
  }, 60_000);

  it('applies every kind of change while mail is accepted and delivered', async () => {
    await server.api('POST', '/templates', { name: 'T', subject: 'S', text: 'x' }, org.key);
    const stop = new AbortController();
    const sent: string[] = [];
    const sending = (async () => {
      while (!stop.signal.aborted) sent.push(await send());
    })();
    const cells = [
      { name: SECOND_CELL, url: cell.url },
      { name: 'plain', url: plain.url },
    ];
    const migrations = [...readMigrations(), ...LATER_MIGRATIONS];
    const migrated = await migrateCells({ cells }, control.url, { migrations });
    const names = LATER_MIGRATIONS.map(({ name }) => name);
    expect(migrated.map(({ applied, away }) => [applied, away])).toEqual(Array(3).fill([names, null]));
    const before = sent.length;
    await until(() => sent.length > before + 5);
    stop.abort();
    await sending;
    for (const id of sent) await delivered(id);
  }, 120_000);

  it('has the schema that PostgreSQL has without Citus', async () => {
    expect(await schemaOf(cell.db)).toEqual(await schemaOf(plain.db));
  });

  it('has all of it where the rows are, too', async () => {
    expect(await citus.differences('cell_1')).toEqual([]);
  });

  it('changed the rows there were', async () => {
    const read = adHoc<{ later_kind: string; later_by: string }>(
      'SELECT later_kind, later_by FROM templates',
    );
    expect(await cell.db.many(read)).toEqual([{ later_kind: 'a;b', later_by: 'was T' }]);
    const things = adHoc<{ state: string }>('SELECT state FROM later_things WHERE organization_id = $1');
    expect(await cell.db.many(things, [org.id])).toEqual([{ state: 'old' }]);
  });

  it('makes weeks of a new table with those of the others', async () => {
    await ensurePartitions(cell.db, Date.now() + 100 * DAY_MS, 1);
    const weeks = adHoc<{ count: number }>(
      `SELECT count(*) FROM pg_inherits WHERE inhparent = ANY ($1::text[]::regclass[]) GROUP BY inhparent`,
    );
    const [one, other] = await cell.db.many(weeks, [['emails', 'later_weeks']]);
    expect(one?.count).toBeGreaterThan(2);
    expect(one).toEqual(other);
    expect(await citus.differences('cell_1')).toEqual([]);
  });

  it('builds an index again where it was not written down that it was built', async () => {
    const version = (LATER_MIGRATIONS.at(-1)?.version ?? 0) + 1;
    const text =
      '-- no-transaction\nCREATE INDEX CONCURRENTLY IF NOT EXISTS built_twice ON outbox (organization_id, attempt)';
    const migrations = [...readMigrations(), ...LATER_MIGRATIONS, { version, name: 'twice', text }];
    await migrate(cell.url, { migrations });
    await cell.db.exec(adHoc('DELETE FROM schema_migrations WHERE version = $1'), [version]);
    expect(await migrate(cell.url, { migrations })).toEqual(['twice']);
    const valid = adHoc<{ indisvalid: boolean }>(
      `SELECT indisvalid FROM pg_index WHERE indexrelid = 'built_twice'::regclass`,
    );
    expect(await cell.db.one(valid)).toEqual({ indisvalid: true });
  });

  it('goes on where it is moved to another worker afterwards', async () => {
    await citus.move('cell_1');
    await delivered(await send());
    expect(await citus.differences('cell_1')).toEqual([]);
  }, 60_000);
});
