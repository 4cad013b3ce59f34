/** Time is passed in, never read from a global, so that a test can decide what "now" is. */
export interface Clock {
  nowMs(): number;
}

export const systemClock: Clock = { nowMs: () => Date.now() };
