/**
 * Aborts sends in two steps. Before its final dot a message has not been handed over, and can be sent again.
 * After the dot only the server's reply shows whether the server has the message, so a connection waiting for
 * that reply is cut off by the second step alone.
 *
 * Owns the number of messages that wait for the reply to their final dot.
 */
import { setMaxListeners } from 'node:events';

export class CutOff {
  readonly #beforeDot = new AbortController();
  readonly #everything = new AbortController();
  #awaited = 0;
  #whenNone: (() => void)[] = [];

  constructor() {
    for (const signal of [this.beforeDot, this.everything]) setMaxListeners(0, signal);
  }

  /** Aborted by both steps. */
  get beforeDot(): AbortSignal {
    return this.#beforeDot.signal;
  }

  /** Aborted by the second step. */
  get everything(): AbortSignal {
    return this.#everything.signal;
  }

  cutBeforeDot(): void {
    this.#beforeDot.abort();
  }

  cutEverything(): void {
    this.#beforeDot.abort();
    this.#everything.abort();
  }

  /** Messages whose final dot was sent without a reply yet. */
  get awaitedReplies(): number {
    return this.#awaited;
  }

  /** Counts a message until the reply to its final dot arrives or fails. */
  async awaitReply<T>(reply: Promise<T>): Promise<T> {
    this.#awaited += 1;
    try {
      return await reply;
    } finally {
      this.#awaited -= 1;
      if (this.#awaited === 0) for (const resolve of this.#whenNone.splice(0)) resolve();
    }
  }

  /** Resolves when no message waits for a reply. */
  allReplied(): Promise<void> {
    if (this.#awaited === 0) return Promise.resolve();
    return new Promise((resolve) => this.#whenNone.push(resolve));
  }
}
