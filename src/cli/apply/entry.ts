/**
 * What a file can name and an organization can have: one entry for each, of a kind, with a name that people know it by and
 * the fields that are compared. Whatever is not among the fields of a wanted entry stays as it is.
 */

/** In the order in which they are made: a key may be tied to a domain, a webhook may be for some streams. */
export const ENTRY_KINDS = ['setting', 'domain', 'key', 'stream', 'webhook', 'template'] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

/** The part of the file that holds them. */
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
  /** Who else it belongs to, as the reason why it is never removed; null where it is nobody's. */
  readonly owner: string | null;
  /** Its latest use, as the reason why it is not removed without being asked for; null where it was not used lately. */
  readonly use: string | null;
}

/** What a file says about one organization. */
export interface WantedState {
  /** Kinds that the file has a section for. Of others nothing is touched. */
  readonly kinds: ReadonlySet<EntryKind>;
  readonly entries: readonly WantedEntry[];
}
