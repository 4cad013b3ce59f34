/**
 * The connections to webhook endpoints, each with one request at a time. It owns the connections that are kept alive between
 * requests: at most 256 for each origin, and each for 20 seconds without a request.
 *
 * The HTTP client is loaded for the first request: a process that sends no webhooks does without its 11 MB.
 */
import type { Client } from 'undici';
import type { Guard } from '../../protocols/fetch/guard-address.ts';

export interface Connection {
  readonly client: Client;
  readonly origin: string;
  /** Whether the connection has served another request before. */
  readonly isReused: boolean;
}

/** Unused kept-alive connections are closed after this time. */
const IDLE_MS = 20_000;
/** Endpoints of many customers may share an origin. */
const MAX_IDLE = 256;

type Connect = ReturnType<typeof import('undici').buildConnector>;

interface Origin {
  /** Remembers the TLS sessions, so that further connections need shorter handshakes. */
  readonly connect: Connect;
  readonly idle: Client[];
  /** Clients of this origin, idle or not. */
  open: number;
}

export class KeptConnections {
  readonly #guard: Guard;
  readonly #origins = new Map<string, Origin>();
  readonly #clients = new Set<Client>();

  constructor(guard: Guard) {
    this.#guard = guard;
  }

  async take(target: URL, isFresh: boolean): Promise<Connection> {
    const { origin } = target;
    const known = isFresh ? undefined : this.#origins.get(origin)?.idle.pop();
    if (known !== undefined) return { client: known, origin, isReused: true };
    const { Client, buildConnector } = await import('undici');
    const entry = this.#origins.get(origin) ?? {
      connect: buildConnector({ lookup: this.#guard.lookupFor(target), timeout: 0 }),
      idle: [],
      open: 0,
    };
    this.#origins.set(origin, entry);
    const client = new Client(origin, {
      connect: entry.connect,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MS,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    entry.open += 1;
    this.#clients.add(client);
    const connection = { client, origin, isReused: false };
    client.on('disconnect', () => this.drop(connection));
    return connection;
  }

  giveBack(connection: Connection): void {
    const { client, origin } = connection;
    const idle = this.#clients.has(client) ? this.#origins.get(origin)?.idle : undefined;
    if (idle === undefined || idle.length >= MAX_IDLE) this.drop(connection);
    else idle.push(client);
  }

  /** Also aborts the requests in progress. */
  close(): void {
    for (const client of this.#clients) void client.destroy();
    this.#clients.clear();
    this.#origins.clear();
  }

  /** Also takes back a request that was not sent yet. */
  drop({ client, origin }: Pick<Connection, 'client' | 'origin'>): void {
    if (!this.#clients.delete(client)) return;
    const entry = this.#origins.get(origin);
    if (entry !== undefined) {
      const place = entry.idle.indexOf(client);
      if (place >= 0) entry.idle.splice(place, 1);
      entry.open -= 1;
      if (entry.open === 0) this.#origins.delete(origin);
    }
    void client.destroy();
  }
}
