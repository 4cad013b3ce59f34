/**
 * The database of an installation with several cells: it runs each statement where it belongs, which the statement's text and
 * its parameters say (route.ts). Those who use it need not know that there are cells; those that are about all
 * organizations at once work on one cell (`of`, `cells`), and are refused here.
 *
 * It owns no connections: `main` and the others are their makers'.
 */
import { type Cell, Database, MAIN_CELL } from '../kit/database/database.ts';
import type { Pooling } from '../kit/database/pooler.ts';
import type { Sql, Statement } from '../kit/database/sql.ts';
import { type CellDirectory, UnknownPlaceError } from './directory.ts';
import { routeOf } from './route.ts';
import { RoutedTransaction } from './routed-transaction.ts';

export interface RoutedOptions {
  /** Control, which is the first cell, too. */
  readonly main: Database;
  readonly others: ReadonlyMap<string, Database>;
  readonly directory: Pick<CellDirectory, 'cellOf'> & Partial<Pick<CellDirectory, 'located'>>;
}

export class RoutedDatabase extends Database {
  readonly #options: RoutedOptions;
  /** For one cell alone: everything that is not control's is there. */
  readonly #only: Database | null;
  readonly #views: Map<string, RoutedDatabase>;

  constructor(options: RoutedOptions, only: Database | null = null) {
    super(options.main);
    this.#options = options;
    this.#only = only;
    this.#views = new Map();
  }

  override many<Row>(statement: Statement<Row>, params?: readonly unknown[]): Promise<Row[]> {
    return this.#run(statement, params, (db) => db.many(statement, params));
  }

  override exec(statement: Statement<unknown>, params?: readonly unknown[]): Promise<number> {
    return this.#run(statement, params, (db) => db.exec(statement, params));
  }

  override of(organizationId: string): Database {
    return this.#only === null ? this.#view(this.#options.directory.cellOf(organizationId)) : this;
  }

  override located(): Promise<void> | undefined {
    return this.#only === null ? this.#options.directory.located?.() : undefined;
  }

  override get cells(): readonly Cell[] {
    return [MAIN_CELL, ...this.#options.others.keys()].map((name) => ({ name, db: this.#view(name) }));
  }

  override byCell<Item>(items: readonly Item[], organizationOf: (item: Item) => string) {
    const parts = new Map<Database, Item[]>();
    for (const item of items) {
      const db = this.of(organizationOf(item));
      const part = parts.get(db);
      if (part === undefined) parts.set(db, [item]);
      else part.push(item);
    }
    return [...parts].map(([db, part]) => ({ db, items: part }));
  }

  override transaction<T>(
    work: (tx: Sql) => Promise<T>,
    closing: (tx: Sql, result: T) => Promise<unknown> = async () => undefined,
  ): Promise<T> {
    return this.#transact(work, (db, inside, routed) =>
      db.transaction(inside, (tx, result) => closing(routed.checking(tx), result)),
    );
  }

  override transactionOnce<T>(
    work: (tx: Sql) => Promise<T>,
    isUndone?: (db: Sql) => Promise<boolean>,
  ): Promise<T> {
    return this.#transact(work, (db, inside) => db.transactionOnce(inside, isUndone));
  }

  override reading(timeoutMs: number, first?: string): Sql {
    const at = async (statement: Statement<unknown>, params?: readonly unknown[]) => {
      await this.located();
      return this.#targetOf(statement, params).reading(timeoutMs, first);
    };
    return {
      many: async (statement, params) => (await at(statement, params)).many(statement, params),
      maybeOne: async (statement, params) => (await at(statement, params)).maybeOne(statement, params),
      one: async (statement, params) => (await at(statement, params)).one(statement, params),
      exec: async (statement, params) => (await at(statement, params)).exec(statement, params),
    };
  }

  override get pooling(): Pooling | undefined {
    return this.#only === null ? super.pooling : this.#only.pooling;
  }

  /** Theirs who made them. */
  override async close(): Promise<void> {}

  async #run<T>(
    statement: Statement<unknown>,
    params: readonly unknown[] | undefined,
    run: (db: Database) => Promise<T>,
  ): Promise<T> {
    await this.located();
    return run(this.#targetOf(statement, params));
  }

  /** Begun when the first statement has said where. */
  async #transact<T>(
    work: (tx: Sql) => Promise<T>,
    begin: (db: Database, inside: (tx: Sql) => Promise<T>, routed: RoutedTransaction) => Promise<T>,
  ): Promise<T> {
    await this.located();
    const routed = new RoutedTransaction((statement, params) => this.#saidTarget(statement, params));
    const result = work(routed);
    result.catch(() => undefined); // it fails below, or there was nothing to begin
    const db = await Promise.race([routed.chosen, result.then(() => null)]);
    if (db === null) return result;
    try {
      const inside = (tx: Sql) => {
        routed.open(tx);
        return result;
      };
      return await begin(db, inside, routed);
    } catch (error) {
      routed.fail(error);
      throw error;
    }
  }

  #targetOf(statement: Statement<unknown>, params: readonly unknown[] | undefined): Database {
    const said = this.#saidTarget(statement, params);
    if (said !== null) return said;
    if (routeOf(statement).home === 'either') return this.#options.main;
    throw new Error(`${statement.name} does not say whose rows it is about: it has to be asked of one cell.`);
  }

  /** Null where neither the statement nor this database says. */
  #saidTarget(statement: Statement<unknown>, params: readonly unknown[] | undefined): Database | null {
    const { home, organization } = routeOf(statement);
    if (home === 'control') return this.#options.main;
    if (this.#only !== null) return this.#only;
    const whose = home === 'cell' && organization !== null ? params?.[organization] : null;
    if (typeof whose === 'string') return this.#plain(this.#options.directory.cellOf(whose));
    if (Array.isArray(whose) && whose.length > 0) return this.#commonCell(statement, whose);
    return null;
  }

  #commonCell({ name }: Statement<unknown>, organizations: readonly string[]): Database {
    const cells = new Set(organizations.map((one) => this.#options.directory.cellOf(one)));
    const [cell, ...more] = cells;
    if (cell === undefined || more.length > 0)
      throw new Error(`${name} is about organizations of several cells: it has to be asked of each.`);
    return this.#plain(cell);
  }

  #plain(cell: string): Database {
    const { main, others } = this.#options;
    const db = cell === MAIN_CELL ? main : others.get(cell);
    if (db === undefined)
      throw new UnknownPlaceError(
        `POSTRIDER_CELLS does not name the cell ${cell}, which has mail of this organization.`,
      );
    return db;
  }

  #view(cell: string): RoutedDatabase {
    const known = this.#views.get(cell);
    if (known !== undefined) return known;
    const view = new RoutedDatabase(this.#options, this.#plain(cell));
    this.#views.set(cell, view);
    return view;
  }
}
