/**
 * A tag filter as users write it: `name`, or `name:value`. The tag `message-stream` stands for the stream of an email, which was
 * stored as this tag before it had a column. So filters, holds and routes of that time find new mail, too.
 */
import type { Tag } from './email.ts';
import { STREAM, STREAM_TAG, TRANSACTIONAL } from './stream.ts';

export interface TagFilter {
  readonly name: string;
  /** Null matches any value. */
  readonly value: string | null;
}

/** Names contain no colon; values may. */
export function parseTagFilter(text: string): TagFilter {
  const colon = text.indexOf(':');
  return colon === -1
    ? { name: text, value: null }
    : { name: text.slice(0, colon), value: text.slice(colon + 1) };
}

/** The JSON that the tags of a matching email contain (`@>`). */
export function tagsContaining({ name, value }: TagFilter): string {
  return JSON.stringify([value === null ? { name } : { name, value }]);
}

/** All filters that match an email. Its stream is undefined while that is unknown, and null for `transactional`. */
export function* matchingTagFilters(
  tags: readonly Tag[] | null,
  stream: string | null | undefined,
): Generator<string> {
  for (const { name, value } of tags ?? []) {
    yield name;
    yield `${name}:${value}`;
  }
  if (stream === undefined) return;
  // `message-stream` alone means any stream but the default one: mail of the default stream never had the tag.
  if (stream !== null && stream !== TRANSACTIONAL) yield STREAM_TAG;
  yield `${STREAM_TAG}:${stream ?? TRANSACTIONAL}`;
}

/** SQL: whether the email `e` matches `filter`, an expression with the text of a filter; as `matchingTagFilters`. */
export function hasTag(filter: string): string {
  return `(e.tags @> jsonb_build_array(CASE position(':' IN ${filter})
    WHEN 0 THEN jsonb_build_object('name', ${filter})
    ELSE jsonb_build_object('name', split_part(${filter}, ':', 1),
                            'value', substr(${filter}, position(':' IN ${filter}) + 1)) END)
    OR ${filter} = '${STREAM_TAG}' AND ${STREAM} IS NOT NULL
    OR ${filter} = '${STREAM_TAG}:' || coalesce(${STREAM}, '${TRANSACTIONAL}'))`;
}
