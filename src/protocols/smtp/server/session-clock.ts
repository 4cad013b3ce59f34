/**
 * How long a session still has for what its client does next, by a clock that is never set.
 *
 * A client that is idle (neither logged in nor sending a message) has a time that commands do not extend; a completed
 * message does.
 */
import type { SessionTimes } from './dialogue.ts';

export class SessionClock {
  readonly #times: SessionTimes;
  readonly #endsAt: number;
  #idleUntil: number;
  #progressAt: number;
  #messageBegan = 0;

  /** Times are those of performance.now(). */
  constructor(times: SessionTimes, connectedAt: number) {
    this.#times = times;
    this.#endsAt = connectedAt + times.sessionMs;
    this.#idleUntil = connectedAt + times.idleMs;
    this.#progressAt = connectedAt;
  }

  /** The client has logged in, or a step of a message was accepted. */
  progressed(): void {
    this.#progressAt = performance.now();
  }

  /** Whatever was answered to it. */
  messageCompleted(): void {
    this.progressed();
    this.#idleUntil = this.#progressAt + this.#times.commandMs;
  }

  /** For the next command; negative when the time is up. */
  leftMs(isIdle: boolean): number {
    const ends = isIdle ? Math.min(this.#endsAt, this.#idleUntil) : this.#endsAt;
    return Math.min(this.#times.commandMs, ends - performance.now());
  }

  messageBegan(): void {
    this.#messageBegan = performance.now();
  }

  /** For the message that has begun, whether it comes at once or in chunks. */
  messageLeftMs(): number {
    return Math.min(this.#messageBegan + this.#times.messageMs, this.#endsAt) - performance.now();
  }

  get isIdleTooLong(): boolean {
    return performance.now() >= this.#idleUntil;
  }

  /** Nothing was accepted for as long as an idle client has at first. */
  get hasStalled(): boolean {
    return performance.now() - this.#progressAt >= this.#times.idleMs;
  }
}
