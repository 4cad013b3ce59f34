/** Describes canaries in sentences. Pure. */
import { type BothPaths, type PathCounts, restMinutes } from './decide.ts';
import type { Rate } from './plan.ts';

const RATE_WORDS: Readonly<Record<Rate, string>> = {
  deferred: 'deferred',
  bounced: 'bounced',
  complained: 'complained of',
};

export function percentWords(percent: number): string {
  return `${Number(percent.toFixed(2))} %`;
}

export function riseWords(transport: string, provider: string, from: number, to: number): string {
  const rest = to === 100 ? 'All' : percentWords(to);
  const before = from === 0 ? '' : `, ${percentWords(from)} before`;
  return `${rest} of the mail to ${provider} goes through ${transport} from now on${before}.`;
}

export function fallWords(
  transport: string,
  provider: string,
  why: {
    readonly rate: Rate;
    readonly period: BothPaths;
    readonly falls: number;
    readonly isPaused: boolean;
  },
): string {
  const { rate, period, falls, isPaused } = why;
  const share = (way: PathCounts) => `${way[rate]} of ${way.sent}`;
  const seen = `${share(period.new)} were ${RATE_WORDS[rate]} there, and ${share(period.old)} on the old path in the same time`;
  const next = isPaused ? 'while it is paused' : `for ${minutesWords(restMinutes(falls))}`;
  return `No mail to ${provider} goes through ${transport} any more: ${seen}. The canary stays at 0 % ${next}.`;
}

export function minutesWords(minutes: number): string {
  if (minutes < 1) return 'less than a minute';
  if (minutes < 120) return `${Math.round(minutes)} minutes`;
  return `${Math.round(minutes / 60)} hours`;
}
