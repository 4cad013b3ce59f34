/** Two cells. The second has a single connection, so that queries wait while a test uses it. */
import { CellDirectory } from '../../src/cells/directory.ts';
import { RoutedDatabase } from '../../src/cells/routed-database.ts';
import { assignCell } from '../../src/cells/store.ts';
import { Database } from '../../src/database/database.ts';
import { adHoc } from '../../src/database/sql.ts';
import { createOrganization } from '../../src/organizations/service.ts';
import { copyOrganization, findOrganization } from '../../src/organizations/store.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { createLog } from '../../src/runtime/log.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { until } from './until.ts';

const log = createLog('test', 'silent');

export const block = adHoc(`SELECT pg_advisory_lock(hashtext('test.exhausted'))`);
export const unblock = adHoc(`SELECT pg_advisory_unlock(hashtext('test.exhausted'))`);
export const blocked = adHoc<{ count: number }>(
  `SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
     AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
);

export class NarrowCell {
  readonly main: TestDatabase;
  readonly two: TestDatabase;
  readonly #blocker: Database;
  #nowMs = 0;
  #narrow: Database | undefined;
  #directory: CellDirectory | undefined;
  #db: RoutedDatabase | undefined;

  private constructor(main: TestDatabase, two: TestDatabase) {
    this.main = main;
    this.two = two;
    this.#blocker = new Database({ url: two.url, log, applicationName: 'test', maxConnections: 1 });
  }

  static async create(): Promise<NarrowCell> {
    const [main, two] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    return new NarrowCell(main, two);
  }

  /** Opens the databases without the state of the previous test. */
  open(): void {
    this.#nowMs = 0;
    const narrow = new Database({ url: this.two.url, log, applicationName: 'test', maxConnections: 1 });
    const directory = new CellDirectory({ db: this.main.db, log, nowMs: () => [this.#nowMs, this.#nowMs] });
    this.#narrow = narrow;
    this.#directory = directory;
    this.#db = new RoutedDatabase({ main: this.main.db, others: new Map([['two', narrow]]), directory });
  }

  get db(): RoutedDatabase {
    return this.#db as RoutedDatabase;
  }

  get narrow(): Database {
    return this.#narrow as Database;
  }

  async refreshDirectory(): Promise<void> {
    await this.#directory?.refresh();
  }

  /** Creates an organization in the second cell, with a copy in both cells as during a move. */
  async createOrganization(name: string): Promise<string> {
    const { id } = await createOrganization(this.main.db, systemClock, { name, dailyLimit: 0 });
    const row = await findOrganization(this.main.db, id);
    if (row !== undefined) await copyOrganization(this.two.db, row);
    await this.assignCell(id, 'two');
    return id;
  }

  /** Assigns the cell without notifying the directory. */
  async assignCell(id: string, cell: string, isMoving = false): Promise<void> {
    await this.main.db.transaction((tx) => assignCell(tx, id, cell, { isMoving }));
  }

  /** Runs `begin` while the connection is in use, then `meanwhile`. The connection becomes free after a second. */
  async waitedFor<T>(begin: () => Promise<T>, meanwhile: () => Promise<unknown>): Promise<T> {
    await this.#blocker.many(block);
    const taken = this.narrow.many(block).then(() => this.narrow.many(unblock));
    await until(
      () => this.two.db.one(blocked),
      (row) => row.count === 1,
    );
    const begun = begin();
    begun.catch(() => undefined);
    await meanwhile();
    this.#nowMs += 1_500;
    await this.#blocker.many(unblock);
    await taken;
    return begun;
  }

  async close(): Promise<void> {
    await this.#narrow?.close();
  }

  async drop(): Promise<void> {
    await this.#blocker.close();
    await Promise.all([this.main.drop(), this.two.drop()]);
  }
}

export const failureOf = (begun: Promise<unknown>) =>
  begun.then(
    () => undefined,
    (error: unknown) => error,
  );
