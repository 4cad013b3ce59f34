/** How old what the overview says may be. That nobody delivers is to be seen within 30 seconds: a test adds it up. */
export const ATTENTION_EVERY_MS = 10_000;
