/**
 * Waiting inside a bench. Every wait has a deadline, and its error names the condition and the missing amount. Without a deadline
 * a broken bench would look like a slow one.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/** The longest time without progress. Half a minute is enough on a machine with ten times the work that it can do. */
export const TIMEOUT_MS = 30_000;
const CHECK_INTERVAL_MS = 20;
const COUNT_EVERY_MS = 1_000;

/** Reads until the value holds, and resolves with it. `what` completes the sentence "Waited for …". */
export async function waitFor<T>(
  what: string,
  read: () => T | Promise<T>,
  holds: (value: T) => unknown = Boolean,
  timeoutMs = TIMEOUT_MS,
): Promise<T> {
  const deadlineMs = performance.now() + timeoutMs;
  for (;;) {
    const value = await read();
    if (holds(value)) return value;
    if (performance.now() > deadlineMs) throw new Error(`Waited for ${what}, ${seconds(timeoutMs)} in vain.`);
    await sleep(CHECK_INTERVAL_MS);
  }
}

export interface Remaining {
  readonly what: string;
  /** Must be cheap, because it is called fifty times a second during a measurement. */
  readonly isDone: () => boolean | Promise<boolean>;
  /** How many are left. Called once a second. */
  readonly left: () => number | Promise<number>;
  /** Added to the error: why the rest does not finish. */
  readonly about?: () => Promise<string>;
  readonly timeoutMs?: number;
  readonly everyMs?: number;
}

/** Waits until done, as long as the remaining number changes. */
export async function waitUntilDone(remaining: Remaining): Promise<void> {
  const { what, isDone, left, about, timeoutMs = TIMEOUT_MS, everyMs = CHECK_INTERVAL_MS } = remaining;
  let known = Number.NaN;
  let changedMs = performance.now();
  let countedMs = Number.NEGATIVE_INFINITY;
  while (!(await isDone())) {
    const nowMs = performance.now();
    if (nowMs - countedMs >= COUNT_EVERY_MS) {
      const count = await left();
      if (count !== known) changedMs = nowMs;
      known = count;
      countedMs = nowMs;
      if (nowMs - changedMs > timeoutMs) {
        const problem = `Waited for ${what}: ${count} are left, and for ${seconds(timeoutMs)} nothing happened.`;
        throw new Error([problem, (await about?.()) ?? ''].join(' ').trim());
      }
    }
    await sleep(everyMs);
  }
}

/** The value of a promise, or an error after the time limit. */
export async function within<T>(
  what: string,
  promise: Promise<T>,
  timeoutMs = TIMEOUT_MS,
  about?: () => Promise<string>,
): Promise<T> {
  const over = new AbortController();
  const late = sleep(timeoutMs, undefined, { signal: over.signal }).then(async () => {
    const problem = `Waited for ${what}, ${seconds(timeoutMs)} in vain.`;
    throw new Error([problem, (await about?.()) ?? ''].join(' ').trim());
  });
  late.catch(() => {}); // cancelled below if the promise settles in time
  try {
    return await Promise.race([promise, late]);
  } finally {
    over.abort();
  }
}

/** The first message of a forked process; an error where that process ends without one. */
export async function firstMessage<T>(what: string, child: ChildProcess): Promise<T> {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`Waited for ${what}, but its process ended with ${code}.`);
  });
  ended.catch(() => {}); // the process ends later, as expected
  const [message] = (await within(what, Promise.race([once(child, 'message'), ended]))) as [T];
  return message;
}

function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}
