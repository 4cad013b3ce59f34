/** Somebody else's transaction on the same server, which holds what others need, and wants what they hold. */
import pg from 'pg';
import { until } from './until.ts';

export class Rival {
  readonly #client: pg.Client;

  private constructor(client: pg.Client) {
    this.#client = client;
  }

  /** From now on it holds what the statement locks. It is never the one that gives way to a deadlock. */
  static async holding(url: string, statement: string): Promise<Rival> {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    await client.connect();
    await client.query(`SET deadlock_timeout = '1min'; BEGIN; ${statement}`);
    return new Rival(client);
  }

  /** Until somebody waits for it. */
  async isWaitedFor(): Promise<void> {
    const blocked = `SELECT FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))`;
    await until(async () => (await this.#client.query(blocked)).rowCount);
  }

  /** Waits for what somebody holds who waits for it: resolves once that one gave way. */
  async wants(statement: string): Promise<void> {
    await this.#client.query(statement);
  }

  async letGo(): Promise<void> {
    await this.#client.query('ROLLBACK');
    await this.#client.end();
  }
}
