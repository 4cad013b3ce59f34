/**
 * What the connections of a pool can be relied on for. Owns what was found out about them: at the first use, before
 * anything else is asked, and again where a pooler turns out to have forgotten a statement.
 */
import type { Log } from '../runtime/log.ts';
import type { Connections } from './connections.ts';
import { findPooling, type Pooling } from './pooler.ts';

export class ConnectionTerms {
  readonly connections: Connections;
  readonly #log: Log;
  #pooling: Pooling | undefined;
  #asking: Promise<void> | null = null;
  #isNaming: boolean | undefined;

  /** `isNaming`: whether statements are prepared under their names; undefined where that is to be found out. */
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

  /** To be awaited where it is a promise; nothing is known before. */
  ready(): Promise<void> | undefined {
    if (this.#pooling !== undefined) return undefined;
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = null;
    });
    return this.#asking;
  }

  /** Whatever was found out, the pooler does not keep them, or does no longer. */
  stopNaming(): void {
    if (this.#isNaming === false) return;
    this.#isNaming = false;
    this.#log.warn('a pooler has lost a prepared statement: none are prepared from now on');
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
