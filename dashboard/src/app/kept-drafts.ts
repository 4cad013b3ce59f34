/** What somebody began to write, in this browser only: one text for each person and organization. */
const PREFIX = 'postrider-draft:';
/** Browsers keep a few megabytes for all of us. */
const MAX_CHARS = 500_000;

interface Writer {
  readonly user: { readonly id: string };
  readonly organization: { readonly id: string };
}

/** Null where there is none, or none that can be read. */
export function keptDraft(by: Writer): object | null {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(keyOf(by)) ?? 'null');
    return typeof found === 'object' ? found : null;
  } catch {
    return null;
  }
}

/** False where it was not kept: it is too long, or this browser keeps nothing. */
export function keepDraft(by: Writer, draft: object): boolean {
  const text = JSON.stringify(draft);
  try {
    if (text.length <= MAX_CHARS) localStorage.setItem(keyOf(by), text);
    return text.length <= MAX_CHARS;
  } catch {
    return false;
  }
}

export function forgetDraft(by: Writer): void {
  forget((key) => key === keyOf(by));
}

/** The next user of this browser must not see the drafts. */
export function forgetAllDrafts(): void {
  forget((key) => key.startsWith(PREFIX));
}

function forget(which: (key: string) => boolean): void {
  try {
    for (const key of Object.keys(localStorage)) if (which(key)) localStorage.removeItem(key);
  } catch {
    // A browser that keeps nothing has nothing to forget.
  }
}

function keyOf({ user, organization }: Writer): string {
  return `${PREFIX}${user.id}:${organization.id}`;
}
