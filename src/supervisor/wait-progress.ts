/** Reports the number of receivers that a stop or a replacement waits for. */
import { MINUTE_MS, SECOND_MS } from '../runtime/durations.ts';

interface WaitProgressOptions {
  readonly say: (line: string) => void;
  /** How long workers wait at most. */
  readonly atMostMs: number;
  readonly isStopping: () => boolean;
}

export class WaitProgress {
  readonly #options: WaitProgressOptions;
  #receivers = 0;
  #endedMs = Number.NEGATIVE_INFINITY;

  constructor(options: WaitProgressOptions) {
    this.#options = options;
  }

  get receivers(): number {
    return this.#receivers;
  }

  /** When the last wait ended, by the monotonic clock. */
  get endedMs(): number {
    return this.#endedMs;
  }

  /** `receivers`: the receivers that have a message and have not replied, of all workers together. */
  note(receivers: number): void {
    const before = this.#receivers;
    this.#receivers = receivers;
    if (receivers === before) return;
    if (receivers === 0) this.#endedMs = performance.now();
    else this.#options.say(before === 0 ? this.#explained(receivers) : `${waitingFor(receivers)}.`);
  }

  /** Explains what a wait in progress means for a stop or replacement that begins now. */
  explain(): void {
    if (this.#receivers > 0) this.#options.say(this.#explained(this.#receivers));
  }

  #explained(receivers: number): string {
    const { atMostMs, isStopping } = this.#options;
    const consequence = isStopping()
      ? 'Stop again (Ctrl-C, or a second signal) to end the wait; those messages are then sent again at the next start.'
      : 'The new processes are already at work.';
    const most = `for up to ${inWords(atMostMs)} (POSTRIDER_STOP_TIMEOUT)`;
    return `${waitingFor(receivers)} that have a message and have not answered yet, ${most}. ${consequence}`;
  }
}

function waitingFor(receivers: number): string {
  return `Waiting for ${receivers.toLocaleString('en-US')} ${receivers === 1 ? 'receiver' : 'receivers'}`;
}

function inWords(ms: number): string {
  const isMinutes = ms % MINUTE_MS === 0;
  const count = ms / (isMinutes ? MINUTE_MS : SECOND_MS);
  const unit = isMinutes ? 'minute' : 'second';
  return `${count} ${count === 1 ? unit : `${unit}s`}`;
}
