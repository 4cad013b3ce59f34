/** The email that somebody began to write, in this browser only: one for each organization. */
import { type Draft, EMPTY_DRAFT } from './draft.ts';

const PREFIX = 'postrider-draft:';
/** Browsers keep a few megabytes for all of us. */
const MAX_CHARS = 500_000;

export function keptDraft(organizationId: string): Draft | null {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(PREFIX + organizationId) ?? 'null');
    return typeof found === 'object' && found !== null ? { ...EMPTY_DRAFT, ...found } : null;
  } catch {
    return null;
  }
}

export function keepDraft(organizationId: string, draft: Draft): void {
  const text = JSON.stringify(draft);
  try {
    if (text.length <= MAX_CHARS) localStorage.setItem(PREFIX + organizationId, text);
  } catch {
    // A browser that keeps nothing: the draft lasts as long as the page.
  }
}

export function forgetDraft(organizationId: string): void {
  localStorage.removeItem(PREFIX + organizationId);
}

/** Whoever uses this browser next has no business with it. */
export function forgetAllDrafts(): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key);
}
