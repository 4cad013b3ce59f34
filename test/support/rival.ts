/** A concurrent transaction on the same server that holds locks, and requests locks that others hold. */
import pg from 'pg';
import { until } from './until.ts';

export class Rival {
  readonly #client: pg.Client;

  private constructor(client: pg.Client) {
    this.#client = client;
  }

  /** Starts a transaction that holds the locks of the statement. PostgreSQL never ends it to resolve a deadlock. */
  static async holding(url: string, statement: string): Promise<Rival> {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    await client.connect();
    await client.query(`SET deadlock_timeout = '1min'; BEGIN; ${statement}`);
    return new Rival(client);
  }

  /** Resolves when another session waits for this transaction. */
  async isWaitedFor(): Promise<void> {
    const blocked = `SELECT FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))`;
    await until(async () => (await this.#client.query(blocked)).rowCount);
  }

  /** Requests a lock of a session that waits for this transaction. Resolves when the other session was ended by the deadlock. */
  async wants(statement: string): Promise<void> {
    await this.#client.query(statement);
  }

  async letGo(): Promise<void> {
    await this.#client.query('ROLLBACK');
    await this.#client.end();
  }
}
