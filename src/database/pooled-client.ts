/** A pooled connection that records its host, and whether it can write. */
import pg from 'pg';
import type { DatabasePlace } from '../runtime/database-url.ts';

/** Parameters that PostgreSQL 14 and later reports when a session starts, and whenever they change. */
const ONLY_READS = new Set(['default_transaction_read_only', 'in_hot_standby']);

interface ParameterStatus {
  readonly parameterName: string;
  readonly parameterValue: string;
}

export interface PooledClientConfig extends pg.ClientConfig {
  /** The host for new connections. */
  readonly placeNow: () => DatabasePlace;
}

export class PooledClient extends pg.Client {
  readonly place: DatabasePlace;
  /** The pool sets this when it lends the connection. */
  declare readonly release: pg.PoolClient['release'];
  readonly #onlyReads = new Set<string>();
  #isUsed = false;

  constructor(config: PooledClientConfig) {
    const place = config.placeNow();
    super({ ...config, connectionString: place.url });
    this.place = place;
    this.connection.on('parameterStatus', ({ parameterName, parameterValue }: ParameterStatus) => {
      if (!ONLY_READS.has(parameterName)) return;
      if (parameterValue === 'on') this.#onlyReads.add(parameterName);
      else this.#onlyReads.delete(parameterName);
    });
  }

  get onlyReads(): boolean {
    return this.#onlyReads.size > 0;
  }

  /**
   * The connection was opened while the server was read-only, and stays read-only whatever the server does later. A connection
   * that has not been used yet does not count as outdated.
   */
  get isOutdated(): boolean {
    return this.#isUsed && this.onlyReads;
  }

  wasUsed(): void {
    this.#isUsed = true;
  }

  /** Closes the connection at once: pending queries fail. */
  cut(): void {
    this.connection.stream.destroy();
  }
}
