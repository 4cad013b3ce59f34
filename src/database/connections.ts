/**
 * The connections of one process: a pool, and the host that it connects to.
 *
 * No caller waits for an answer forever. A commit waits as long as a synchronous standby is down, and no timeout of PostgreSQL
 * ends that wait; a host that lost its network sends nothing at all. So a caller that waits too long gets an error that says
 * the outcome is unknown (`08007`). The connection is kept until the server has answered. Breaking off the wait would make the
 * commit visible, and so repeatable and deliverable, while it is on one disk only.
 */
import pg from 'pg';
import { databasePlaces } from '../runtime/database-url.ts';
import type { Log } from '../runtime/log.ts';
import { isReadOnly, refusesSettings } from './errors.ts';
import { HostFinder, type WantedHost } from './host-finder.ts';
import { PooledClient, type PooledClientConfig } from './pooled-client.ts';

export interface ConnectionOptions {
  /** May name several hosts. The one in the `wanted` role is used. */
  readonly url: string;
  readonly log: Log;
  readonly applicationName: string;
  readonly maxConnections?: number;
  /** By default a host that accepts writes. */
  readonly wanted?: WantedHost;
  /** Set only by tests. */
  readonly commitWithinMs?: number;
}

const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 30_000;
/** PostgreSQL has ended the statement by then; only the commit is left. */
export const ANSWER_WITHIN_MS = STATEMENT_TIMEOUT_MS + 5_000;
/** Longer than commits take on a busy machine, and shorter than callers wait for an answer. */
const COMMIT_WITHIN_MS = 10_000;
/** A process that freezes inside a transaction holds locks that others need. Transactions await nothing but SQL. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 2_000;
/** A pooler shares its sessions among many clients, so it accepts no session settings from one client. */
const SESSION_SETTINGS = ['statement_timeout', 'idle_in_transaction_session_timeout'] as const;
/** How long a host may be silent before the other hosts are checked for a new primary. */
const SUSPICIOUS_AFTER_MS = 3_000;
/** A dead idle connection is detected after about twice this time. */
export const KEEP_ALIVE_MS = 10_000;

/** Fields that the driver's types omit. */
interface PoolExtras {
  readonly pipeline: true;
  readonly Client: typeof PooledClient;
}

/** The query was sent and not answered: it may still run, or may have completed. */
class UnansweredError extends Error {
  /** PostgreSQL's code for an unknown transaction outcome. */
  readonly code = '08007';

  constructor(withinMs: number) {
    super(`The database did not answer within ${withinMs / 1_000} seconds.`);
  }
}

export class Connections {
  readonly commitWithinMs: number;
  readonly #pool: pg.Pool;
  readonly #hosts: HostFinder;
  /** Whether the connections lead to a standby. */
  readonly #onlyRead: boolean;
  readonly #open = new Set<PooledClient>();
  /** The connections whose caller has left. */
  readonly #unanswered = new Set<PooledClient>();

  constructor(options: ConnectionOptions) {
    const { url, log, wanted = 'writes', commitWithinMs = COMMIT_WITHIN_MS } = options;
    this.commitWithinMs = commitWithinMs;
    const places = databasePlaces(url);
    this.#onlyRead = wanted === 'standby';
    this.#hosts = new HostFinder({ places, wanted, log, onFound: () => this.#cutOthers() });
    this.#pool = this.#createPool(options);
  }

  /** For reads of the primary, a primary that has just become read-only is good enough. */
  take(use: 'reading' | 'writing'): Promise<PooledClient> {
    return use === 'reading' && !this.#onlyRead ? this.#takeAny() : this.#takeFit();
  }

