/** The stream of a mail, such as `broadcast`: what is sent apart from other mail. It has no column: a tag says it. */
import type { Tag } from './email.ts';

/** The stream of mail that says no other. */
export const OUTBOUND = 'outbound';
/** A tag that says the stream. */
export const STREAM_TAG = 'message-stream';

export function streamOf(tags: readonly Tag[]): string {
  return tags.find(({ name }) => name === STREAM_TAG)?.value ?? OUTBOUND;
}
