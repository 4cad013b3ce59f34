/** A site in words for people. Pure. */
import type { Site } from '@postrider/sdk';
import type { Tone } from '../../ui/badge.tsx';

type Held = Pick<Site, 'state' | 'connections' | 'reason'>;

export function stateOf({ state, connections, reason }: Held): {
  readonly tone: Tone;
  readonly name: string;
} {
  switch (state) {
    case 'open':
      return connections === null
        ? { tone: 'good', name: 'open' }
        : { tone: 'warn', name: 'fewer connections' };
    case 'slow':
      return { tone: 'warn', name: 'slowed' };
    case 'blocked':
      return { tone: 'bad', name: isSilent(reason) ? 'not reachable' : 'blocked' };
    case 'probing':
      return { tone: 'info', name: 'being tried' };
    case 'paused':
      return { tone: 'bad', name: 'paused' };
  }
}

const SILENCE: ReadonlySet<string> = new Set([
  'connection_refused',
  'connection_timed_out',
  'connection_lost',
  'host_unreachable',
  'tls_failed',
  'protocol_error',
]);

/** No server said anything: what is there for a reply are our own words. */
export function isSilent(reason: string | null): boolean {
  return reason !== null && SILENCE.has(reason);
}

export function paceOf(site: Pick<Site, 'state' | 'messages_per_minute' | 'connections'>): string {
  const { state, messages_per_minute: pace, connections } = site;
  if (state === 'paused' || state === 'blocked') return 'nothing is sent';
  if (state === 'probing') return 'one trial message';
  const limits = [
    ...(pace === null ? [] : [perMinute(pace)]),
    ...(connections === null ? [] : [`${counted(connections, 'connection')} at a time`]),
  ];
  return limits.length === 0 ? 'at full speed' : limits.join(', ');
}

function perMinute(pace: number): string {
  const rounded = pace < 10 ? Math.round(pace * 10) / 10 : Math.round(pace);
  return `${counted(rounded, 'message')} a minute`;
}

function counted(count: number, noun: string): string {
  return count === 1 ? `one ${noun}` : `${count.toLocaleString('en')} ${noun}s`;
}

/** What is due, and what waits for a time of its own. */
export function waitingOf({ due, scheduled }: Pick<Site, 'due' | 'scheduled'>): string {
  const parts = [
    ...(due > 0 ? [`${due.toLocaleString('en')} due now`] : []),
    ...(scheduled > 0 ? [`${scheduled.toLocaleString('en')} later`] : []),
  ];
  return parts.length === 0 ? 'none' : parts.join(', ');
}

type Expected = Pick<Site, 'state' | 'until' | 'messages_per_minute' | 'due' | 'scheduled'>;

/** A moment where there is one, else words. */
export function nextTryOf(site: Expected): { readonly at: string } | { readonly words: string } {
  const { state, until, messages_per_minute: pace, due, scheduled } = site;
  if (state === 'paused') return { words: 'when it is resumed' };
  if (state === 'blocked' && until !== null) return { at: until };
  if (state === 'probing') return { words: 'with the next mail that is due' };
  if (due + scheduled === 0) return { words: 'when there is mail' };
  if (due === 0) return { words: 'each at its own time' };
  return { words: state === 'slow' && pace !== null ? everySoOften(pace) : 'when its turn comes' };
}

function everySoOften(pace: number): string {
  const seconds = Math.round(60 / pace);
  if (seconds <= 1) return 'one after another, every second or faster';
  return seconds === 60 ? 'one every minute' : `one every ${seconds} seconds`;
}

const MOMENT_MS = 5_000;

/** What is about to happen has no time worth telling. */
export function isAboutToBe(at: string, nowMs: number): boolean {
  return Date.parse(at) - nowMs < MOMENT_MS;
}
