/**
 * Work that is done in rounds, as writing down what was noted in memory: every so often, never two rounds at once, and
 * once more before the process ends. The work itself never fails; what went wrong is its own to keep for the next round.
 */
export class Rounds {
  readonly #work: () => Promise<void>;
  readonly #everyMs: number;
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> | undefined;

  constructor(work: () => Promise<void>, everyMs: number) {
    this.#work = work;
    this.#everyMs = everyMs;
  }

  async start(): Promise<void> {
    this.#timer ??= setInterval(() => void this.now(), this.#everyMs).unref();
  }

  /** A round that is under way may have begun before the last was noted, so there is one more. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    await this.#round;
    await this.now();
  }

  /** Resolves at the end of a round: of the one that is under way, if there is one. */
  now(): Promise<void> {
    this.#round ??= this.#work().finally(() => {
      this.#round = undefined;
    });
    return this.#round;
  }
}
