/** One organization: what a file is compared with, and what changes it. Over HTTP, or on the operator's machine. */
import type { StreamShown } from '../../streams/view.ts';
import type { EntryFields, EntryKind } from './entry.ts';
import type { TranslationInput } from './template-translations.ts';

export interface DomainShown {
  readonly id: string;
  readonly domain: string;
  /** What it has of its own. An older server says nothing of it. */
  readonly tracking?: {
    readonly track_opens: boolean | null;
    readonly track_clicks: string | null;
    readonly host: { readonly name: string } | null;
  };
}

export interface KeyShown {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly scope: string;
  readonly domain: string | null;
  readonly expires_at: string | Date | null;
  readonly last_used_at: string | Date | null;
  readonly revoked_at: string | Date | null;
  /** The key that takes its place. An older server says nothing of it. */
  readonly replaced_by?: string | null;
}

/** A stream has no id but its name. */
export type AppliedStream = Omit<StreamShown, 'created_at'>;

export interface WebhookShown {
  readonly id: string;
  readonly url: string;
  readonly description: string | null;
  readonly event_types: readonly string[] | null;
  /** An older server says nothing of them. */
  readonly streams?: readonly string[] | null;
  readonly format: string;
  readonly enabled: boolean;
}

export interface TemplateShown {
  readonly id: string;
  readonly name: string;
  readonly alias: string | null;
  readonly subject: string;
  readonly html_body: string;
  readonly text_body: string;
  readonly variable_schema: readonly unknown[];
  /** An older server says nothing of these. */
  readonly kind?: string;
  readonly layout?: string | null;
  readonly inline_css?: boolean;
  readonly translations?: readonly TranslationInput[];
}

/** What was made. */
export interface MadeEntry {
  readonly id: string;
  /** Of a key or a webhook: this is the only time anyone sees it. */
  readonly secret?: string;
  /** Of a domain: to be published. */
  readonly records?: readonly { readonly type: string; readonly name: string; readonly value: string }[];
}

export type MadeKind = Exclude<EntryKind, 'setting'>;
/** A key is never changed. Of a domain it is its tracking that is. */
export type ChangedKind = Exclude<EntryKind, 'key'>;

export interface OrganizationApi {
  /** The first characters of the key that all of this is done with; null where it is done without one. */
  readonly ownKeyPrefix: string | null;
  readonly domains: () => Promise<readonly DomainShown[]>;
  /** Revoked and expired ones, too. */
  readonly keys: () => Promise<readonly KeyShown[]>;
  readonly streams: () => Promise<readonly AppliedStream[]>;
  readonly webhooks: () => Promise<readonly WebhookShown[]>;
  /** Those that were not deleted. */
  readonly templates: () => Promise<readonly TemplateShown[]>;
  readonly setting: (name: string) => Promise<EntryFields>;
  /** When the newest email from a domain was accepted; null where there is none. */
  readonly lastSentFrom: (domain: string) => Promise<Date | null>;
  /** In the last 30 days. */
  readonly wasSentIn: (stream: string) => Promise<boolean>;
  readonly sendsOfTemplate: (id: string) => Promise<number>;
  readonly create: (kind: MadeKind, body: EntryFields) => Promise<MadeEntry>;
  /** The id of a setting is its name. */
  readonly change: (kind: ChangedKind, id: string, body: EntryFields) => Promise<void>;
  /** Of a template: what is sent stays as it is. */
  readonly saveDraft: (id: string, body: EntryFields) => Promise<void>;
  readonly remove: (kind: MadeKind, id: string) => Promise<void>;
}
