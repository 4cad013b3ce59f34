import { setTimeout as sleep } from 'node:timers/promises';

/** Reads until it holds, and resolves with what was read; the test's own time limit bounds it. */
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
