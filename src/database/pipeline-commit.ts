/** Ends a transaction: sends its last statements, and COMMIT right behind them. */
import type pg from 'pg';
import type { Sql, Statement } from './sql.ts';

interface NamedStatement {
  readonly statement: Statement<unknown>;
  readonly params: readonly unknown[] | undefined;
}

/** Collects the last statements of a transaction. It returns no answers. */
export class NamedStatements implements Sql {
  readonly named: NamedStatement[] = [];

  async exec(statement: Statement<unknown>, params?: readonly unknown[]): Promise<number> {
    this.named.push({ statement, params });
    return 0;
  }

  many<Row>({ name }: Statement<Row>): Promise<Row[]> {
    return Promise.reject(new Error(`${name} wants an answer while a transaction closes.`));
  }

  async maybeOne<Row>(statement: Statement<Row>): Promise<Row | undefined> {
    return (await this.many(statement))[0];
  }

  async one<Row>(statement: Statement<Row>): Promise<Row> {
    return (await this.many(statement))[0] as Row;
  }
}

/**
 * Sends the last statements, and COMMIT without waiting for their answers: if one fails, PostgreSQL rolls back. A statement
 * that cannot be written to the connection never reaches PostgreSQL, so COMMIT is then not sent.
 */
export async function pipelineCommit(
  client: pg.PoolClient,
  last: NamedStatements,
  toQuery: (statement: Statement<unknown>, params?: readonly unknown[]) => pg.QueryConfig,
): Promise<pg.QueryResult> {
  const answers: Promise<unknown>[] = [];
  try {
    for (const { statement, params } of last.named)
      answers.push(handOver(client, toQuery(statement, params)));
  } catch (error) {
    await Promise.allSettled(answers);
    throw error;
  }
  const [committed] = await Promise.all([client.query('COMMIT'), ...answers]);
  return committed;
}

/** Throws if the query cannot be sent. The answer arrives later. */
function handOver(client: pg.PoolClient, query: pg.QueryConfig): Promise<pg.QueryResult> {
  let unsent: Error | undefined;
  let isSent = false;
  const answer = new Promise<pg.QueryResult>((resolve, reject) => {
    client.query(query, (error: Error | null, result: pg.QueryResult) => {
      if (error === null || error === undefined) resolve(result);
      else if (isSent) reject(error);
      else unsent = error;
    });
  });
  isSent = true;
  if (unsent !== undefined) throw unsent;
  return answer;
}
