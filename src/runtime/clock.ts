/** Time is injected, never read from a global, so that a test can set "now". */
export interface Clock {
  nowMs(): number;
}

/** Monotonic clock for durations within one process. It is unrelated to the time of day. */
export const steadyClock: Clock = { nowMs: () => performance.now() };

export const systemClock: Clock = { nowMs: () => Date.now() };

/**
 * One moment on both clocks. The monotonic clock is never set but stops while some machines sleep; the wall clock is the reverse.
 */
export interface ClockReading {
  readonly steadyMs: number;
  readonly wallMs: number;
}

export function readClocks(): ClockReading {
  return { steadyMs: steadyClock.nowMs(), wallMs: systemClock.nowMs() };
}

/** The same clock, but never earlier than `fromMs`. */
export function notBefore(clock: Clock, fromMs: number): Clock {
  return { nowMs: () => Math.max(clock.nowMs(), fromMs) };
}
