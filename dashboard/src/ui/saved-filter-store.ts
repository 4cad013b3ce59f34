/** What `saved-filters.tsx` shows, in this browser's own storage. */
export interface Saved {
  readonly name: string;
  readonly search: Readonly<Record<string, unknown>>;
}

const MAX_SAVED = 20;
const keyOf = (place: string) => `postrider.filters.${place}`;

export function savedIn(place: string): readonly Saved[] {
  try {
    return parsed(localStorage.getItem(keyOf(place)));
  } catch {
    return [];
  }
}

export function write(place: string, saved: readonly Saved[]): void {
  try {
    localStorage.setItem(keyOf(place), JSON.stringify(saved.slice(-MAX_SAVED)));
  } catch {
    // Without storage they last as long as the page.
  }
}

/** Whatever is there was written by an older version, or by hand. */
export function parsed(text: string | null): readonly Saved[] {
  const value: unknown = JSON.parse(text ?? '[]');
  if (!Array.isArray(value)) return [];
  return value.filter(
    (one): one is Saved =>
      typeof one === 'object' &&
      one !== null &&
      typeof one.name === 'string' &&
      typeof one.search === 'object',
  );
}
