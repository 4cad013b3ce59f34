/** An installation of two cells that organizations are moved between: API, directory and a worker for each. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CellDirectory } from '../../src/cells/directory.ts';
import { CELL_TABLES } from '../../src/cells/homes.ts';
import { RoutedDatabase } from '../../src/cells/routed-database.ts';
import { Database } from '../../src/database/database.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/database/embedded-postgres.ts';
import { migrate } from '../../src/database/migrate.ts';
import { adHoc } from '../../src/database/sql.ts';
import { type MoveRequest, moveOrganization } from '../../src/operations/move/move-organization.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { createLog } from '../../src/runtime/log.ts';
import { startApi, type TestApi, type TestOrganization } from './api.ts';
import { dropControl, SECOND_CELL } from './celled-database.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { startMailWorker, type TestWorker } from './mail-worker.ts';
import { until } from './until.ts';

const log = createLog('test', 'silent');

export interface CellDatabase {
  readonly url: string;
  readonly db: Database;
  drop(): Promise<void>;
}

/** A cell on its own server, with a write-ahead log for logical replication. */
export async function createServer(): Promise<CellDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), 'postrider-cell-'));
  await chmod(dataDir, 0o755);
  const settings = { fsync: 'off', wal_level: 'logical' };
  const server: EmbeddedPostgres = await startEmbeddedPostgres({ dataDir, settings, log: () => undefined });
  await migrate(server.url);
  const db = new Database({ url: server.url, log, applicationName: 'test' });
  const drop = async () => {
    await db.close();
    await server.stop(0);
    await rm(dataDir, { recursive: true, force: true });
  };
  return { url: server.url, db, drop };
}

export interface MoveOptions extends Partial<MoveRequest> {
  readonly at?: (point: string) => Promise<void>;
  readonly signal?: AbortSignal;
}

export interface MovingCells {
  readonly api: TestApi;
  readonly directory: CellDirectory;
  readonly main: CellDatabase;
  readonly two: CellDatabase;
  /** The first organization, which is not moved. */
  readonly first: TestOrganization;
  /** Moves the organization. Returns the output of the command. */
  move(org: TestOrganization, options?: MoveOptions): Promise<string[]>;
  /** Simulates `kill -9` of the moving process: only its writes to the database remain. */
  killMovers(): Promise<void>;
  /** Starts a worker for each cell. `envOf` configures the worker of a cell by its name. */
  startWorkers(envOf?: (cell: string) => Readonly<Record<string, string>>): Promise<void>;
  /** Resolves when workers have finished all due work of an organization. */
  settled(org: TestOrganization): Promise<void>;
  /** The number of an organization's rows in each table of a cell that has any. */
  rowsOf(db: Database, org: TestOrganization): Promise<Readonly<Record<string, number>>>;
  stop(): Promise<void>;
}

export async function startMovingCells(
  create: () => Promise<CellDatabase> = createTestDatabase,
  env: Readonly<Record<string, string>> = {},
): Promise<MovingCells> {
  const [main, two] = await Promise.all([create(), create()]);
  await dropControl(two.db);
  const directory = new CellDirectory({ db: main.db, log });
  const routed = new RoutedDatabase({ main: main.db, others: new Map([[SECOND_CELL, two.db]]), directory });
  await directory.start();
  const api = await startApi({ env, database: { ...main, db: routed } as TestDatabase });
  // Starting may have taken longer than the directory's data is valid.
  await directory.refresh();
  const first = await api.createOrganization('First');
  const workers: TestWorker[] = [];
  return {
    ...{ api, directory, main, two, first },
    async move(org, { at, signal = new AbortController().signal, ...more } = {}) {
      const said: string[] = [];
      const cells = [
        { name: 'main', url: main.url },
        { name: SECOND_CELL, url: two.url },
      ];
      const usual = { isOffline: false, isAbandoned: false, reach: undefined, by: 'ada', to: SECOND_CELL };
      const deps = {
        control: routed,
        clock: systemClock,
        cells,
        say: (line: string) => said.push(line),
        signal,
      };
      const request = { ...usual, organizationId: org.id, ...more };
      await moveOrganization(at === undefined ? deps : { ...deps, at }, request);
      return said;
    },
    async killMovers() {
      const kill = adHoc(
        `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
         WHERE application_name = 'postrider-move' AND datname = current_database()`,
      );
      await Promise.all([main.db.many(kill), two.db.many(kill)]);
    },
    async startWorkers(envOf = () => ({})) {
      for (const [i, { db, name }] of routed.cells.entries()) {
        const url = i === 0 ? main.url : two.url;
        workers.push(await startMailWorker({ db, url, drop: async () => {} }, envOf(name)));
      }
    },
    async settled({ id }) {
      const due = adHoc<{ count: number }>(
        `SELECT (SELECT count(*) FROM outbox WHERE organization_id = $1 AND due_at <= now())
              + (SELECT count(*) FROM webhook_deliveries WHERE organization_id = $1 AND state = 'pending')
              + (SELECT count(*) FROM suppression_imports WHERE organization_id = $1 AND finished_at IS NULL) AS count`,
      );
      for (const { db } of [main, two])
        await until(
          () => db.one(due, [id]),
          ({ count }) => count === 0,
        );
    },
    async rowsOf(db, { id }) {
      const found: Record<string, number> = {};
      const tables = await db.many(
        adHoc<{ name: string }>(
          `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
           WHERE a.attname = 'organization_id' AND c.relkind IN ('r', 'p') AND NOT c.relispartition
             AND c.relnamespace = current_schema()::regnamespace`,
        ),
      );
      // Request logs are written later.
      const inCells = tables.filter(({ name }) => CELL_TABLES.includes(name) && name !== 'request_logs');
      for (const { name } of inCells) {
        const text = `SELECT count(*) FROM ${name} WHERE organization_id = $1`;
        const { count } = await db.one(adHoc<{ count: number }>(text), [id]);
        if (count > 0) found[name] = count;
      }
      return found;
    },
    async stop() {
      await Promise.all(workers.map((worker) => worker.stop()));
      await api.stop();
      await directory.stop();
      await Promise.all([main.drop(), two.drop()]);
    },
  };
}
