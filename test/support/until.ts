import { setTimeout as sleep } from 'node:timers/promises';

/** Reads until the condition holds, and resolves with the value. Bounded by the test's time limit. */
export async function until<T>(
  read: () => T | Promise<T>,
  holds: (value: T) => unknown = Boolean,
  everyMs = 20,
): Promise<T> {
  for (;;) {
    const value = await read();
    if (holds(value)) return value;
    await sleep(everyMs);
  }
}
