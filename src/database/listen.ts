/**
 * LISTEN on a dedicated connection, which is re-established with growing pauses when it drops. Notifications in between are
 * lost, so listeners must not depend on every one.
 */
import pg from 'pg';
import { GrowingPause } from '../runtime/growing-pause.ts';
import type { Service } from '../runtime/lifecycle.ts';
import type { Log } from '../runtime/log.ts';
import { KEEP_ALIVE_MS } from './connections.ts';
import { writableUrl } from './host-finder.ts';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

const LOOK_MS = 100;

export interface ListenOptions {
  readonly url: string;
  readonly channel: string;
  readonly log: Log;
  /** `payload` is empty for a notification without one, and after a gap in which notifications may have been missed. */
  readonly onNotify: (payload: string) => void;
}

export class Listener implements Service {
  readonly name = 'listener';
  readonly #options: ListenOptions;
  #client: pg.Client | null = null;
  #retry: NodeJS.Timeout | null = null;
  readonly #pause = new GrowingPause(FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
  #stopped = false;

  constructor(options: ListenOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    await this.#connect();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#retry) clearTimeout(this.#retry);
    const client = this.#client;
    this.#client = null;
    await client?.end().catch(() => {});
  }

  async #connect(): Promise<void> {
    const url = await writableUrl(this.#options.url).catch((error: unknown) => this.#connectLater(error));
    if (url === undefined || this.#stopped) return;
    const client = new pg.Client({
      connectionString: url,
      application_name: 'postrider-listen',
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    });
    client.on('notification', ({ payload = '' }) => this.#options.onNotify(payload));
    client.on('error', (error) => this.#lost(client, error));
    client.on('end', () => this.#lost(client, null));
    this.#client = client;
    try {
      await client.connect();
      await client.query(`LISTEN ${this.#options.channel}`);
      this.#pause.reset();
      // Covers notifications that were missed.
      this.#options.onNotify('');
    } catch (error) {
      this.#lost(client, error);
    }
  }

  #lost(client: pg.Client, error: unknown): void {
    if (this.#stopped || this.#client !== client) return;
    this.#client = null;
    client.end().catch(() => {});
    this.#connectLater(error);
  }

  #connectLater(error: unknown): void {
    if (this.#stopped) return;
    this.#options.log.debug({ err: error }, 'lost the listening connection; reconnecting');
    this.#retry = setTimeout(() => void this.#connect(), this.#pause.next());
  }
}

/** For connections that do not support LISTEN: calls the listener periodically. */
export class PollingNotifier implements Service {
  readonly name = 'listener';
  readonly #onNotify: ListenOptions['onNotify'];
  #timer: NodeJS.Timeout | undefined;

  constructor(onNotify: ListenOptions['onNotify']) {
    this.#onNotify = onNotify;
  }

  async start(): Promise<void> {
    this.#timer = setInterval(() => this.#onNotify(''), LOOK_MS);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
  }
}
