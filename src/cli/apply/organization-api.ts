/** One organization as a file is compared with it and changes it, over HTTP or on the operator's machine. */
import type { StreamShown } from '../../streams/routes.ts';
import type { EntryFields, EntryKind } from './entry.ts';
import type { TranslationInput } from './template-translations.ts';

export interface DomainShown {
  readonly id: string;
  readonly domain: string;
  /** The domain's own tracking settings. Older servers omit them. */
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
  /** The key that replaces this one. Older servers omit the field. */
  readonly replaced_by?: string | null;
}

/** A stream's name is its id. */
export type AppliedStream = Omit<StreamShown, 'created_at'>;

export interface WebhookShown {
  readonly id: string;
  readonly url: string;
  readonly description: string | null;
  readonly event_types: readonly string[] | null;
  /** Older servers omit the field. */
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
  /** Older servers omit these fields. */
  readonly kind?: string;
  readonly layout?: string | null;
  readonly inline_css?: boolean;
  readonly translations?: readonly TranslationInput[];
}

/** A created entry. */
export interface MadeEntry {
  readonly id: string;
  /** The secret of a key or webhook, which is shown only this once. */
  readonly secret?: string;
  /** The DNS records of a domain, to be published. */
  readonly records?: readonly { readonly type: string; readonly name: string; readonly value: string }[];
}

export type MadeKind = Exclude<EntryKind, 'setting'>;
/** Keys are never changed. Of a domain, only its tracking changes. */
export type ChangedKind = Exclude<EntryKind, 'key'>;

export interface OrganizationApi {
  /** The prefix of the API key in use; null without a key. */
  readonly ownKeyPrefix: string | null;
  readonly domains: () => Promise<readonly DomainShown[]>;
  /** Includes revoked and expired keys. */
  readonly keys: () => Promise<readonly KeyShown[]>;
  readonly streams: () => Promise<readonly AppliedStream[]>;
  readonly webhooks: () => Promise<readonly WebhookShown[]>;
  /** Without deleted templates. */
  readonly templates: () => Promise<readonly TemplateShown[]>;
  readonly setting: (name: string) => Promise<EntryFields>;
  /** When the newest email from a domain was accepted; null without emails. */
  readonly lastSentFrom: (domain: string) => Promise<Date | null>;
  /** Whether the stream was used in the last 30 days. */
  readonly wasSentIn: (stream: string) => Promise<boolean>;
  readonly sendsOfTemplate: (id: string) => Promise<number>;
  /** A list of templates is without sample data. */
  readonly sampleOfTemplate: (id: string) => Promise<EntryFields | null>;
  readonly create: (kind: MadeKind, body: EntryFields) => Promise<MadeEntry>;
  /** A setting's id is its name. */
  readonly change: (kind: ChangedKind, id: string, body: EntryFields) => Promise<void>;
  /** Saves a template's draft without changing the published version. */
  readonly saveDraft: (id: string, body: EntryFields) => Promise<void>;
  readonly remove: (kind: MadeKind, id: string) => Promise<void>;
}
