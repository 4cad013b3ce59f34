/** A worker that stops waits for receivers that have a message and have not answered: to leave would mean to send the message again. */
import type { SmtpPool } from '../kit/smtp/pool.ts';

const REPORT_EVERY_MS = 5_000;

type AwaitedReplies = Pick<SmtpPool, 'awaitedReplies' | 'allReplied'>;

/** `onWaiting` gets the number of receivers, whenever it is found to have changed; last 0. Not called where there is none. */
export async function awaitReplies(
  pool: AwaitedReplies,
  enough: AbortSignal,
  onWaiting: (receivers: number) => void,
): Promise<void> {
  if (pool.awaitedReplies === 0) return;
  let reported = 0;
  const report = (receivers: number) => {
    if (receivers !== reported) onWaiting(receivers);
    reported = receivers;
  };
  report(pool.awaitedReplies);
  const progress = setInterval(() => report(pool.awaitedReplies), REPORT_EVERY_MS);
  await Promise.race([pool.allReplied(), untilAborted(enough)]);
  clearInterval(progress);
  report(0);
}

function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
