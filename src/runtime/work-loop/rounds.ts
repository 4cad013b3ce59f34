import { SharedRun } from '../single-flight.ts';

/**
 * Runs work in rounds, such as writing notes from memory to the database: at an interval, never two at once,
 * and once more before the process ends. The work must not throw; it keeps failed items for the next round.
 */
export class Rounds {
  readonly #everyMs: number;
  #timer: NodeJS.Timeout | undefined;
  readonly #round: SharedRun<void>;

  constructor(work: () => Promise<void>, everyMs: number) {
    this.#round = new SharedRun(work);
    this.#everyMs = everyMs;
  }

  async start(): Promise<void> {
    this.#timer ??= setInterval(() => void this.now(), this.#everyMs).unref();
  }

  /** The round in progress may have begun before the last note, so one more follows. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    await this.#round.settled();
    await this.now();
  }

  /** Resolves at the end of the round in progress, or of a new one. */
  now(): Promise<void> {
    return this.#round.run();
  }
}
