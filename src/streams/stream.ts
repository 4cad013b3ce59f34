/**
 * Streams separate an organization's kinds of mail, so that a newsletter cannot hurt sign-in codes. An email's stream
 * is a name (emails/stream.ts); this file defines the settings of each name.
 */
import { BULK, TRANSACTIONAL } from '../emails/stream.ts';
import type { Priority } from '../outbox/states.ts';
import { HOUR_MS, MINUTE_MS } from '../runtime/durations.ts';

/** The maximum number of mails per minute and hour (by the clock), over all workers; null for no limit. */
export interface StreamPace {
  readonly messagesPerMinute: number | null;
  readonly messagesPerHour: number | null;
}

export interface Stream extends StreamPace {
  readonly name: string;
  readonly description: string | null;
  /** The default priority of its mail. */
  readonly priority: Priority;
  /** Null for a built-in stream that was never changed. */
  readonly createdAt: Date | null;
}

const UNLIMITED: StreamPace = { messagesPerMinute: null, messagesPerHour: null };

/**
 * Available in every organization. The first one is the default for mail without a stream; it cannot be changed and
 * is never looked up.
 */
export const BUILT_IN: readonly Stream[] = [
  {
    name: TRANSACTIONAL,
    description:
      'Mail that the recipient expects: sign-in codes, receipts. Mail without a stream belongs to this stream.',
    priority: 'normal',
    ...UNLIMITED,
    createdAt: null,
  },
  {
    name: BULK,
    description:
      'Mail to many recipients: newsletters, announcements. Sent after other mail of the organization.',
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

/** The interval in ms between queued mails of the stream. */
export function spacingMs({ messagesPerMinute, messagesPerHour }: StreamPace): number {
  return Math.max(MINUTE_MS / (messagesPerMinute ?? Infinity), HOUR_MS / (messagesPerHour ?? Infinity));
}

/** Explains in a sentence or two why mail of a limited stream is queued. */
export function turnWords({
  name,
  messagesPerMinute,
  messagesPerHour,
}: StreamPace & Pick<Stream, 'name'>): string {
  const limits = [
    messagesPerMinute === null ? [] : `${messagesPerMinute} emails a minute`,
    messagesPerHour === null ? [] : `${messagesPerHour} emails an hour`,
  ].flat();
  return `The stream ${name} sends at most ${limits.join(' and ')}. The email waits for its turn.`;
}
