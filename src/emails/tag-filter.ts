/** A tag as people ask for it: `name`, or `name:value`. */
export interface TagFilter {
  readonly name: string;
  /** Null for any. */
  readonly value: string | null;
}

/** Names hold no colon, values may. */
export function parseTagFilter(text: string): TagFilter {
  const colon = text.indexOf(':');
  return colon === -1
    ? { name: text, value: null }
    : { name: text.slice(0, colon), value: text.slice(colon + 1) };
}

/** What the tags of an email contain (`@>`) that has it. */
export function tagsContaining({ name, value }: TagFilter): string {
  return JSON.stringify([value === null ? { name } : { name, value }]);
}
