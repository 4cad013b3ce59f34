/**
 * LISTEN on a connection of its own, kept up forever: when it drops, it is made again, with a growing pause.
 * What was notified meanwhile is lost; listeners must not depend on every notification.
 */
import pg from 'pg';
import { GrowingPause } from '../runtime/growing-pause.ts';
import type { Service } from '../runtime/lifecycle.ts';
import type { Log } from '../runtime/log.ts';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

export interface ListenOptions {
  readonly url: string;
  readonly channel: string;
  readonly log: Log;
  /** `payload` is empty where the notification has none, and after a gap in which some may have been missed. */
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
    const client = new pg.Client({
      connectionString: this.#options.url,
      application_name: 'postrider-listen',
      keepAlive: true,
    });
    client.on('notification', ({ payload = '' }) => this.#options.onNotify(payload));
    client.on('error', (error) => this.#lost(client, error));
    client.on('end', () => this.#lost(client, null));
    this.#client = client;
    try {
      await client.connect();
      await client.query(`LISTEN ${this.#options.channel}`);
      this.#pause.reset();
      // Whatever was notified while nobody listened.
      this.#options.onNotify('');
    } catch (error) {
      this.#lost(client, error);
    }
  }

  #lost(client: pg.Client, error: unknown): void {
    if (this.#stopped || this.#client !== client) return;
    this.#client = null;
    client.end().catch(() => {});
    this.#options.log.debug({ err: error }, 'lost the listening connection, making a new one');
    this.#retry = setTimeout(() => void this.#connect(), this.#pause.next());
  }
}
