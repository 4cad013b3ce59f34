/**
 * The stream of an email, such as `bulk`, which separates kinds of mail (streams/). The column `emails.stream` has it; null means
 * `transactional`. Mail accepted before the column has the stream as a tag.
 */
import type { Tag } from './email.ts';

/** The default stream, for mail without another one. */
export const TRANSACTIONAL = 'transactional';
export const BULK = 'bulk';
/** Also the name of an unsubscribe group. */
export const STREAM_NAME = /^[a-z0-9][a-z0-9-]{0,31}$/;

/** A sender may name the stream in a tag of this name. The tag is then stored as the stream. */
export const STREAM_TAG = 'message-stream';

interface TagsAndStream {
  readonly tags: readonly Tag[] | null;
  /** Null means `transactional`. */
  readonly stream: string | null;
}

/** Separates the tag that names the stream, with any text, from the other tags. */
export function separateStream(tags: readonly Tag[] | null): TagsAndStream {
  const stream = tags?.find(({ name }) => name === STREAM_TAG)?.value;
  if (tags === null || stream === undefined) return { tags, stream: null };
  const others = tags.filter(({ name }) => name !== STREAM_TAG);
  return { tags: others.length > 0 ? others : null, stream: stream === TRANSACTIONAL ? null : stream };
}

/** Whether the email `e` has its stream as a tag. Checked first, because a JSON path takes longer. */
const HAS_STREAM_TAG = `e.tags @> '[{"name": "${STREAM_TAG}"}]'`;

/** SQL: the stream of the email `e`; null means `transactional`. */
export const STREAM = `coalesce(e.stream, CASE WHEN ${HAS_STREAM_TAG} THEN
  nullif(jsonb_path_query_first(e.tags, '$[*] ? (@.name == "${STREAM_TAG}").value') #>> '{}', '${TRANSACTIONAL}') END)`;

/** SQL: the tags of the email `e` without the stream of mail accepted before the column. */
export const OWN_TAGS = `CASE WHEN ${HAS_STREAM_TAG}
  THEN jsonb_path_query_array(e.tags, '$[*] ? (@.name != "${STREAM_TAG}")') ELSE e.tags END`;

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
