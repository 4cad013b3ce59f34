/**
 * Long work on the event loop, done in turns: a request that keeps the loop for long keeps everybody else waiting.
 * `isOver` is cheap enough to be asked for every item; when it says so, `next()` lets the others have theirs.
 */
import { setImmediate as othersTurn } from 'node:timers/promises';

const TURN_MS = 8;

export class Turns {
  #endsAtMs = performance.now() + TURN_MS;

  get isOver(): boolean {
    return performance.now() >= this.#endsAtMs;
  }

  async next(): Promise<void> {
    await othersTurn();
    this.#endsAtMs = performance.now() + TURN_MS;
  }
}
