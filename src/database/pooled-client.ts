/** A connection of the pool that knows which host it leads to, and whether that lets it write. */
import pg from 'pg';
import type { DatabasePlace } from '../runtime/database-url.ts';

/** What PostgreSQL says of itself (from 14 on) when a session begins, and again when it changes. */
const ONLY_READS = new Set(['default_transaction_read_only', 'in_hot_standby']);

interface ParameterStatus {
  readonly parameterName: string;
  readonly parameterValue: string;
}

export interface PooledClientConfig extends pg.ClientConfig {
  /** Where a connection that is made now leads to. */
  readonly placeNow: () => DatabasePlace;
}

export class PooledClient extends pg.Client {
  readonly place: DatabasePlace;
  /** The pool gives it to whom it lends. */
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
   * It was opened while the server only read, and stays so for as long as it lives, whatever the server does by now.
   * One that was opened for this very use is as good as any.
   */
  get isOutdated(): boolean {
    return this.#isUsed && this.onlyReads;
  }

  wasUsed(): void {
    this.#isUsed = true;
  }

  /** At once: whoever waits for an answer is told that there will be none. */
  cut(): void {
    this.connection.stream.destroy();
  }
}
