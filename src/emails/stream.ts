/**
 * The stream of an email, such as `bulk`, which separates kinds of mail (streams/). It has no column: a tag stores it, because
 * lists, counts and webhooks already filter by tags. Mail of the default stream has no tag.
 */
import type { Tag } from './email.ts';

/** The default stream, for mail without another one. */
export const TRANSACTIONAL = 'transactional';
export const BULK = 'bulk';
export const STREAM_TAG = 'message-stream';
/** Also the name of an unsubscribe group. */
export const STREAM_NAME = /^[a-z0-9][a-z0-9-]{0,31}$/;

export function streamOf(tags: readonly Tag[]): string {
  return tags.find(({ name }) => name === STREAM_TAG)?.value ?? TRANSACTIONAL;
}

/** The stored tags without the stream's tag: the sender's own. */
export function tagsBesides(tags: readonly Tag[]): Tag[] {
  return tags.filter(({ name }) => name !== STREAM_TAG);
}

/** The stored tags of mail in a stream. */
export function tagsInStream(tags: readonly Tag[] | null, stream: string | null): readonly Tag[] | null {
  if (stream === null || stream === TRANSACTIONAL) return tags;
  return [...(tags ?? []), { name: STREAM_TAG, value: stream }];
}

/** Postmark's stream names, for its API and webhooks. */
const POSTMARK: ReadonlyMap<string, string> = new Map([
  [TRANSACTIONAL, 'outbound'],
  [BULK, 'broadcast'],
]);

export function toPostmarkStream(stream: string): string {
  return POSTMARK.get(stream) ?? stream;
}

export function fromPostmarkStream(name: string): string {
  return [...POSTMARK].find(([, theirs]) => theirs === name)?.[0] ?? name;
}

/** A tag filter (tag-filter.ts) that matches every named stream. */
export const ANY_STREAM = { name: STREAM_TAG, value: null } as const;

export function streamCondition(stream: string): { readonly name: string; readonly value: string } {
  return { name: STREAM_TAG, value: stream };
}
