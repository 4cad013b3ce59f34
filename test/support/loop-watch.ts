/** Reads which turns of a process's event loop took more than 50 ms of processor time. Runs in the test; see loop-watch.mjs. */
import { readFileSync } from 'node:fs';
import { until } from './until.ts';

export interface HeldTurn {
  readonly heldMs: number;
  /** Wall-clock time. */
  readonly fromMs: number;
  readonly toMs: number;
}

/** On a busy machine many tries in a row take too long. More are made only while none was short enough. */
const MAX_TRIES = 20;

export class LoopWatch {
  readonly #file: string;

  /** A file that the process may write to. */
  constructor(file: string) {
    this.#file = file;
  }

  /** The environment that the process needs. `more`: other modules to load into the process. */
  env(...more: readonly URL[]): Readonly<Record<string, string>> {
    const modules = [new URL('loop-watch.mjs', import.meta.url), ...more];
    const options = [process.env.NODE_OPTIONS ?? '', ...modules.map(({ href }) => `--import=${href}`)];
    return { NODE_OPTIONS: options.join(' ').trim(), LOOP_WATCH_FILE: this.#file };
  }

  /** All finished turns, in order. */
  async turns(pid: number): Promise<readonly HeldTurn[]> {
    const answers = this.#lines().filter((line) => line === '').length;
    process.kill(pid, 'SIGUSR2');
    await until(() => this.#lines().filter((line) => line === '').length > answers);
    return this.#lines()
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as HeldTurn);
  }

  /**
   * The least time that `work` blocked the event loop over MAX_TRIES tries; 0 as soon as a try did not block it. Garbage collection
   * or code that is compiled at its first use affects some tries, but not all.
   */
  async heldEachTimeMs(pid: number, work: () => Promise<unknown>): Promise<number> {
    let least = Number.POSITIVE_INFINITY;
    for (let tries = 0; tries < MAX_TRIES && least > 0; tries += 1) {
      const before = (await this.turns(pid)).length;
      await work();
      const held = (await this.turns(pid)).slice(before).map(({ heldMs }) => heldMs);
      least = Math.min(least, Math.max(0, ...held));
    }
    return Math.round(least);
  }

  /** The complete lines of the file. */
  #lines(): string[] {
    try {
      return readFileSync(this.#file, 'utf8').split('\n').slice(0, -1);
    } catch {
      return [];
    }
  }
}
