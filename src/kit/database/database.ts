/**
 * The pool. It outlives a PostgreSQL restart: a lost connection fails the query in hand with an error that
 * `isUnavailable` recognises, and the next query gets a new connection. It never ends the process.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { GrowingPause } from '../runtime/growing-pause.ts';
import type { Log } from '../runtime/log.ts';
import { arrayLiteral } from './array-literal.ts';
import { commitBehind, NamedStatements } from './closing.ts';
import { isFollowUp, isReadOnly, isUnavailable } from './errors.ts';
import { PooledClient } from './pooled-client.ts';
import { type Sql, type Statement, sql } from './sql.ts';

export interface DatabaseOptions {
  readonly url: string;
  readonly log: Log;
  readonly applicationName: string;
  readonly maxConnections?: number;
  /** Named statements break behind a pooler in transaction mode; then this is false. */
  readonly preparedStatements?: boolean;
}

const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 30_000;
/** A process that is frozen inside a transaction holds what others need: nothing but SQL is ever waited for in one. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 2_000;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2_000;

const currentTransaction = sql<{ id: string }>(
  'transaction.current',
  'SELECT pg_current_xact_id()::text AS id',
);

const transactionStatus = sql<{ status: string | null }>(
  'transaction.status',
  'SELECT pg_xact_status($1::text::xid8) AS status',
);

pg.types.setTypeParser(pg.types.builtins.INT8, Number);

interface Runner {
  query(query: pg.QueryConfig): Promise<pg.QueryResult>;
}

/** Runs statements on whatever it is given: the pool, or the one connection of a transaction. */
class Statements implements Sql {
  readonly #on: Runner;
  readonly #named: boolean;
  /** What went wrong first. Statements that were started together all fail then, most of them only because of it. */
  #firstError: unknown;

  constructor(on: Runner, named: boolean) {
    this.#on = on;
    this.#named = named;
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
    return this.#named && statement.name !== '' ? { ...query, name: statement.name } : query;
  }

  async #run(statement: Statement<unknown>, params?: readonly unknown[]) {
    try {
      return await this.#on.query(this.toQuery(statement, params));
    } catch (error) {
      this.#firstError ??= error;
      throw error;
    }
  }
}

/** For a connection of one's own. */
export function onClient(client: pg.Client): Sql {
  return new Statements(client, false);
}

function toParameter(value: unknown): unknown {
  return Array.isArray(value) ? (arrayLiteral(value) ?? value) : value;
}

export class Database extends Statements {
  readonly #pool: pg.Pool;
  readonly #named: boolean;

  constructor(options: DatabaseOptions) {
    const named = options.preparedStatements ?? true;
    const pool = createPool(options);
    super({ query: (query) => runOne(pool, query) }, named);
    this.#pool = pool;
    this.#named = named;
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
    const client = await takeWriting(this.#pool);
    const tx = new Statements(client, this.#named);
    let broken: Error | undefined;
    try {
      const begun = client.query('BEGIN');
      // It fails only with its connection, and then everything behind it fails too.
      begun.catch(() => undefined);
      const result = await work(tx);
      const last = new NamedStatements();
      await closing(last, result);
      const [{ command }] = await Promise.all([commitBehind(client, last, tx.toQuery.bind(tx)), begun]);
      if (command !== 'COMMIT')
        throw new Error('A transaction was rolled back although none of its statements failed.');
      return result;
    } catch (error) {
      const cause = isFollowUp(error) ? (tx.firstError ?? error) : error;
      broken = (await rollback(client)) ?? (isReadOnly(cause) ? (cause as Error) : undefined);
      throw cause;
    } finally {
      client.release(broken);
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
   * itself after `timeoutMs`; what surrounds it travels with it, so it costs no round trip more than a bare one.
   */
  reading(timeoutMs: number): Sql {
    const begin = `BEGIN READ ONLY; SET LOCAL statement_timeout = ${timeoutMs}`;
    return new Statements({ query: (query) => readOne(this.#pool, begin, query) }, this.#named);
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }
}

/** A connection that was opened while the server only read would go on refusing after it writes again. */
async function takeWriting(pool: pg.Pool): Promise<pg.PoolClient> {
  for (;;) {
    const client = await pool.connect();
    if (!(client instanceof PooledClient && client.isOutdated)) return client;
    client.release(true);
  }
}

async function runOne(pool: pg.Pool, query: pg.QueryConfig): Promise<pg.QueryResult> {
  const client = await takeWriting(pool);
  let failed = true;
  try {
    const answer = await client.query(query);
    failed = false;
    return answer;
  } finally {
    client.release(failed);
  }
}

async function readOne(pool: pg.Pool, begin: string, query: pg.QueryConfig): Promise<pg.QueryResult> {
  const client = await pool.connect();
  const [begun, answer, ended] = await Promise.allSettled([
    client.query(begin),
    client.query(query),
    client.query('COMMIT'),
  ]);
  // What a statement fails of is its own; where the frame fails the connection is broken.
  const broken = [begun, ended].find((one) => one.status === 'rejected');
  client.release(broken !== undefined);
  if (answer.status === 'rejected') throw answer.reason;
  return answer.value;
}

function createPool(options: DatabaseOptions): pg.Pool {
  const pipelined: pg.PoolConfig & { readonly pipeline: true; readonly Client: typeof PooledClient } = {
    pipeline: true,
    Client: PooledClient,
    connectionString: options.url,
    application_name: options.applicationName,
    max: options.maxConnections ?? 10,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    keepAlive: true,
  };
  const pool = new pg.Pool(pipelined);
  // Without a listener, a connection that dies while idle or checked out would end the process.
  pool.on('error', (error) => options.log.warn({ err: error }, 'lost an idle database connection'));
  pool.on('connect', (client) => {
    client.on('error', (error) => options.log.debug({ err: error }, 'a database connection failed'));
  });
  pool.on('release', (_error, client) => {
    if (client instanceof PooledClient) client.wasUsed();
  });
  return pool;
}

/** Returns the reason to throw the connection away, if the rollback itself failed. */
async function rollback(client: pg.PoolClient): Promise<Error | undefined> {
  try {
    await client.query('ROLLBACK');
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
