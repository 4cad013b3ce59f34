/**
 * How long code holds the event loop, in processor time of the thread that runs it. Garbage collection and hashing on
 * other threads hold nobody up, and on a busy machine the clock says nothing about the code.
 */
import { readFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Nanoseconds that this thread has run, then two numbers about waiting. Linux only. */
const SCHEDSTAT = '/proc/thread-self/schedstat';

const threadTimeMs = createClock();

function createClock(): () => number {
  const ofThread = () => Number(readFileSync(SCHEDSTAT, 'latin1').split(' ', 1)[0]) / 1e6;
  try {
    if (ofThread() > 0) return ofThread;
  } catch {
    // Not Linux, or a kernel that does not count it: the whole process is measured.
  }
  return () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  };
}

/** The longest time, in milliseconds, for which the work did not let others have their turn. */
export async function longestSliceMs(work: () => unknown): Promise<number> {
  await nextTurn();
  let longest = 0;
  let since = threadTimeMs();
  const sample = () => {
    const now = threadTimeMs();
    longest = Math.max(longest, now - since);
    since = now;
  };
  const running = settled(work);
  sample();
  if (!(running instanceof Promise)) return longest;
  let isRunning = true;
  const watched = running.finally(() => {
    isRunning = false;
  });
  while (isRunning) {
    await nextTurn();
    sample();
  }
  await watched;
  return longest;
}

/** A refusal is an answer like any other. A mistake in the code, or in the subject, is not. */
function settled(work: () => unknown): unknown {
  try {
    const result = work();
    return isThenable(result) ? Promise.resolve(result).catch(rethrowMistake) : result;
  } catch (error) {
    return rethrowMistake(error);
  }
}

/** What Fastify's `inject` returns is no Promise. */
function isThenable(result: unknown): result is PromiseLike<unknown> {
  return typeof result === 'object' && result !== null && 'then' in result;
}

function rethrowMistake(error: unknown): undefined {
  const isMistake =
    error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;
  // Errors with a code are Node's words about the input: an invalid URL, bytes that are not UTF-8.
  if (isMistake && !('code' in error)) throw error;
  return undefined;
}
