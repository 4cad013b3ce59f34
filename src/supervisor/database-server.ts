/**
 * Keeps the embedded PostgreSQL running: after a crash it is restarted on the same port, so that the roles'
 * pools find it again. States: running → (ended) → restarting → running …, and stopped.
 */
import { setTimeout as delay } from 'node:timers/promises';
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from '../database/embedded-postgres.ts';
import type { Log } from '../runtime/log.ts';
import { Backoff } from './backoff.ts';

export class DatabaseServer {
  readonly #options: EmbeddedPostgresOptions;
  readonly #log: Log;
  readonly #backoff = new Backoff();
  #starting: Promise<EmbeddedPostgres> | undefined;
  #server: EmbeddedPostgres | undefined;
  #stopped = false;

  constructor(options: EmbeddedPostgresOptions, log: Log) {
    this.#options = options;
    this.#log = log;
  }

  /** Resolves with the database URL when the server answers. */
  async start(): Promise<string> {
    const server = await this.#launch(this.#options);
    void this.#keepRunning(server);
    return server.url;
  }

  /** Can also be called during the start. */
  async stop(timeoutMs: number): Promise<void> {
    this.#stopped = true;
    const server = await this.#starting?.catch(() => undefined);
    await server?.stop(timeoutMs);
  }

  kill(): void {
    this.#stopped = true;
    this.#server?.kill();
  }

  async #launch(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
    this.#backoff.started();
    this.#starting = startEmbeddedPostgres(options);
    this.#server = await this.#starting;
    return this.#server;
  }

  async #keepRunning(first: EmbeddedPostgres): Promise<void> {
    const options = { ...this.#options, port: first.port };
    let reason = await first.exited;
    while (!this.#stopped) {
      const restartInMs = this.#backoff.nextDelayMs();
      this.#log.warn({ reason, restartInMs }, 'PostgreSQL ended unexpectedly; restarting');
      await delay(restartInMs);
      if (this.#stopped) return;
      try {
        const server = await this.#launch(options);
        this.#log.warn({ pid: server.pid }, 'PostgreSQL is running again');
        reason = await server.exited;
      } catch (error) {
        reason = error instanceof Error ? error.message : String(error);
      }
    }
  }
}
