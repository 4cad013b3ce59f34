/** A connection of the pool that knows whether its server lets it write. */
import pg from 'pg';

/** What PostgreSQL says of itself (from 14 on) when a session begins, and again when it changes. */
const ONLY_READS = new Set(['default_transaction_read_only', 'in_hot_standby']);

interface ParameterStatus {
  readonly parameterName: string;
  readonly parameterValue: string;
}

export class PooledClient extends pg.Client {
  readonly #onlyReads = new Set<string>();
  #isUsed = false;

  constructor(config?: pg.ClientConfig) {
    super(config);
    this.connection.on('parameterStatus', ({ parameterName, parameterValue }: ParameterStatus) => {
      if (!ONLY_READS.has(parameterName)) return;
      if (parameterValue === 'on') this.#onlyReads.add(parameterName);
      else this.#onlyReads.delete(parameterName);
    });
  }

  /**
   * It was opened while the server only read, and stays so for as long as it lives, whatever the server does by now.
   * One that was opened for this very use is as good as any.
   */
  get isOutdated(): boolean {
    return this.#isUsed && this.#onlyReads.size > 0;
  }

  wasUsed(): void {
    this.#isUsed = true;
  }
}
