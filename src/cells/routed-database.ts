/**
 * The database of an installation with several cells. It runs each statement on the right database, which the statement's
 * definition and parameters determine. Callers need not know about cells. Code that concerns all organizations at
 * once uses one cell (`of`, `cells`), and is refused here.
 *
 * It owns no connections: the creators of `main` and the other databases do.
 */
import { type Cell, Database, MAIN_CELL } from '../database/database.ts';
import { noteCell } from '../database/errors.ts';
import type { FinalCheck } from '../database/one-statement.ts';
import type { Pooling } from '../database/pooler.ts';
import type { Home, Sql, Statement } from '../database/sql.ts';
import { type CellDirectory, MovedAwayError, UnknownPlaceError } from './directory.ts';
import type { CellGate } from './gate.ts';
import { RoutedTransaction } from './routed-transaction.ts';

interface RoutedOptions {
  /** Control, which is also the first cell. */
  readonly main: Database;
  readonly others: ReadonlyMap<string, Database>;
  readonly directory: Pick<CellDirectory, 'cellOf'> & Partial<Pick<CellDirectory, 'located'>>;
  readonly gate?: Pick<CellGate, 'pass'> | undefined;
}

type Params = readonly unknown[] | undefined;

export class RoutedDatabase extends Database {
  readonly #options: RoutedOptions;
  /** Restricts this instance to one cell: everything outside control is there. */
  readonly #only: string | null;
  /** The caller has already found that its organizations are in this cell. */
  readonly #isForResidents: boolean;
  readonly #views = new Map<string, RoutedDatabase>();
  readonly #residents = new Map<string, RoutedDatabase>();

  constructor(options: RoutedOptions, only: string | null = null, isForResidents = false) {
    super(options.main);
    this.#options = options;
    this.#only = only;
    this.#isForResidents = isForResidents;
  }

  override many<Row>(statement: Statement<Row>, params?: readonly unknown[]): Promise<Row[]> {
    return this.#run(statement, params, (on) => on.many(statement, params));
  }

  override exec(statement: Statement<unknown>, params?: readonly unknown[]): Promise<number> {
    return this.#run(statement, params, (on) => on.exec(statement, params));
  }

