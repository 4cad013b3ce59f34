/**
 * Streams: kinds of mail that an organization keeps apart, so that a newsletter cannot hurt sign-in codes. The stream of an
 * email is a name on it, kept as a tag (emails/stream.ts); here is what is set for each name.
 */
import { BULK, TRANSACTIONAL } from '../emails/stream.ts';
import type { Priority } from '../outbox/states.ts';
import { HOUR_MS, MINUTE_MS } from '../runtime/durations.ts';

/** How many of its mails are sent in a minute and in an hour of the clock, by all workers; null for any number. */
export interface StreamPace {
  readonly messagesPerMinute: number | null;
  readonly messagesPerHour: number | null;
}

export interface Stream extends StreamPace {
  readonly name: string;
  readonly description: string | null;
  /** Of its mail that says no other. */
  readonly priority: Priority;
  /** Null of one that is there by itself and was never changed. */
  readonly createdAt: Date | null;
}

const UNLIMITED: StreamPace = { messagesPerMinute: null, messagesPerHour: null };

/** There for everybody. The first one is what mail has that names none, and stays as it is: it is not even looked up. */
export const BUILT_IN: readonly Stream[] = [
  {
    name: TRANSACTIONAL,
    description: 'Mail that somebody waits for: sign-in codes, receipts. What names no stream.',
    priority: 'normal',
    ...UNLIMITED,
    createdAt: null,
  },
  {
    name: BULK,
    description: 'Mail to many: newsletters, announcements. It goes after other mail of the organization.',
    priority: 'low',
    ...UNLIMITED,
    createdAt: null,
  },
];

export function builtIn(name: string): Stream | undefined {
  return BUILT_IN.find((stream) => stream.name === name);
}

export function isLimited({ messagesPerMinute, messagesPerHour }: StreamPace): boolean {
  return messagesPerMinute !== null || messagesPerHour !== null;
}

/** How far apart the mails are that wait for a turn. */
export function spacingMs({ messagesPerMinute, messagesPerHour }: StreamPace): number {
  return Math.max(MINUTE_MS / (messagesPerMinute ?? Infinity), HOUR_MS / (messagesPerHour ?? Infinity));
}

/** Why mail of a limited stream waits, in a sentence or two. */
export function turnWords({
  name,
  messagesPerMinute,
  messagesPerHour,
}: StreamPace & Pick<Stream, 'name'>): string {
  const limits = [
    messagesPerMinute === null ? [] : `${messagesPerMinute} mails a minute`,
    messagesPerHour === null ? [] : `${messagesPerHour} mails an hour`,
  ].flat();
  return `The stream ${name} sends at most ${limits.join(' and ')}. It waits for its turn.`;
}
