/**
 * A transaction whose database is found out by its first statement. Those that follow must be of the same: nothing is atomic
 * across two, so nothing may look as if it were. With a connection in hand, which may have been waited for, each looks once more
 * whether those whom it is about are still there: others may be about somebody else, or about nobody.
 *
 * States: undecided; opening (the first statement has said where; it and others wait); open; failed.
 */
import type { Database } from '../database/database.ts';
import type { Sql, Statement } from '../database/sql.ts';

export type TargetOf = (statement: Statement<unknown>, params?: readonly unknown[]) => Database | null;

/** Throws where somebody whom a statement is about is elsewhere by now; undefined where that is known at once. */
export type Recheck = (
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
  /** The last that had to wait: from then on they go one behind the other, so that they are run in the order they were started. */
  #looking: Promise<void> | undefined;

  /** `targetOf`: null where a statement does not say, and follows the others. */
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
    this.#opened.catch(() => undefined); // those who wait for it hear of it
  }

  open(tx: Sql): void {
    this.#open(tx);
  }

  /** It was never opened. */
  fail(error: unknown): void {
    this.#fail(error);
  }

  /** Throws where a statement belongs elsewhere than those before it. */
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

  /** For statements that are run on `tx` by somebody else: each is checked first. */
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
