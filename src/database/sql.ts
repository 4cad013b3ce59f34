/**
 * SQL is written as SQL. A statement is registered once, by name, in its table's module; running it is `db.many(findDue,
 * [...])`. The registry lets one test PREPARE every statement against the migrated schema, so that a renamed column fails in
 * seconds.
 */

/** `either`: the statement touches no table, such as a lock or a query about the server. */
export type Home = 'control' | 'cell' | 'either';

/** As in the text: `$1` is the first. */
type StatementParameter = `$${number}`;

/** The databases in which a statement may run; see cells/tables.ts. */
export interface StatementPlace {
  readonly home: Home;
  /**
   * For a statement of a cell: the parameters with the organization or a list of organizations. Without it the statement
   * concerns all organizations of a cell.
   */
  readonly organization?: StatementParameter | readonly StatementParameter[];
}

/** `Row` is only a type: the shape of the returned rows. */
export interface Statement<Row> {
  readonly name: string;
  readonly text: string;
  /** A caller waits for the commit, and should soon get an error if the outcome is unknown; see `UnansweredError`. */
  readonly isAwaited?: boolean;
  /** Required for every registered statement. An ad-hoc statement without it runs in the database that it is passed to. */
  readonly place?: StatementPlace;
  /** Never set; carries the row type. */
  readonly row?: Row;
}

/** The operations that the pool and an open transaction share. */
export interface Sql {
  many<Row>(statement: Statement<Row>, params?: readonly unknown[]): Promise<Row[]>;
  maybeOne<Row>(statement: Statement<Row>, params?: readonly unknown[]): Promise<Row | undefined>;
  /** Throws unless there is exactly one row. */
  one<Row>(statement: Statement<Row>, params?: readonly unknown[]): Promise<Row>;
  /** The number of affected rows. */
  exec(statement: Statement<unknown>, params?: readonly unknown[]): Promise<number>;
}

const registry = new Map<string, Statement<unknown>>();

export function sql<Row = unknown>(
  name: string,
  text: string,
  { isAwaited, ...place }: StatementPlace & Pick<Statement<Row>, 'isAwaited'>,
): Statement<Row> {
  if (registry.has(name)) throw new Error(`The SQL statement ${name} is registered twice.`);
  const statement: Statement<Row> = Object.freeze({
    name,
    text,
    place,
    ...(isAwaited === undefined ? {} : { isAwaited }),
  });
  registry.set(name, statement);
  return statement;
}

/** A statement composed at run time, for optional filters. It is not kept prepared. */
export function adHoc<Row = unknown>(text: string, place?: StatementPlace): Statement<Row> {
  return place === undefined ? { name: '', text } : { name: '', text, place };
}

/** The same statement, planned anew each time. */
export function unprepared<Row>({ text, place }: Statement<Row>): Statement<Row> {
  return adHoc<Row>(text, place);
}

export function registeredStatements(): readonly Statement<unknown>[] {
  return [...registry.values()];
}

/** Escapes text for use inside a LIKE pattern. */
export function likeText(text: string): string {
  return text.replace(/[\\%_]/g, (char) => `\\${char}`);
}

/** Joins conditions and numbers their parameters: `where.add('status =', status)`. */
export class Where {
  readonly params: unknown[] = [];
  readonly #conditions: string[] = [];

  /** `condition` holds one `?` for each value. */
  add(condition: string, ...values: readonly unknown[]): this {
    let next = 0;
    const text = condition.replaceAll('?', () => {
      this.params.push(values[next++]);
      return `$${this.params.length}`;
    });
    this.#conditions.push(`(${text})`);
    return this;
  }

  /** The placeholder of one more parameter, for LIMIT and the like. */
  param(value: unknown): string {
    this.params.push(value);
    return `$${this.params.length}`;
  }

  toString(): string {
    return this.#conditions.length === 0 ? '' : `WHERE ${this.#conditions.join(' AND ')}`;
  }
}
