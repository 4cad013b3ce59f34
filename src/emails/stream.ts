/**
 * The stream of a mail, such as `bulk`: what is kept apart from other mail (streams/). It has no column: a tag says it, which
 * lists, counts and webhooks look for anyway, and mail of the usual stream has not even that.
 */
import type { Tag } from './email.ts';

/** The stream of mail that names no other. */
export const TRANSACTIONAL = 'transactional';
export const BULK = 'bulk';
/** A tag that says the stream. */
export const STREAM_TAG = 'message-stream';
/** Also a group to unsubscribe from. */
export const STREAM_NAME = /^[a-z0-9][a-z0-9-]{0,31}$/;

export function streamOf(tags: readonly Tag[]): string {
  return tags.find(({ name }) => name === STREAM_TAG)?.value ?? TRANSACTIONAL;
}

/** Of what is stored, the tags that its sender gave. */
export function tagsBesides(tags: readonly Tag[]): Tag[] {
  return tags.filter(({ name }) => name !== STREAM_TAG);
}

/** What is stored of mail in a stream. */
export function tagsInStream(tags: readonly Tag[] | null, stream: string | null): readonly Tag[] | null {
  if (stream === null || stream === TRANSACTIONAL) return tags;
  return [...(tags ?? []), { name: STREAM_TAG, value: stream }];
}

/** In Postmark's words, which both its API and its webhooks speak. */
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

/** As tags are asked for (tag-filter.ts). */
export const ANY_STREAM = { name: STREAM_TAG, value: null } as const;

export function streamCondition(stream: string): { readonly name: string; readonly value: string } {
  return { name: STREAM_TAG, value: stream };
}
