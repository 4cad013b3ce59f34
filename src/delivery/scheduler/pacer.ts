/**
 * A token bucket for messages to a slow site.
 *
 * Owns the tokens. The bucket holds one token and the tokens of two checks of the queue. A smaller bucket would lose the fractions
 * between two checks: at 57 messages a minute, 19 of 20 checks find less than one token.
 */
import { MINUTE_MS } from '../../runtime/durations.ts';

/** How often the scheduler checks the queue. */
const LOOK_MS = 1_000;
/** Seconds, one slot each. */
const SLOTS = 60;

export class Pacer {
  readonly #minuteMs: number;
  #saved = 0;
  #atMs: number | null = null;

  /** `speed` is how much faster than real time waits run. */
  constructor(speed: number) {
    this.#minuteMs = MINUTE_MS / speed;
  }

  /** How many messages may be sent now, at `pace` a minute. The first call returns 0, because it starts the bucket. */
  available(pace: number, nowMs: number): number {
    // Zero after the clock was set back, because the elapsed time is unknown.
    const sinceMs = Math.max(0, nowMs - (this.#atMs ?? nowMs));
    const most = 1 + (2 * pace * LOOK_MS) / this.#minuteMs;
    this.#saved = Math.min(most, this.#saved + (sinceMs * pace) / this.#minuteMs);
    this.#atMs = nowMs;
    return Math.floor(this.#saved);
  }

  take(): void {
    this.#saved -= 1;
  }

  /** Allows the first message at once: the receiver did not ask for a wait. */
  begin(): void {
    this.#saved = 1;
  }

  restart(): void {
    this.#saved = 0;
    this.#atMs = null;
  }
}

/** Counts events of the last minute, in slots of a second. */
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
