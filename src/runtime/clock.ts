/** Time is passed in, never read from a global, so that a test can decide what "now" is. */
export interface Clock {
  nowMs(): number;
}

/** For what lasts a while in one process. It is never set, and says nothing about the time of day. */
export const steadyClock: Clock = { nowMs: () => performance.now() };

export const systemClock: Clock = { nowMs: () => Date.now() };

/** The same clock, but for what is earlier than that. */
export function notBefore(clock: Clock, fromMs: number): Clock {
  return { nowMs: () => Math.max(clock.nowMs(), fromMs) };
}
