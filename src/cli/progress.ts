/**
 * Progress of a long task with the remaining time: one rewritten line on a terminal, occasional lines
 * elsewhere.
 */
import { duration } from './table.ts';

/** The last line of a terminal. */
export interface LiveLine {
  show(text: string): void;
  clear(): void;
}

interface ProgressOptions {
  /** Undefined without a terminal. */
  readonly live?: LiveLine | undefined;
  out(line: string): void;
  readonly nowMs?: () => number;
}

const LIVE_EVERY_MS = 100;
const LINE_EVERY_MS = 5_000;
/** Earlier estimates of the remaining time vary too much. */
const ESTIMATED_AFTER_MS = 2_000;
const ESTIMATED_FROM_SHARE = 0.01;

export class TaskProgress {
  readonly #options: ProgressOptions;
  readonly #nowMs: () => number;
  /** Start of the current task, which may continue from an earlier share. */
  #began: { readonly atMs: number; readonly share: number } | null = null;
  #share = 0;
  #shownMs = Number.NEGATIVE_INFINITY;

  constructor(options: ProgressOptions) {
    this.#options = options;
    this.#nowMs = options.nowMs ?? (() => performance.now());
    // Tasks of a few seconds need no lines.
    if (options.live === undefined) this.#shownMs = this.#nowMs();
  }

  report(line: string, share: number): void {
    const { live } = this.#options;
    const nowMs = this.#nowMs();
    // A lower share means that another task has begun.
    if (this.#began === null || share < this.#share) this.#began = { atMs: nowMs, share };
    this.#share = share;
    if (nowMs - this.#shownMs < (live === undefined ? LINE_EVERY_MS : LIVE_EVERY_MS)) return;
    this.#shownMs = nowMs;
    const text = `${line} (${Math.floor(share * 100)} %${this.#leftWords(nowMs, share)})`;
    if (live === undefined) this.#options.out(text);
    else live.show(text);
  }

  #leftWords(nowMs: number, share: number): string {
    if (this.#began === null) return '';
    const elapsedMs = nowMs - this.#began.atMs;
    const gained = share - this.#began.share;
    if (elapsedMs < ESTIMATED_AFTER_MS || gained < ESTIMATED_FROM_SHARE) return '';
    return `, about ${duration(Math.ceil((elapsedMs * (1 - share)) / gained / 1_000))} left`;
  }
}

/** `stream` is a terminal. */
export function liveLineOn(stream: { readonly columns?: number; write(text: string): unknown }): LiveLine {
  let isShown = false;
  return {
    show(text) {
      isShown = true;
      // A wrapped line could not be rewritten.
      stream.write(`\r\u001b[2K${text.slice(0, (stream.columns ?? 80) - 1)}`);
    },
    clear() {
      if (isShown) stream.write('\r\u001b[2K');
      isShown = false;
    },
  };
}
