/**
 * The pool. It survives a PostgreSQL restart: a lost connection fails the running query with an error that `isUnavailable`
 * recognises, and the next query gets a new connection. It never crashes the process.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { GrowingPause } from '../runtime/growing-pause.ts';
import { arrayLiteral } from './array-literal.ts';
import { ConnectionTerms } from './connection-terms.ts';
import { ANSWER_WITHIN_MS, type ConnectionOptions, Connections } from './connections.ts';
import { isFollowUp, isForgottenStatement, isReadOnly, isUnavailable, isUnresolved } from './errors.ts';
import { type FinalCheck, readOne, runOne } from './one-statement.ts';
import { NamedStatements, pipelineCommit } from './pipeline-commit.ts';
import type { PooledClient } from './pooled-client.ts';
import type { Pooling } from './pooler.ts';
import { type Sql, type Statement, sql } from './sql.ts';

export interface DatabaseOptions extends ConnectionOptions {
  /** Whether statements are prepared by name. By default they are if the connection supports it. */
  readonly preparedStatements?: boolean | undefined;
}

/** Added to the timeout after which PostgreSQL ends a read. */
const READ_GRACE_MS = 5_000;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2_000;

const currentTransaction = sql<{ id: string }>(
  'transaction.current',
  'SELECT pg_current_xact_id()::text AS id',
  { home: 'either' },
);

const transactionStatus = sql<{ status: string | null }>(
  'transaction.status',
  'SELECT pg_xact_status($1::text::xid8) AS status',
  { home: 'either' },
);

pg.types.setTypeParser(pg.types.builtins.INT8, Number);

interface Runner {
  query(query: pg.QueryConfig, isAwaited?: boolean): Promise<pg.QueryResult>;
  /** Awaited before the first query, if it is a promise. */
  ready?(): Promise<void> | undefined;
}

/** Runs statements on an executor: the pool, or the one connection of a transaction. */
class Statements implements Sql {
  readonly #on: Runner;
  readonly #terms: Pick<ConnectionTerms, 'isNaming'>;
  /** The first error. Statements that were pipelined together all fail then, most of them only because of it. */
  #firstError: unknown;

  constructor(on: Runner, terms: Pick<ConnectionTerms, 'isNaming'>) {
    this.#on = on;
    this.#terms = terms;
  }

  get firstError(): unknown {
    return this.#firstError;
  }

  async many<Row>(statement: Statement<Row>, params?: readonly unknown[]): Promise<Row[]> {
    return (await this.#run(statement, params)).rows as Row[];
  }

  async maybeOne<Row>(statement: Statement<Row>, params?: readonly unknown[]): Promise<Row | undefined> {
    return (await this.many(statement, params))[0];
  }

  async one<Row>(statement: Statement<Row>, params?: readonly unknown[]): Promise<Row> {
    const rows = await this.many(statement, params);
    if (rows.length !== 1)
      throw new Error(`${statement.name} gave ${rows.length} rows where one was promised.`);
    return rows[0] as Row;
  }

  async exec(statement: Statement<unknown>, params?: readonly unknown[]): Promise<number> {
    return (await this.#run(statement, params)).rowCount ?? 0;
  }

  toQuery(statement: Statement<unknown>, params: readonly unknown[] = []): pg.QueryConfig {
    const query = { text: statement.text, values: params.map(toParameter) };
    return this.#terms.isNaming && statement.name !== '' ? { ...query, name: statement.name } : query;
  }

  async #run(statement: Statement<unknown>, params?: readonly unknown[]) {
    try {
      const ready = this.#on.ready?.();
      if (ready !== undefined) await ready;
      return await this.#on.query(this.toQuery(statement, params), statement.isAwaited);
    } catch (error) {
      this.#firstError ??= error;
      throw error;
    }
  }
}

/** For a dedicated connection. */
export function onClient(client: pg.Client): Sql {
  return new Statements({ query: (query) => client.query(query) }, { isNaming: false });
}

function toParameter(value: unknown): unknown {
  return Array.isArray(value) ? (arrayLiteral(value) ?? value) : value;
}

/** A database that holds the mail of some organizations. */
export interface Cell {
  readonly name: string;
  readonly db: Database;
  /**
   * The database that `of` returns for organizations in this cell. It refuses statements about an organization that has moved
   * away.
   */
  readonly residents: Database;
}

/** The cell that always exists. */
export const MAIN_CELL = 'main';

export class Database extends Statements {
  readonly #terms: ConnectionTerms;

  /** Given another database, it shares that database's connections. */
  constructor(options: DatabaseOptions | Database) {
    const terms = options instanceof Database ? options.#terms : termsOf(options);
    super(
      { query: (query, isAwaited) => runOne(terms, query, isAwaited), ready: () => terms.ready() },
      terms,
    );
    this.#terms = terms;
  }

  /** The database with an organization's mail: this one, unless there are several cells (`src/cells/`). */
  of(_organizationId: string): Database {
    return this;
  }

  /** Await it, if it is a promise, before `of` or `byCell`: after a sleep, the process's data about cells is invalid. */
  located(): Promise<void> | undefined {
    return undefined;
  }

  get cells(): readonly Cell[] {
    return [{ name: MAIN_CELL, db: this, residents: this }];
  }

