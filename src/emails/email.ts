/** The type of an email inside the server, after all checks. */

import type { Priority } from '../outbox/states.ts';
import type { Address, EmailAddress, MailDomain } from '../protocols/message/address.ts';
import type { Attachment } from '../protocols/message/mime.ts';
import { DEFAULT_GROUP } from '../protocols/message/tracking-token.ts';
import type { HeaderText } from '../protocols/message/unsafe-text.ts';
import type { MessageTls } from '../protocols/smtp/facts.ts';
import type { MailOrigin } from './origin.ts';

export interface NamedAddress {
  readonly email: EmailAddress;
  readonly name: HeaderText | null;
}

export const RECIPIENT_KINDS = ['to', 'cc', 'bcc'] as const;
export type RecipientKind = (typeof RECIPIENT_KINDS)[number];

/** One recipient address; an address that is named twice occurs once. */
export interface Recipient {
  readonly kind: RecipientKind;
  readonly address: Address;
}

export interface Tag {
  readonly name: string;
  readonly value: string;
}

export type Metadata = Readonly<Record<string, string | number | boolean>>;

/** Also the type of the column of this name, which was checked when it was written. */
export interface Addresses {
  readonly to: readonly NamedAddress[];
  readonly cc: readonly NamedAddress[];
  readonly bcc: readonly NamedAddress[];
  readonly reply_to: NamedAddress | null;
  /** The reply addresses after the first; `repliesOf` returns all. */
  readonly reply_to_more?: readonly NamedAddress[] | undefined;
}

/**
 * The options that no statement searches for, so that they need no column of their own. Also the type of the column `options`,
 * which was checked when it was written; mail accepted by earlier versions has these in `addresses`.
 */
export interface StoredOptions {
  /** Replies go to an address of this installation, which is then `reply_to`. */
  readonly receive_replies?: true | undefined;
  /** Of the emails with this key, only the newest is sent: see collapse.ts. */
  readonly collapse_key?: string | undefined;
  /** Where links are tracked; missing if nowhere. */
  readonly track_clicks?: TrackedLinks | undefined;
  /** The email's own TLS requirement. */
  readonly tls?: MessageTls | undefined;
  /** The versions of the layout and the partials that its template used. */
  readonly built_with?: string | undefined;
  /** The language of the content, if its template has several; missing for the template's own. */
  readonly locale?: string | undefined;
  /** The email that this one sends again. */
  readonly resent_from?: string | undefined;
  /** The request that it came from. */
  readonly origin?: MailOrigin | undefined;
}

/** SQL: the options of the email `e`. */
export const STORED_OPTIONS = 'coalesce(e.options, e.addresses)';

/** SQL: the recipients of the email `e`. Joining the table of recipients takes longer to plan than this takes to run. */
export const RECIPIENTS = `(e.addresses->'to') || (e.addresses->'cc') || (e.addresses->'bcc')`;

/** Which links are tracked: those in the html, or those in the text, too. */
export const CLICK_TRACKING = ['off', 'html', 'html_and_text'] as const;
export type ClickTracking = (typeof CLICK_TRACKING)[number];
type TrackedLinks = Exclude<ClickTracking, 'off'>;

/** `true` means html only, the default. Null if nothing was given. */
export function clickTrackingOf(given: boolean | ClickTracking | undefined): ClickTracking | null {
  if (given === undefined) return null;
  return typeof given === 'boolean' ? (given ? 'html' : 'off') : given;
}

export function repliesOf({ reply_to: first, reply_to_more: more = [] }: Addresses): readonly NamedAddress[] {
  return first === null ? [] : [first, ...more];
}

/** The options of a send besides addresses and content: the same in a draft and in the email that it becomes. */
export interface MailOptions {
  readonly headers: Readonly<Record<string, HeaderText>> | null;
  readonly tags: readonly Tag[] | null;
  readonly metadata: Metadata | null;
  /** Null uses the stream's priority. */
  readonly priority: Priority | null;
  /** The stream; null means `transactional`. */
  readonly stream: string | null;
  /** Adds List-Unsubscribe headers of this installation. */
  readonly unsubscribe: boolean;
  /** The group that recipients can unsubscribe from, if one was named. */
  readonly unsubscribeGroup: string | null;
  /** Replies go to an address of this installation, which identifies the email that they answer. */
  readonly receiveReplies: boolean;
  /** Whether html without text gets a text part. Null means yes for templates only. */
  readonly textFromHtml: boolean | null;
  /** Null uses the domain's or the organization's default. */
  readonly trackOpens: boolean | null;
  /** A newer email with the same key to the same recipient is sent instead. */
  readonly collapseKey: string | null;
  /** Null uses the domain's or the organization's default. */
  readonly trackClicks: ClickTracking | null;
  /** The email's own TLS requirement; null follows the policy of the recipient's domain. */
  readonly tls: MessageTls | null;
  readonly scheduledAtMs: number | null;
  readonly expiresInSeconds: number | null;
  /** `report`: the email is accepted, and the worker rejects only the suppressed recipients. */
  readonly onSuppressed: 'refuse' | 'report';
}

