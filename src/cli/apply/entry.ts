/**
 * The entries of a file and of an organization: each has a kind, a name and the fields to compare. Fields
 * that a wanted entry does not list stay unchanged.
 */

/** In the order of creation: a key may be tied to a domain, a webhook may select streams. */
export const ENTRY_KINDS = ['setting', 'domain', 'key', 'stream', 'webhook', 'template'] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

/** The section of the file for each kind. */
export const SECTIONS = {
  setting: 'settings',
  domain: 'domains',
  key: 'keys',
  stream: 'streams',
  webhook: 'webhooks',
  template: 'templates',
} as const satisfies Record<EntryKind, string>;

export type EntryFields = Readonly<Record<string, unknown>>;

export interface WantedEntry {
  readonly kind: EntryKind;
  readonly name: string;
  readonly fields: EntryFields;
}

export interface PresentEntry extends WantedEntry {
  readonly id: string;
  /** Why the entry is never removed: it has another owner. Null otherwise. */
  readonly owner: string | null;
  /** Why the entry is not removed without an explicit option: its recent use. Null without recent use. */
  readonly use: string | null;
}

/** The file's content for one organization. */
export interface WantedState {
  /** Kinds with a section in the file. Entries of other kinds are not touched. */
  readonly kinds: ReadonlySet<EntryKind>;
  readonly entries: readonly WantedEntry[];
}

/** JSON whose objects all have the usual prototype, so that equal values compare as equal. */
export function plainJson<T>(value: T): T {
  return JSON.parse(JSON.stringify(value));
}
