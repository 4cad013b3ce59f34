/**
 * A transaction whose database is found out by its first statement. Those that follow must be of the same: nothing is atomic
 * across two, so nothing may look as if it were.
 *
 * States: undecided; opening (the first statement has said where; it and others wait); open; failed.
 */
import type { Database } from '../kit/database/database.ts';
import type { Sql, Statement } from '../kit/database/sql.ts';

export type TargetOf = (statement: Statement<unknown>, params?: readonly unknown[]) => Database | null;

export class RoutedTransaction implements Sql {
  readonly #targetOf: TargetOf;
  readonly chosen: Promise<Database>;
  readonly #opened: Promise<Sql>;
  #choose: (target: Database) => void = () => {};
  #open: (tx: Sql) => void = () => {};
  #fail: (error: unknown) => void = () => {};
  #target: Database | null = null;
  #first: Parameters<TargetOf> | null = null;

  /** `targetOf`: null where a statement does not say, and follows the others. */
  constructor(targetOf: TargetOf) {
    this.#targetOf = targetOf;
    this.chosen = new Promise((resolve) => {
      this.#choose = resolve;
    });
    this.#opened = new Promise((resolve, reject) => {
      this.#open = resolve;
      this.#fail = reject;
    });
    this.#opened.catch(() => undefined); // those who wait for it hear of it
  }

  /** The statement that has said where; null before. */
  get first(): Parameters<TargetOf> | null {
    return this.#first;
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
    this.#first = [statement, params];
    this.#choose(target);
  }

  /** For statements that are run on `tx` by somebody else: each is checked first. */
  checking(tx: Sql): Sql {
    const checked = <S extends Statement<unknown>>(statement: S, params?: readonly unknown[]): S => {
      this.check(statement, params);
      return statement;
    };
    return {
      many: async (statement, params) => tx.many(checked(statement, params), params),
      maybeOne: async (statement, params) => tx.maybeOne(checked(statement, params), params),
      one: async (statement, params) => tx.one(checked(statement, params), params),
      exec: async (statement, params) => tx.exec(checked(statement, params), params),
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
    return this.#opened;
  }
}
