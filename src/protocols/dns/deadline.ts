/** Timeouts for DNS answers, in real time because a caller really waits. */
import type { Answer } from './answer.ts';

const STEP_MS = 250;
/** More attempts than the timeout allows: c-ares gives up after three seconds at the earliest. */
const MAX_ASKED = 5;

/** For a caller with a fixed time limit, regardless of the cause of the delay. */
export function withDeadline<T>(answer: Promise<Answer<T>>, deadlineMs: number): Promise<Answer<T>> {
  return orTimeout(answer, (end) => {
    const timer = setTimeout(end, deadlineMs);
    return () => clearTimeout(timer);
  });
}

/** For a caller that measures whether DNS answers. */
export function withTimeout<T>(answer: Promise<Answer<T>>, timeoutMs: number): Promise<Answer<T>> {
  return orTimeout(answer, (end) => runningTime(timeoutMs, end).stop);
}

/**
 * Counted in steps: a pause of this process delays one step, and answers that arrived meanwhile are processed
 * before the next.
 */
function runningTime(ms: number, end: () => void): { readonly isOver: boolean; readonly stop: () => void } {
  const stepMs = Math.min(STEP_MS, ms);
  let leftMs = ms;
  const timer = setInterval(() => {
    leftMs -= stepMs;
    if (leftMs <= 0) end();
  }, stepMs);
  return {
    get isOver() {
      return leftMs <= 0;
    },
    stop: () => clearInterval(timer),
  };
}

/**
 * Repeats unanswered queries. The timeouts of c-ares do not suffice: after quick answers it shortens them to
 * one second, regardless of its settings, and a pause of this process uses them up.
 */
export async function retryUntilDeadline<T>(ask: () => Promise<T>, timeoutMs: number): Promise<T> {
  const time = runningTime(timeoutMs, () => {});
  try {
    for (let asked = 1; ; asked += 1) {
      try {
        return await ask();
      } catch (error) {
        if (time.isOver || asked === MAX_ASKED || !isTimeout(error)) throw error;
      }
    }
  } finally {
    time.stop();
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ETIMEOUT';
}

/** `begin` starts a timer and returns a function that stops it. */
async function orTimeout<T>(
  answer: Promise<Answer<T>>,
  begin: (end: () => void) => () => void,
): Promise<Answer<T>> {
  let stop = (): void => {};
  const timeout = new Promise<Answer<T>>((resolve) => {
    stop = begin(() => resolve({ kind: 'unavailable', code: 'ETIMEOUT' }));
  });
  try {
    return await Promise.race([answer, timeout]);
  } finally {
    stop();
  }
}