  override of(organizationId: string): Database {
    if (this.#only !== null) return this;
    const cell = this.#options.directory.cellOf(organizationId);
    this.#named(cell); // throws; a shut cell is detected by its statements
    return this.#residentsOf(cell);
  }

  override located(): Promise<void> | undefined {
    return this.#only === null ? this.#options.directory.located?.() : undefined;
  }

  override get cells(): readonly Cell[] {
    return [MAIN_CELL, ...this.#options.others.keys()].map((name) => ({
      name,
      db: this.#view(name),
      residents: this.#residentsOf(name),
    }));
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
    const run = <T>(statement: Statement<unknown>, params: Params, read: (on: Sql) => Promise<T>) =>
      this.#run(statement, params, read, (db, look) => db.reading(timeoutMs, first, look));
    return {
      many: (statement, params) => run(statement, params, (on) => on.many(statement, params)),
      maybeOne: (statement, params) => run(statement, params, (on) => on.maybeOne(statement, params)),
      one: (statement, params) => run(statement, params, (on) => on.one(statement, params)),
      exec: (statement, params) => run(statement, params, (on) => on.exec(statement, params)),
    };
  }

  override get pooling(): Pooling | undefined {
    return this.#only === null || this.#only === MAIN_CELL
      ? super.pooling
      : this.#options.others.get(this.#only)?.pooling;
  }

  /** The connections are closed by their creators; see Pool.close. */
  override async close(): Promise<void> {}

  /**
   * If the organization moved while the statement waited for a connection, it runs on the new cell: nothing was executed
   * before.
   */
  async #run<T>(
    statement: Statement<unknown>,
    params: Params,
    run: (on: Sql) => Promise<T>,
    on: (db: Database, look: FinalCheck | undefined) => Sql = withoutRecheck,
  ): Promise<T> {
    for (;;) {
      await this.located();
      const db = this.#targetOf(statement, params);
      try {
        return await run(on(db, this.#lookFor(db, statement, params)));
      } catch (error) {
        if (this.#only === null && error instanceof MovedAwayError) continue;
        this.#note(error, db);
        throw error;
      }
    }
  }

  /**
   * Data about cells is valid for one second, and waiting for a connection may take longer. Undefined if no organization can
   * have moved: in control, and for callers that work on one cell.
   */
  #lookFor(db: Database, statement: Statement<unknown>, params: Params): FinalCheck | undefined {
    if (this.#only !== null && !this.#isForResidents) return undefined;
    const whose = organizationsOf(statement, params);
    if (whose.length === 0) return undefined;
    const { directory } = this.#options;
    const check = () => {
      if (this.#livesIn(whose, statement) !== db)
        throw new MovedAwayError('The organization has moved to another cell. Try again.');
    };
    return () => {
      const looking = directory.located?.();
      if (looking !== undefined) return looking.then(check);
      check();
    };
  }

  /** Begins when the first statement has determined the database. */
  async #transact<T>(
    work: (tx: Sql) => Promise<T>,
    begin: (db: Database, inside: (tx: Sql) => Promise<T>, routed: RoutedTransaction) => Promise<T>,
  ): Promise<T> {
    await this.located();
    const routed = new RoutedTransaction(
      (statement, params) => this.#saidTarget(statement, params),
      (on, statement, params) => this.#lookFor(on, statement, params)?.(),
    );
    const result = work(routed);
    result.catch(() => undefined); // a failure is reported below, or no transaction had begun
    const db = await Promise.race([routed.chosen, result.then(() => null)]);
    if (db === null) return result;
    try {
      const inside = async (tx: Sql) => {
        routed.open(tx);
        return result;
      };
      return await begin(db, inside, routed);
    } catch (error) {
      this.#note(error, db);
      routed.fail(error);
      throw error;
    }
  }

  /** Adds the cell of the error, unless it is the first. */
  #note(error: unknown, db: Database): void {
    for (const [name, other] of this.#options.others) if (other === db) noteCell(error, name);
  }

  #targetOf(statement: Statement<unknown>, params: Params): Database {
    const said = this.#saidTarget(statement, params);
    if (said !== null) return said;
    if (homeOf(statement) === 'either') return this.#options.main;
    throw new Error(`${statement.name} does not say whose rows it is about: it has to be asked of one cell.`);
  }

  /** Null if neither the statement nor this instance determines a database. */
  #saidTarget(statement: Statement<unknown>, params: Params): Database | null {
    if (homeOf(statement) === 'control') return this.#options.main;
    if (this.#only !== null) return this.#plain(this.#only);
    return this.#livesIn(organizationsOf(statement, params), statement);
  }

  #livesIn(whose: readonly string[], statement: Statement<unknown>): Database | null {
    const [first] = whose;
    if (first === undefined) return null;
    if (whose.length > 1) return this.#commonCell(statement, whose);
    return this.#plain(this.#options.directory.cellOf(first));
  }

  #commonCell({ name }: Statement<unknown>, organizations: readonly string[]): Database {
    const cells = new Set(organizations.map((one) => this.#options.directory.cellOf(one)));
    const [cell, ...more] = cells;
    if (cell !== undefined && more.length > 0 && this.#isForResidents)
      throw new MovedAwayError('One of the organizations has moved to another cell. Try again.');
    if (cell === undefined || more.length > 0)
      throw new Error(`${name} is about organizations of several cells: it has to be asked of each.`);
    return this.#plain(cell);
  }

  #plain(cell: string): Database {
    this.#options.gate?.pass(cell);
    return this.#named(cell);
  }

  #named(cell: string): Database {
    const { main, others } = this.#options;
    const db = cell === MAIN_CELL ? main : others.get(cell);
    if (db === undefined)
      throw new UnknownPlaceError(
        `POSTRIDER_CELLS does not name the cell ${cell}, which holds the mail of this organization. Add the cell to POSTRIDER_CELLS of every process.`,
        cell,
      );
    return db;
  }

  #view(cell: string): RoutedDatabase {
    return kept(this.#views, cell, () => new RoutedDatabase(this.#options, cell));
  }

  #residentsOf(cell: string): RoutedDatabase {
    return kept(this.#residents, cell, () => new RoutedDatabase(this.#options, cell, true));
  }
}

function kept<T>(known: Map<string, T>, name: string, make: () => T): T {
  const one = known.get(name) ?? make();
  known.set(name, one);
  return one;
}

function withoutRecheck(db: Database, look: FinalCheck | undefined): Sql {
  return look === undefined ? db : db.looking(look);
}

/** An ad-hoc statement without a declaration must run on the database of one cell. */
export function homeOf({ place }: Statement<unknown>): Home {
  return place?.home ?? 'cell';
}

/** The organizations whose rows of a cell the statement concerns; empty if it concerns all rows of the cell. */
export function organizationsOf(
  { place }: Statement<unknown>,
  params: readonly unknown[] = [],
): readonly string[] {
  if (place?.home !== 'cell' || place.organization === undefined) return [];
  const { organization } = place;
  if (typeof organization === 'string') return idsIn(params[placeOf(organization)]);
  return organization.flatMap((parameter) => idsIn(params[placeOf(parameter)]));
}

/** A parameter is one id or a list of ids. A list may be long and is not copied. Empty if neither was given. */
function idsIn(param: unknown): readonly string[] {
  if (Array.isArray(param)) return param;
  return typeof param === 'string' ? [param] : [];
}

function placeOf(parameter: string): number {
  return Number(parameter.slice(1)) - 1;
}