  /** Groups items of several organizations by the database that they must be written to. */
  byCell<Item>(
    items: readonly Item[],
    _organizationOf: (item: Item) => string,
  ): readonly { readonly db: Database; readonly items: readonly Item[] }[] {
    return [{ db: this, items }];
  }

  /** The kind of pooler in front of PostgreSQL; undefined before the first statement. */
  get pooling(): Pooling | undefined {
    return this.#terms.pooling;
  }

  /**
   * Runs `work` in one transaction. It must await nothing but SQL.
   *
   * Statements are pipelined: those started together (`Promise.all`) are sent together and run in the order in which they were
   * started. A transaction therefore costs one round trip for each step that needs an earlier answer.
   *
   * `closing` names the last statements, whose answers it does not need. They are sent when it has named them all, with COMMIT
   * right behind. Their locks are held for as long as PostgreSQL takes, not for as long as this process takes to read an
   * answer.
   */
  async transaction<T>(
    work: (tx: Sql) => Promise<T>,
    closing: (tx: Sql, result: T) => Promise<unknown> = async () => undefined,
  ): Promise<T> {
    await this.#terms.ready();
    const { connections } = this.#terms;
    const client = await connections.take('writing');
    const query = (one: pg.QueryConfig) => connections.answered(client, client.query(one), ANSWER_WITHIN_MS);
    const tx = new Statements({ query }, this.#terms);
    try {
      const begun = client.query('BEGIN');
      // BEGIN fails only with its connection, and then every later statement fails, too.
      begun.catch(() => undefined);
      const result = await work(tx);
      const last = new NamedStatements();
      await closing(last, result);
      const committing = Promise.all([pipelineCommit(client, last, tx.toQuery.bind(tx)), begun]);
      const [{ command }] = await connections.answered(client, committing, connections.commitWithinMs);
      if (command !== 'COMMIT')
        throw new Error('A transaction was rolled back although none of its statements failed.');
      client.release();
      return result;
    } catch (error) {
      const cause = isFollowUp(error) ? (tx.firstError ?? error) : error;
      connections.heed(client, cause);
      if (isForgottenStatement(cause)) this.#terms.stopNaming();
      const rolledBack = rollBack(client, isReadOnly(cause));
      // An unanswered statement keeps its connection busy, but not its caller.
      if (!isUnresolved(cause)) await connections.answered(client, rolledBack, ANSWER_WITHIN_MS);
      throw cause;
    }
  }

  /**
   * Like `transaction`, but if the connection is lost after COMMIT was sent, it queries the outcome until it gets an answer. A
   * committed transaction is not repeated. The transaction's id is queried along with the first statement, without another
   * round trip.
   *
   * `isUndone` is called if the id is reported as committed: after a failover the id may belong to another transaction, of the
   * new primary.
   */
  async transactionOnce<T>(
    work: (tx: Sql) => Promise<T>,
    isUndone: (db: Sql) => Promise<boolean> = async () => false,
  ): Promise<T> {
    let done: { readonly id: string; readonly result: T } | undefined;
    try {
      return await this.transaction(async (tx) => {
        const [{ id }, result] = await Promise.all([tx.one(currentTransaction), work(tx)]);
        done = { id, result };
        return result;
      });
    } catch (error) {
      if (done === undefined || !isUnavailable(error)) throw error;
      if (!(await this.#wasCommitted(done.id, isUndone))) throw error;
      return done.result;
    }
  }

  /** An id that the server does not know counts as not committed. */
  async #wasCommitted(id: string, isUndone: (db: Sql) => Promise<boolean>): Promise<boolean> {
    const pause = new GrowingPause(FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
    for (;;) {
      try {
        const { status } = await this.one(transactionStatus, [id]);
        if (status !== 'in progress') return status === 'committed' && !(await isUndone(this));
      } catch (error) {
        if (!isUnavailable(error)) return false;
      }
      await sleep(pause.next());
    }
  }

  /**
   * For reads that must not take long. Each is a read-only transaction that ends automatically after `timeoutMs`. BEGIN and
   * COMMIT are pipelined with it, so it costs no more round trips than a bare statement. `first` runs before it.
   */
  reading(timeoutMs: number, first = '', look?: FinalCheck): Sql {
    const begin = `BEGIN READ ONLY; SET LOCAL statement_timeout = ${timeoutMs}; ${first}`;
    const terms = this.#terms;
    const query = (one: pg.QueryConfig) => readOne(terms, begin, one, timeoutMs + READ_GRACE_MS, look);
    return new Statements({ query, ready: () => terms.ready() }, terms);
  }

  /** For single statements. Each runs only if `look` still permits it once a connection is available. */
  looking(look: FinalCheck): Sql {
    const terms = this.#terms;
    const query = (one: pg.QueryConfig, isAwaited?: boolean) => runOne(terms, one, isAwaited, look);
    return new Statements({ query, ready: () => terms.ready() }, terms);
  }

  async close(): Promise<void> {
    await this.#terms.connections.end();
  }
}

function termsOf(options: DatabaseOptions): ConnectionTerms {
  return new ConnectionTerms(new Connections(options), options.log, options.preparedStatements);
}

/** If the rollback itself fails, the connection is discarded. */
async function rollBack(client: PooledClient, isOutdated: boolean): Promise<void> {
  const failed = await client.query('ROLLBACK').then(
    () => false,
    () => true,
  );
  client.release(failed || isOutdated);
}
