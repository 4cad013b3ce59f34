/** DKIM tag lists (RFC 6376, 3.2), in signatures and key records. */

export interface TagList {
  /** Without white space. */
  readonly values: ReadonlyMap<string, string>;
  /** RFC 6376, 3.2: a list with a repeated tag is invalid. */
  readonly hasDuplicates: boolean;
  /** The offsets of each value, from behind its `=` to before the semicolon. */
  readonly places: ReadonlyMap<string, { readonly start: number; readonly end: number }>;
}

/** A signature has about a dozen. */
const MAX_TAGS = 100;

export function readTags(text: string): TagList {
  const values = new Map<string, string>();
  const places = new Map<string, { start: number; end: number }>();
  let hasDuplicates = false;
  let at = 0;
  for (let count = 0; at < text.length && count < MAX_TAGS; count += 1) {
    const semicolon = text.indexOf(';', at);
    const end = semicolon === -1 ? text.length : semicolon;
    const equals = text.slice(at, end).indexOf('=');
    if (equals !== -1) {
      const name = text.slice(at, at + equals).trim();
      const start = at + equals + 1;
      hasDuplicates ||= values.has(name);
      values.set(name, text.slice(start, end).replace(/\s+/g, ''));
      places.set(name, { start, end });
    }
    at = end + 1;
  }
  return { values, hasDuplicates, places };
}
