/**
 * The pool. It outlives a PostgreSQL restart: a lost connection fails the query in hand with an error that
 * `isUnavailable` recognises, and the next query gets a new connection. It never ends the process.
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
  /** Whether statements are prepared under their names. Unless given, they are where that works. */
  readonly preparedStatements?: boolean | undefined;
}

/** Beyond the time in which PostgreSQL ends what only reads. */
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
  /** Awaited, where it is a promise, before anything is asked. */
  ready?(): Promise<void> | undefined;
}

/** Runs statements on whatever it is given: the pool, or the one connection of a transaction. */
class Statements implements Sql {
  readonly #on: Runner;
  readonly #terms: Pick<ConnectionTerms, 'isNaming'>;
  /** What went wrong first. Statements that were started together all fail then, most of them only because of it. */
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

/** For a connection of one's own. */
export function onClient(client: pg.Client): Sql {
  return new Statements({ query: (query) => client.query(query) }, { isNaming: false });
}

function toParameter(value: unknown): unknown {
  return Array.isArray(value) ? (arrayLiteral(value) ?? value) : value;
}

/** One of the places that organizations are kept in. */
export interface Cell {
  readonly name: string;
  readonly db: Database;
  /** What `of` gives for those who are in it: somebody who has moved away meanwhile is refused. */
  readonly residents: Database;
}

/** The one that is there always. */
export const MAIN_CELL = 'main';

export class Database extends Statements {
  readonly #terms: ConnectionTerms;

  /** Given another one, it uses its connections. */
  constructor(options: DatabaseOptions | Database) {
    const terms = options instanceof Database ? options.#terms : termsOf(options);
    super(
      { query: (query, isAwaited) => runOne(terms, query, isAwaited), ready: () => terms.ready() },
      terms,
    );
    this.#terms = terms;
  }

  /** Where an organization's mail is. Here, unless there are several cells (`src/cells/`). */
  of(_organizationId: string): Database {
    return this;
  }

  /** Awaited, where it is a promise, before `of` or `byCell`: this process may have slept, and not know. */
  located(): Promise<void> | undefined {
    return undefined;
  }

  get cells(): readonly Cell[] {
    return [{ name: MAIN_CELL, db: this, residents: this }];
  }

  /** What is about several organizations, each part with where it is to be written. */
  byCell<Item>(
    items: readonly Item[],
    _organizationOf: (item: Item) => string,
  ): readonly { readonly db: Database; readonly items: readonly Item[] }[] {
    return [{ db: this, items }];
  }

  /** What stands between this process and PostgreSQL; undefined before the first statement. */
  get pooling(): Pooling | undefined {
    return this.#terms.pooling;
  }

  /**
   * Runs `work` in one transaction. Nothing but SQL may be awaited inside.
   *
   * Statements are pipelined: those started together (`Promise.all`) travel together and run in the order they were
   * started, so a transaction costs as many round trips as it has steps that need the answer of an earlier one.
   *
   * `closing` names the last statements, whose answers nobody waits for: they are sent when it has named them all, with
   * COMMIT right behind. What they lock is held for as long as PostgreSQL takes, not for as long as this process takes to
   * read an answer.
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
      // It fails only with its connection, and then everything behind it fails too.
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
      // What has not been answered keeps its connection, not its caller.
      if (!isUnresolved(cause)) await connections.answered(client, rolledBack, ANSWER_WITHIN_MS);
      throw cause;
    }
  }

  /**
   * As `transaction`; and where the connection is lost after COMMIT was sent, it asks what became of it, until it is
   * told. What was done is not done again. Its number is asked for along with the first statement, at no round trip.
   *
   * `isUndone` is asked where it is said to be committed: after a failover that number may be another transaction's, of
   * the server that took over.
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

  /** Not known (a server that has never heard of it) is not committed. */
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
   * For statements that read and must not take long. Each is a transaction of its own that changes nothing and ends by
   * itself after `timeoutMs`; what surrounds it travels with it, so it costs no round trip more than a bare one. `first`
   * comes before it.
   */
  reading(timeoutMs: number, first = '', look?: FinalCheck): Sql {
    const begin = `BEGIN READ ONLY; SET LOCAL statement_timeout = ${timeoutMs}; ${first}`;
    const terms = this.#terms;
    const query = (one: pg.QueryConfig) => readOne(terms, begin, one, timeoutMs + READ_GRACE_MS, look);
    return new Statements({ query, ready: () => terms.ready() }, terms);
  }

  /** For single statements, each of which is run only if `look` still lets it when there is a connection. */
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

/** The connection is thrown away where the rollback itself failed. */
async function rollBack(client: PooledClient, isOutdated: boolean): Promise<void> {
  const failed = await client.query('ROLLBACK').then(
    () => false,
    () => true,
  );
  client.release(failed || isOutdated);
}
