/**
 * A stopping worker waits for receivers that have a message and have not replied, because otherwise the
 * message would be sent again.
 */
import type { SmtpPool } from '../protocols/smtp/pool.ts';

const REPORT_EVERY_MS = 5_000;

type AwaitedReplies = Pick<SmtpPool, 'awaitedReplies' | 'allReplied'>;

interface ReplyWait {
  readonly withinMs: number;
  readonly enough: AbortSignal;
  /** Gets the number of receivers on every change, and finally 0. Not called when there are none. */
  readonly onWaiting: (receivers: number) => void;
}

export async function awaitReplies(pool: AwaitedReplies, wait: ReplyWait): Promise<void> {
  const { withinMs, enough, onWaiting } = wait;
  if (pool.awaitedReplies === 0) return;
  let reported = 0;
  const report = (receivers: number) => {
    if (receivers !== reported) onWaiting(receivers);
    reported = receivers;
  };
  report(pool.awaitedReplies);
  const progress = setInterval(() => report(pool.awaitedReplies), REPORT_EVERY_MS);
  let tooLong: NodeJS.Timeout | undefined;
  const timeIsUp = new Promise<void>((resolve) => {
    tooLong = setTimeout(resolve, withinMs);
  });
  await Promise.race([pool.allReplied(), untilAborted(enough), timeIsUp]);
  clearTimeout(tooLong);
  clearInterval(progress);
  report(0);
}

function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
