/**
 * The features that a pool's connections support. Owns the detected features. They are detected at the first use, before any
 * other query, and again if a pooler turns out to have lost a prepared statement.
 */
import type { Log } from '../runtime/log.ts';
import { SharedRun } from '../runtime/single-flight.ts';
import type { Connections } from './connections.ts';
import { findPooling, type Pooling } from './pooler.ts';

export class ConnectionTerms {
  readonly connections: Connections;
  readonly #log: Log;
  #pooling: Pooling | undefined;
  readonly #asking = new SharedRun(() => this.#ask());
  #isNaming: boolean | undefined;

  /** `isNaming`: whether statements are prepared by name; undefined to detect this. */
  constructor(connections: Connections, log: Log, isNaming: boolean | undefined) {
    this.connections = connections;
    this.#log = log;
    this.#isNaming = isNaming;
  }

  get isNaming(): boolean {
    return this.#isNaming ?? false;
  }

  /** Undefined before the first use. */
  get pooling(): Pooling | undefined {
    return this.#pooling;
  }

  /** Await it if it is a promise: the features are unknown before. */
  ready(): Promise<void> | undefined {
    return this.#pooling === undefined ? this.#asking.run() : undefined;
  }

  /** Stops naming statements: the pooler does not keep them, or no longer does. */
  stopNaming(): void {
    if (this.#isNaming === false) return;
    this.#isNaming = false;
    this.#log.warn('a pooler has lost a prepared statement; statements are no longer prepared');
  }

  async #ask(): Promise<void> {
    const client = await this.connections.take('reading');
    try {
      const pooling = await findPooling(client, () => this.connections.openBeside());
      this.#isNaming ??= pooling.keepsStatements;
      this.#pooling = pooling;
    } finally {
      client.release();
    }
  }
}
