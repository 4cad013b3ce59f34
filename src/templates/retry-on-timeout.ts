/**
 * A render that only the clock has ended is done again at once, with a fresh clock: whatever the machine was busy with
 * may be over. Others get a turn in between. What has too many steps has them every time, and is not done again.
 */
import { setImmediate as breathe } from 'node:timers/promises';

const MAX_TRIES = 4;

export async function retryOnTimeout<T>(render: () => T, isLate: (result: T) => boolean): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    const result = render();
    if (!isLate(result) || tries === MAX_TRIES) return result;
    await breathe();
  }
}
