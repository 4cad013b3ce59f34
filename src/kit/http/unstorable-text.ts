/** Characters that PostgreSQL cannot store: NUL, and half of a surrogate pair. */

/** In valid UTF-8 such characters can only come from an escape; most JSON has none and is not walked. */
export const ESCAPED_UNSTORABLE = /\\u(0000|d[89a-f])/i;

/** The field that holds one, in its value or its name. */
export function unstorableText(value: unknown, field = ''): string | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : field || 'body';
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    const place = Array.isArray(value) ? `${field}[${name}]` : `${field}${field && '.'}${name}`;
    if (!isStorable(name)) return field || 'body';
    const found = unstorableText(inner, place);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}
