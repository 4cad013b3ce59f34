/**
 * The connections of one process: a pool, and the host that it leads to.
 *
 * Nobody waits for an answer forever. A commit waits for as long as a synchronous standby is away, and no timeout of
 * PostgreSQL's ends that; a host that lost its network says nothing at all. So whoever waits for too long is told that
 * nobody knows what became of it (`08007`). The connection is kept until the server has answered: to break the wait off
 * would make the commit visible, and so repeatable and deliverable, while it is on one disk only.
 */
import pg from 'pg';
import { databasePlaces } from '../runtime/database-url.ts';
import type { Log } from '../runtime/log.ts';
import { isReadOnly, refusesSettings } from './errors.ts';
import { HostFinder, type WantedHost } from './host-finder.ts';
import { PooledClient, type PooledClientConfig } from './pooled-client.ts';

export interface ConnectionOptions {
  /** May name several hosts: those that are `wanted` are used, one at a time. */
  readonly url: string;
  readonly log: Log;
  readonly applicationName: string;
  readonly maxConnections?: number;
  /** One that takes writes, unless given. */
  readonly wanted?: WantedHost;
  /** For tests. */
  readonly commitWithinMs?: number;
}

const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 30_000;
/** PostgreSQL has ended the statement by then; what is left is to commit it. */
export const ANSWER_WITHIN_MS = STATEMENT_TIMEOUT_MS + 5_000;
/** Longer than commits take on a busy machine, and shorter than callers wait for an answer. */
const COMMIT_WITHIN_MS = 10_000;
/** A process that is frozen inside a transaction holds what others need: nothing but SQL is ever waited for in one. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 2_000;
/** A pooler has one set of sessions for many clients, and takes no settings for them from one. */
const SESSION_SETTINGS = ['statement_timeout', 'idle_in_transaction_session_timeout'] as const;
/** How long a host may be silent before the others are asked whether one of them has taken over. */
const SUSPICIOUS_AFTER_MS = 3_000;
/** An idle connection to a host that is gone is found out in about twice this time. */
export const KEEP_ALIVE_MS = 10_000;

/** What the driver's types leave out. */
interface PoolExtras {
  readonly pipeline: true;
  readonly Client: typeof PooledClient;
}

/** It was asked and has not answered: it may be done yet, or have been done. */
export class UnansweredError extends Error {
  /** PostgreSQL's own word for it: the outcome of the transaction is not known. */
  readonly code = '08007';

  constructor(withinMs: number) {
    super(`The database did not answer within ${withinMs / 1_000} seconds.`);
  }
}

export class Connections {
  readonly commitWithinMs: number;
  readonly #pool: pg.Pool;
  readonly #hosts: HostFinder;
  /** They lead to a standby. */
  readonly #onlyRead: boolean;
  readonly #open = new Set<PooledClient>();
  /** Those of them whose caller has left. */
  readonly #unanswered = new Set<PooledClient>();

  constructor(options: ConnectionOptions) {
    const { url, log, wanted = 'writes', commitWithinMs = COMMIT_WITHIN_MS } = options;
    this.commitWithinMs = commitWithinMs;
    const places = databasePlaces(url);
    this.#onlyRead = wanted === 'standby';
    this.#hosts = new HostFinder({ places, wanted, log, onFound: () => this.#cutOthers() });
    this.#pool = this.#createPool(options);
  }

  /** For reading the primary, one will do that has only just stopped to write. */
  take(use: 'reading' | 'writing'): Promise<PooledClient> {
    return use === 'reading' && !this.#onlyRead ? this.#takeAny() : this.#takeFit();
  }

  /** To the host that is known, whatever it is by now. */
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

  /** To a host as it is wanted, where there is a choice; where the one that was known is not, it is looked for once more. */
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

  /** Of the pool's kind, beside it: the pool may be of one. */
  async openBeside(): Promise<pg.Client> {
    const client = new PooledClient(this.#pool.options as unknown as PooledClientConfig);
    client.on('error', () => {}); // the query in hand reports it
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

  /** A connection that was opened while the server only read would go on refusing after it writes again. */
  async #takeCurrent(): Promise<PooledClient> {
    for (;;) {
      const client = await this.#takeAny();
      if (this.#onlyRead || !client.isOutdated) return client;
      client.release(true);
    }
  }

  /** Was said on this connection: is it a sign that the host is no longer the one to talk to? */
  heed(client: PooledClient, error: unknown): void {
    if (isReadOnly(error)) this.#hosts.lost(client.place);
  }

  /** The answer, or that there was none in time. Where it takes long, the host is looked after. */
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

  /** What nobody waits for any more does not keep us. */
  async end(): Promise<void> {
    const ended = this.#pool.end();
    for (const client of this.#unanswered) client.cut();
    await ended;
  }

  /** They would go on to hang, or to refuse. */
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
    // Without a listener, a connection that dies while idle or checked out would end the process.
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
