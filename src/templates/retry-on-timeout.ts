/**
 * Repeats a render that exceeded its time limit, because the machine may have been busy with other work. Yields to
 * the event loop between tries. A render that exceeds the limit of steps does so every time and is not repeated.
 */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

const MAX_TRIES = 4;

export async function retryOnTimeout<T>(render: () => T, isLate: (result: T) => boolean): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    const result = render();
    if (!isLate(result) || tries === MAX_TRIES) return result;
    await yieldToEventLoop();
  }
}
