/** Time is injected, never read from a global, so that a test can set "now". */
export interface Clock {
  nowMs(): number;
}

/** Monotonic clock for durations within one process. It is unrelated to the time of day. */
export const steadyClock: Clock = { nowMs: () => performance.now() };

export const systemClock: Clock = { nowMs: () => Date.now() };

/** The same clock, but never earlier than `fromMs`. */
export function notBefore(clock: Clock, fromMs: number): Clock {
  return { nowMs: () => Math.max(clock.nowMs(), fromMs) };
}