  /** Connects to the known host, whatever its role is by now. */
  async #takeAny(): Promise<PooledClient> {
    for (;;) {
      const place = await this.#hosts.find();
      const client = await this.#connect().catch((error: unknown) => {
        this.#hosts.lost(place);
        throw error;
      });
      if (client.place === this.#hosts.place) return client;
      client.release(true);
    }
  }

  /** Connects to a host in the wanted role if there is a choice. If the known host has lost the role, searches once more. */
  async #takeFit(): Promise<PooledClient> {
    for (let mayRetryHosts = this.#hosts.hasOthers; ; mayRetryHosts = false) {
      const client = await this.#takeCurrent().catch((error: unknown) => {
        if (!mayRetryHosts) throw error;
      });
      if (client === undefined) continue;
      if (!mayRetryHosts || client.onlyReads === this.#onlyRead) return client;
      this.#hosts.lost(client.place);
      client.release(true);
    }
  }

  /** A connection outside the pool with the pool's options, because the pool may have only one connection. */
  async openBeside(): Promise<pg.Client> {
    const client = new PooledClient(this.#pool.options as unknown as PooledClientConfig);
    client.on('error', () => {}); // the running query reports the error
    await client.connect();
    return client;
  }

  async #connect(): Promise<PooledClient> {
    const connect = async () => (await this.#pool.connect()) as unknown as PooledClient;
    return connect().catch((error: unknown) => {
      if (!refusesSettings(error)) throw error;
      for (const name of SESSION_SETTINGS) delete this.#pool.options[name];
      return connect();
    });
  }

  /** A connection that was opened while the server was read-only stays read-only. */
  async #takeCurrent(): Promise<PooledClient> {
    for (;;) {
      const client = await this.#takeAny();
      if (this.#onlyRead || !client.isOutdated) return client;
      client.release(true);
    }
  }

  /** Checks whether an error on this connection means that the host has lost its role. */
  heed(client: PooledClient, error: unknown): void {
    if (isReadOnly(error)) this.#hosts.lost(client.place);
  }

  /** Resolves with the answer, or rejects if none arrives in time. A slow answer makes the host suspect. */
  async answered<T>(client: PooledClient, answer: Promise<T>, withinMs: number): Promise<T> {
    let suspicious: NodeJS.Timeout | undefined;
    let tooLong: NodeJS.Timeout | undefined;
    const unanswered = new Promise<never>((_, reject) => {
      if (this.#hosts.hasOthers)
        suspicious = setInterval(() => this.#hosts.suspect(client.place), SUSPICIOUS_AFTER_MS);
      tooLong = setTimeout(() => {
        this.#unanswered.add(client);
        reject(new UnansweredError(withinMs));
      }, withinMs);
    });
    try {
      return await Promise.race([answer, unanswered]);
    } finally {
      clearInterval(suspicious);
      clearTimeout(tooLong);
    }
  }

  /** Does not wait for queries without a caller. */
  async end(): Promise<void> {
    const ended = this.#pool.end();
    for (const client of this.#unanswered) client.cut();
    await ended;
  }

  /** Destroys the other connections, which would hang or refuse queries. */
  #cutOthers(): void {
    for (const client of this.#open) if (client.place !== this.#hosts.place) client.cut();
  }

  #createPool({ log, applicationName, maxConnections = 10 }: ConnectionOptions): pg.Pool {
    const config: Omit<pg.PoolConfig, 'Client'> & PooledClientConfig & PoolExtras = {
      pipeline: true,
      Client: PooledClient,
      placeNow: () => this.#hosts.place,
      application_name: applicationName,
      max: maxConnections,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    };
    const pool = new pg.Pool(config as unknown as pg.PoolConfig);
    // Without a listener, the error of a dead connection would crash the process.
    pool.on('error', (error) => log.warn({ err: error }, 'lost an idle database connection'));
    pool.on('connect', (client) => {
      this.#open.add(client as unknown as PooledClient);
      client.on('error', (error) => log.debug({ err: error }, 'a database connection failed'));
    });
    pool.on('remove', (client) => this.#open.delete(client as unknown as PooledClient));
    pool.on('release', (_error, lent) => {
      const client = lent as unknown as PooledClient;
      client.wasUsed();
      this.#unanswered.delete(client);
    });
    return pool;
  }
}
