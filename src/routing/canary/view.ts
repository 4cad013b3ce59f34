/** The public form of canaries. Pure. */
import { restMinutes } from './decide.ts';
import { type CanaryState, isPaused } from './facts.ts';
import type { Canary } from './plan.ts';
import { minutesWords, percentWords } from './words.ts';

const MINUTE_MS = 60_000;

export function shareView(canary: Canary, state: CanaryState, allPausedAt: Date | null) {
  const { provider, percent, since, falls, step } = state;
  const paused = isPaused(state, allPausedAt);
  const next = canary.percents.find((one) => one > percent) ?? null;
  const restMs = percent === 0 ? restMinutes(falls) * MINUTE_MS : 0;
  return {
    ...{ provider, percent, since, falls, paused, old: step.old, new: step.new },
    next_percent: next,
    rests_until: since !== null && restMs > 0 && !paused ? new Date(since.getTime() + restMs) : null,
    message: sentence(canary, state, next, paused, restMs),
  };
}

function sentence(
  { minutes, mails }: Canary,
  { percent, age_ms, step }: CanaryState,
  next: number | null,
  paused: boolean,
  restMs: number,
): string {
  if (paused) return `It is paused at ${percentWords(percent)}, and falls if it must.`;
  if (percent === 0)
    return restMs > age_ms
      ? `It has fallen, and begins anew in ${minutesWords((restMs - age_ms) / MINUTE_MS)}.`
      : 'It begins within seconds.';
  if (next === null) return 'It is at the last step, and falls if it must. Finish it when you are content.';
  const leftMinutes = minutes - age_ms / MINUTE_MS;
  const leftMails = mails - step.new.sent;
  const waits = [
    ...(leftMinutes > 0 ? [`in ${minutesWords(leftMinutes)}`] : []),
    ...(leftMails > 0 ? [`after ${leftMails} more mails on the new way`] : []),
  ];
  return `It goes on to ${percentWords(next)} ${waits.length === 0 ? 'within seconds' : waits.join(', and ')}.`;
}
