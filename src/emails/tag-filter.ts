/** A tag filter as users write it: `name`, or `name:value`. */
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
