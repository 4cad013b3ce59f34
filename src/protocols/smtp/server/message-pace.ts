/**
 * How fast the bytes of a message have to come. A message holds memory and a connection while it is received; a client that
 * stops in the middle must not hold them for all the time that a slow one may need.
 *
 * The pace is measured from window to window, not since the beginning: a client that sends 12 MB at once and then nothing
 * would be fast enough on average for minutes.
 */
interface Pace {
  readonly windowMs: number;
  /** In each window. */
  readonly bytes: number;
}

export interface MessagePaces {
  readonly usual: Pace;
  /** While others wait for the memory or the connection that the message holds. */
  readonly hurried: Pace;
  readonly checkMs: number;
}

/**
 * RFC 5321, 4.5.3.2.5, lets clients wait three minutes for a block of data to be sent. Hurried: half a megabit a second, as
 * bodies over HTTP have to come.
 */
export const MESSAGE_PACES: MessagePaces = {
  usual: { windowMs: 180_000, bytes: 1 },
  hurried: { windowMs: 10_000, bytes: 10 * 64 * 1024 },
  checkMs: 1_000,
};

export class MessagePace {
  readonly #size: () => number;
  readonly #usual: PaceWindow;
  readonly #hurried: PaceWindow;

  /** `size`: how much has come. */
  constructor({ usual, hurried }: MessagePaces, size: () => number, now = () => performance.now()) {
    this.#size = size;
    this.#usual = new PaceWindow(usual, now);
    this.#hurried = new PaceWindow(hurried, now);
  }

  /** To be asked every `checkMs`. */
  isTooSlow(isHurried: boolean): boolean {
    const size = this.#size();
    const isSlow = this.#usual.isTooSlow(size);
    return this.#hurried.isTooSlow(size) ? isHurried || isSlow : isSlow;
  }

  /** Whether it is too slow for a server that others wait for. */
  get hasStalled(): boolean {
    return this.#hurried.isTooSlow(this.#size());
  }
}

class PaceWindow {
  readonly #pace: Pace;
  readonly #now: () => number;
  #began: number;
  #sizeAtStart = 0;

  constructor(pace: Pace, now: () => number) {
    this.#pace = pace;
    this.#now = now;
    this.#began = now();
  }

  /** The window goes on until enough has come, so a client that has stopped stays too slow. */
  isTooSlow(size: number): boolean {
    if (this.#now() - this.#began < this.#pace.windowMs) return false;
    if (size - this.#sizeAtStart < this.#pace.bytes) return true;
    this.#began = this.#now();
    this.#sizeAtStart = size;
    return false;
  }
}
