/** Which turns of the event loop of a process took more than 50 ms of processor time: the side of the test. */
import { readFileSync } from 'node:fs';
import { until } from './until.ts';

export interface HeldTurn {
  readonly heldMs: number;
  /** By the clock of the machine. */
  readonly fromMs: number;
  readonly toMs: number;
}

const TRIES = 3;

export class LoopWatch {
  readonly #file: string;

  /** A file that the process may write to. */
  constructor(file: string) {
    this.#file = file;
  }

  /** What the process has to be started with. `more`: other modules to load into it. */
  env(...more: readonly URL[]): Readonly<Record<string, string>> {
    const modules = [new URL('loop-watch.mjs', import.meta.url), ...more];
    const options = [process.env.NODE_OPTIONS ?? '', ...modules.map(({ href }) => `--import=${href}`)];
    return { NODE_OPTIONS: options.join(' ').trim(), LOOP_WATCH_FILE: this.#file };
  }

  /** All that are over, in their order. */
  async turns(pid: number): Promise<readonly HeldTurn[]> {
    const answers = this.#lines().filter((line) => line === '').length;
    process.kill(pid, 'SIGUSR2');
    await until(() => this.#lines().filter((line) => line === '').length > answers);
    return this.#lines()
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as HeldTurn);
  }

  /**
   * How long the loop was held each time that this was done, while it was done alone; 0 as soon as it was not. A collection of garbage,
   * or code that is compiled at its first use, hits one of three tries and not all.
   */
  async heldEachTimeMs(pid: number, work: () => Promise<unknown>): Promise<number> {
    let least = Number.POSITIVE_INFINITY;
    for (let tries = 0; tries < TRIES && least > 0; tries += 1) {
      const before = (await this.turns(pid)).length;
      await work();
      const held = (await this.turns(pid)).slice(before).map(({ heldMs }) => heldMs);
      least = Math.min(least, Math.max(0, ...held));
    }
    return Math.round(least);
  }

  /** Whole ones. */
  #lines(): string[] {
    try {
      return readFileSync(this.#file, 'utf8').split('\n').slice(0, -1);
    } catch {
      return [];
    }
  }
}
