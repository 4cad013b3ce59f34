/**
 * Messages to a site that is slow, so many a minute.
 *
 * Owns how many may go now: they add up with time, to one and what two looks at the queue come to. Less would lose the
 * fractions between two looks: at 57 a minute every look but one in twenty finds less than one message.
 */
import { MINUTE_MS } from '../../kit/runtime/durations.ts';

/** How often whoever asks comes by. */
const LOOK_MS = 1_000;
/** Of a minute that is counted. */
const SLOTS = 60;

export class Pacer {
  readonly #minuteMs: number;
  #saved = 0;
  #atMs: number | null = null;

  /** `speed` is how much faster than real time waits run. */
  constructor(speed: number) {
    this.#minuteMs = MINUTE_MS / speed;
  }

  /** Whole messages that may go now, at `pace` a minute. Nothing goes with the first question: that begins the slow time. */
  available(pace: number, nowMs: number): number {
    // A clock that was set back tells nothing of how long it has been.
    const sinceMs = Math.max(0, nowMs - (this.#atMs ?? nowMs));
    const most = 1 + (2 * pace * LOOK_MS) / this.#minuteMs;
    this.#saved = Math.min(most, this.#saved + (sinceMs * pace) / this.#minuteMs);
    this.#atMs = nowMs;
    return Math.floor(this.#saved);
  }

  take(): void {
    this.#saved -= 1;
  }

  /** The first may go at once: nobody asked for less. */
  begin(): void {
    this.#saved = 1;
  }

  restart(): void {
    this.#saved = 0;
    this.#atMs = null;
  }
}

/** How many things happened in the last minute, to a sixtieth of one. */
export class MinuteCount {
  readonly #slotMs: number;
  #slots: number[] = Array(SLOTS).fill(0);
  #slot = 0;

  constructor(speed: number) {
    this.#slotMs = MINUTE_MS / speed / this.#slots.length;
  }

  add(nowMs: number): void {
    this.#turn(nowMs);
    this.#slots[this.#slot % this.#slots.length] = (this.#slots[this.#slot % this.#slots.length] ?? 0) + 1;
  }

  total(nowMs: number): number {
    this.#turn(nowMs);
    return this.#slots.reduce((sum, count) => sum + count, 0);
  }

  #turn(nowMs: number): void {
    const slot = Math.floor(nowMs / this.#slotMs);
    const passed = slot < this.#slot ? this.#slots.length : Math.min(slot - this.#slot, this.#slots.length);
    for (let i = 0; i < passed; i += 1) this.#slots[(slot + this.#slots.length - i) % this.#slots.length] = 0;
    this.#slot = slot;
  }
}