/** The defaults. */
export const ORDINARY_OPTIONS: MailOptions = {
  headers: null,
  tags: null,
  metadata: null,
  priority: null,
  stream: null,
  unsubscribe: false,
  unsubscribeGroup: null,
  receiveReplies: false,
  textFromHtml: null,
  trackOpens: null,
  collapseKey: null,
  trackClicks: null,
  tls: null,
  scheduledAtMs: null,
  expiresInSeconds: null,
  onSuppressed: 'refuse',
};

/** A checked email, ready to be stored. */
export interface NewEmail extends MailOptions {
  readonly priority: Priority;
  /** The stored stream: null for `transactional`. */
  readonly stream: string | null;
  readonly organizationId: string;
  /** The key that submitted the email; null if a user or the installation itself sent it. */
  readonly keyId: string | null;
  readonly id: string;
  readonly createdAtMs: number;
  readonly from: NamedAddress;
  readonly fromDomain: MailDomain;
  readonly addresses: Addresses;
  readonly options: StoredOptions;
  readonly recipients: readonly Recipient[];
  readonly subject: HeaderText;
  readonly html: string | null;
  readonly text: string | null;
  /** The whole message as it was submitted; then html, text and headers are null, and there are no attachments. */
  readonly mime: Buffer | null;
  readonly attachments: readonly Attachment[];
  /** Shared by all emails of the batch and stored once for them. */
  readonly batchAttachments: readonly Attachment[];
  readonly trackOpens: boolean;
  /** Shared by all emails of one batch request. */
  readonly batchId: string | null;
  /** The saved template and its exact version; then html and text are null. */
  readonly template: TemplateUse | null;
  /** The terms of the key's policy that are checked while the email is accepted. */
  readonly terms?: KeyTerms | undefined;
  /** Of a reply to received mail: the conversation of both. */
  readonly conversationId?: string | undefined;
}

/** A limit of recipients per UTC day, besides the sending limit of the organization. */
export interface DailyBudget {
  /** The noun in the refusal of an email that exceeds the limit. */
  readonly owner: 'API key';
  /** The counter: the key that the recipients count for. */
  readonly id: string;
  readonly limit: number;
}

interface KeyTerms {
  readonly budgets: readonly DailyBudget[];
  /** The email is not sent before a user approves it. */
  readonly needsApproval: boolean;
}

/** The organization that an email is accepted for, and the key that submitted it. */
export type Submitter = Pick<NewEmail, 'organizationId' | 'keyId'> & {
  /** Undefined if there is no request. */
  readonly origin?: MailOrigin | undefined;
};

/** The group whose unsubscriptions stop this mail; null if only suppressions of all mail do. */
export function groupOf({
  unsubscribe,
  unsubscribeGroup,
}: Pick<NewEmail, 'unsubscribe' | 'unsubscribeGroup'>): string | null {
  return unsubscribeGroup ?? (unsubscribe ? DEFAULT_GROUP : null);
}

export interface TemplateUse {
  readonly id: string;
  readonly version: number;
  /** The versions of its layout and partials; null if it has none. */
  readonly builtWith: string | null;
  /** The language used; null is the template as it was written. */
  readonly locale: string | null;
  /** Serialized once, because its size is needed before it is stored. */
  readonly dataJson: string;
  /** The size of the test rendering at accept. */
  readonly renderedChars: number;
}

/** Roughly the memory that the email takes, without what its batch shares. Bounds the size of a commit. */
export function contentSize(email: NewEmail): number {
  const attached = attachedBytes(email.attachments);
  const templated = email.template ? email.template.renderedChars + email.template.dataJson.length : 0;
  const content =
    (email.html?.length ?? 0) + (email.text?.length ?? 0) + (email.mime?.length ?? 0) + templated;
  return content + attached + email.subject.length;
}

/** Roughly the memory that its message takes. Bounds a worker's work in progress. */
export function messageSize(email: NewEmail): number {
  return contentSize(email) + attachedBytes(email.batchAttachments);
}

export function attachedBytes(attachments: readonly Attachment[]): number {
  return attachments.reduce((sum, one) => sum + one.content.length, 0);
}
