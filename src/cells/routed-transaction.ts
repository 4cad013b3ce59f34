/**
 * A transaction whose first statement determines its database. The following statements must use the same one: a transaction
 * across two databases is not atomic, so it must not look as if it were. After waiting for a connection, each statement checks
 * again that its organizations are still there: statements may concern other organizations, or none.
 *
 * States: undecided; opening (the first statement has determined the database; it and the others wait); open; failed.
 */
import type { Database } from '../database/database.ts';
import type { Sql, Statement } from '../database/sql.ts';

type TargetOf = (statement: Statement<unknown>, params?: readonly unknown[]) => Database | null;

/** Throws if an organization of the statement has moved; undefined if this is known without waiting. */
type Recheck = (
  target: Database,
  statement: Statement<unknown>,
  params?: readonly unknown[],
) => Promise<void> | undefined;

export class RoutedTransaction implements Sql {
  readonly #targetOf: TargetOf;
  readonly #lookAgain: Recheck;
  readonly chosen: Promise<Database>;
  readonly #opened: Promise<Sql>;
  #choose: (target: Database) => void = () => {};
  #open: (tx: Sql) => void = () => {};
  #fail: (error: unknown) => void = () => {};
  #target: Database | null = null;
  /**
   * The last statement that had to wait. Later ones queue behind it, so that they run in the order in which they were started.
   */
  #looking: Promise<void> | undefined;

  /** `targetOf`: null if a statement does not determine a database and follows the others. */
  constructor(targetOf: TargetOf, lookAgain: Recheck) {
    this.#targetOf = targetOf;
    this.#lookAgain = lookAgain;
    this.chosen = new Promise((resolve) => {
      this.#choose = resolve;
    });
    this.#opened = new Promise((resolve, reject) => {
      this.#open = resolve;
      this.#fail = reject;
    });
    this.#opened.catch(() => undefined); // awaiting callers get the error
  }

  open(tx: Sql): void {
    this.#open(tx);
  }

  /** The transaction was never opened. */
  fail(error: unknown): void {
    this.#fail(error);
  }

  /** Throws if a statement belongs to another database than the ones before it. */
  check(statement: Statement<unknown>, params?: readonly unknown[]): void {
    const target = this.#targetOf(statement, params);
    if (target === null && this.#target === null)
      throw new Error(
        `${statement.name} is the first of a transaction, and does not say in which cell that is.`,
      );
    if (target === null || target === this.#target) return;
    if (this.#target !== null) throw new Error(`${statement.name} is not in the cell of its transaction.`);
    this.#target = target;
    this.#choose(target);
  }

  /** Wraps `tx` for another executor: each statement is checked first. */
  checking(tx: Sql): Sql {
    const checked = async (statement: Statement<unknown>, params?: readonly unknown[]): Promise<Sql> => {
      this.check(statement, params);
      await this.#look(statement, params);
      return tx;
    };
    return {
      many: async (statement, params) => (await checked(statement, params)).many(statement, params),
      maybeOne: async (statement, params) => (await checked(statement, params)).maybeOne(statement, params),
      one: async (statement, params) => (await checked(statement, params)).one(statement, params),
      exec: async (statement, params) => (await checked(statement, params)).exec(statement, params),
    };
  }

  async many<Row>(statement: Statement<Row>, params?: readonly unknown[]): Promise<Row[]> {
    return (await this.#at(statement, params)).many(statement, params);
  }

  async maybeOne<Row>(statement: Statement<Row>, params?: readonly unknown[]): Promise<Row | undefined> {
    return (await this.#at(statement, params)).maybeOne(statement, params);
  }

  async one<Row>(statement: Statement<Row>, params?: readonly unknown[]): Promise<Row> {
    return (await this.#at(statement, params)).one(statement, params);
  }

  async exec(statement: Statement<unknown>, params?: readonly unknown[]): Promise<number> {
    return (await this.#at(statement, params)).exec(statement, params);
  }

  async #at(statement: Statement<unknown>, params?: readonly unknown[]): Promise<Sql> {
    this.check(statement, params);
    const tx = await this.#opened;
    await this.#look(statement, params);
    return tx;
  }

  #look(statement: Statement<unknown>, params?: readonly unknown[]): Promise<void> | undefined {
    const target = this.#target;
    const look = () => (target === null ? undefined : this.#lookAgain(target, statement, params));
    this.#looking = this.#looking === undefined ? look() : this.#looking.then(look);
    return this.#looking;
  }
}
