/** What an email is inside the server, once everything about it has been checked. */

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

/** One address that gets the mail: an address named twice is here once. */
export interface Recipient {
  readonly kind: RecipientKind;
  readonly address: Address;
}

export interface Tag {
  readonly name: string;
  readonly value: string;
}

export type Metadata = Readonly<Record<string, string | number | boolean>>;

/**
 * Also what is read from the column of this name: checked when it was written. An option that only composing and showing
 * ask for can stand here, too, and needs no column of its own then.
 */
export interface Addresses {
  readonly to: readonly NamedAddress[];
  readonly cc: readonly NamedAddress[];
  readonly bcc: readonly NamedAddress[];
  readonly reply_to: NamedAddress | null;
  /** Those behind the first, where there are several: `repliesOf` has all. */
  readonly reply_to_more?: readonly NamedAddress[] | undefined;
  /** Answers come to an address of ours, which `reply_to` is then. */
  readonly receive_replies?: true | undefined;
  /** Of these, only the newest is sent: see collapse.ts. */
  readonly collapse_key?: string | undefined;
  /** Where its links are tracked; not there where none are. */
  readonly track_clicks?: TrackedLinks | undefined;
  /** What it has to say about TLS on its way. */
  readonly tls?: MessageTls | undefined;
  /** The versions of the layout and the partials that its template was put together with. */
  readonly built_with?: string | undefined;
  /** The language it is in, where its template has several; not there for the template's own. */
  readonly locale?: string | undefined;
  /** Not an address, but read wherever these are, and searched for by nobody: so it has no column. */
  readonly origin?: MailOrigin | undefined;
}

/** Where links are tracked: those of html, or those of the text, too. */
export const CLICK_TRACKING = ['off', 'html', 'html_and_text'] as const;
export type ClickTracking = (typeof CLICK_TRACKING)[number];
export type TrackedLinks = Exclude<ClickTracking, 'off'>;

/** `true` is the usual: html alone. Null where nobody said. */
export function clickTrackingOf(given: boolean | ClickTracking | undefined): ClickTracking | null {
  if (given === undefined) return null;
  return typeof given === 'boolean' ? (given ? 'html' : 'off') : given;
}

export function repliesOf({ reply_to: first, reply_to_more: more = [] }: Addresses): readonly NamedAddress[] {
  return first === null ? [] : [first, ...more];
}

/** What its sender asked for beside addresses and content: the same in a draft, and in the email that it becomes. */
export interface MailOptions {
  readonly headers: Readonly<Record<string, HeaderText>> | null;
  readonly tags: readonly Tag[] | null;
  readonly metadata: Metadata | null;
  /** Null where nobody said, then as its stream has it. */
  readonly priority: Priority | null;
  /** What it is kept apart from other mail by; null where nobody said, then `transactional`. */
  readonly stream: string | null;
  /** With List-Unsubscribe headers of ours. */
  readonly unsubscribe: boolean;
  /** What its recipients can unsubscribe from, where it was named. */
  readonly unsubscribeGroup: string | null;
  /** Answers come to an address of ours, which says what they answer. */
  readonly receiveReplies: boolean;
  /** Whether html alone gets a text part; null where nobody said, then templates do. */
  readonly textFromHtml: boolean | null;
  /** Null where nobody said, then as the organization has set it. */
  readonly trackOpens: boolean | null;
  /** A newer email with the same one, to the same recipient, is sent instead. */
  readonly collapseKey: string | null;
  /** The same. */
  readonly trackClicks: ClickTracking | null;
  /** What it has to say about TLS on its way; null where that is as the recipient's domain demands. */
  readonly tls: MessageTls | null;
  readonly scheduledAtMs: number | null;
  readonly expiresInSeconds: number | null;
  /** `report`: it is accepted, and the worker rejects those recipients alone. */
  readonly onSuppressed: 'refuse' | 'report';
}

/** Where nothing was asked for. */
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

/** Checked, and ready to be stored. */
export interface NewEmail extends MailOptions {
  readonly priority: Priority;
  readonly organizationId: string;
  /** The key it was handed in with; null when a person, or the installation itself, sent it. */
  readonly keyId: string | null;
  readonly id: string;
  readonly createdAtMs: number;
  readonly from: NamedAddress;
  readonly fromDomain: MailDomain;
  readonly addresses: Addresses;
  readonly recipients: readonly Recipient[];
  readonly subject: HeaderText;
  readonly html: string | null;
  readonly text: string | null;
  /** The message as it was submitted; then html, text and headers are null, and nothing is attached. */
  readonly mime: Buffer | null;
  readonly attachments: readonly Attachment[];
  /** The same for all emails of its batch, and stored once for them. */
  readonly batchAttachments: readonly Attachment[];
  readonly trackOpens: boolean;
  /** Shared by all emails of one batch request. */
  readonly batchId: string | null;
  /** The saved template it is rendered from, in exactly this version; then html and text are null. */
  readonly template: TemplateUse | null;
  /** Of a key that has a policy: what of it is asked about while the email is accepted. */
  readonly terms?: KeyTerms | undefined;
  /** Of an answer to a received mail: the conversation that both belong to. */
  readonly conversationId?: string | undefined;
}

export interface KeyTerms {
  /** Recipients in a day; `of`: the key whose count it is. */
  readonly budget: { readonly of: string; readonly limit: number } | null;
  /** It is not sent before somebody has approved it. */
  readonly needsApproval: boolean;
}

/** Whom an email is accepted for, and the key it came with. */
export type Submitter = Pick<NewEmail, 'organizationId' | 'keyId'> & {
  /** Undefined where there is no request. */
  readonly origin?: MailOrigin | undefined;
};

/** The group whose unsubscriptions stop this mail; null where only entries that stop all mail do. */
export function groupOf({
  unsubscribe,
  unsubscribeGroup,
}: Pick<NewEmail, 'unsubscribe' | 'unsubscribeGroup'>): string | null {
  return unsubscribeGroup ?? (unsubscribe ? DEFAULT_GROUP : null);
}

export interface TemplateUse {
  readonly id: string;
  readonly version: number;
  /** The versions of its layout and partials; null where it has none. */
  readonly builtWith: string | null;
  /** Which of its languages; null is as it was written. */
  readonly locale: string | null;
  /** Written once: it is weighed before it is stored. */
  readonly dataJson: string;
  /** How large it was when it was rendered to be sure. */
  readonly renderedChars: number;
}

/** About how much memory the email takes, but for what it shares with its batch: what bounds a commit. */
export function contentSize(email: NewEmail): number {
  const attached = attachedBytes(email.attachments);
  const templated = email.template ? email.template.renderedChars + email.template.dataJson.length : 0;
  const content =
    (email.html?.length ?? 0) + (email.text?.length ?? 0) + (email.mime?.length ?? 0) + templated;
  return content + attached + email.subject.length;
}

/** About how much memory its message takes: what bounds a worker's work in hand. */
export function messageSize(email: NewEmail): number {
  return contentSize(email) + attachedBytes(email.batchAttachments);
}

export function attachedBytes(attachments: readonly Attachment[]): number {
  return attachments.reduce((sum, one) => sum + one.content.length, 0);
}
