/**
 * A message that a sender wants to send, in terms of mail. Every entry point builds a draft. Everything that can be checked
 * without the database or the network has been checked by then: addresses are parsed, texts fit their fields, times are
 * numbers. The types say so.
 */

import { type MailOptions, ORDINARY_OPTIONS, type TemplateUse } from '../emails/email.ts';
import type { Address } from '../protocols/message/address.ts';
import type { Attachment } from '../protocols/message/mime.ts';
import type { HeaderText } from '../protocols/message/unsafe-text.ts';
import type { TemplateData } from '../template-language/render.ts';

export interface DraftMailbox {
  readonly address: Address;
  readonly name: HeaderText | null;
}

export interface Draft extends Letterhead {
  readonly to: readonly DraftMailbox[];
  readonly cc: readonly DraftMailbox[];
  readonly bcc: readonly DraftMailbox[];
  readonly content: InlineContent | WholeMessage | TemplatedContent | FilledContent;
  readonly attachments: readonly DraftAttachment[];
  /** The conversation that this email replies in. */
  readonly conversationId?: string | undefined;
  /** The email that this one sends again. */
  readonly resentFrom?: string | undefined;
}

export type DraftAttachment = Attachment | LinkedAttachment;

/** A file to fetch before the draft is accepted. Null fields are taken from the file's server. */
interface LinkedAttachment {
  readonly url: string;
  readonly filename: string | null;
  readonly contentType: string | null;
  readonly contentId: string | null;
}

/** One template for many recipients, each with an email and data of their own. */
export interface BatchDraft extends Letterhead {
  readonly template: TemplateChoice;
  readonly recipients: readonly BatchRecipient[];
  /** Attached to every email of the batch. */
  readonly attachments: readonly DraftAttachment[];
}

export interface BatchRecipient {
  readonly to: DraftMailbox;
  readonly data: TemplateData;
  /** Replaces the batch's value. */
  readonly locale: string | null;
}

/** The fields that all emails of a batch share. */
export interface Letterhead extends MailOptions {
  readonly from: DraftMailbox;
  readonly replyTo: readonly DraftMailbox[];
}

export interface InlineContent {
  readonly kind: 'inline';
  readonly subject: HeaderText;
  readonly html: string | null;
  readonly text: string | null;
}

/** A whole MIME message, sent unchanged. The other fields were parsed from it. */
export interface WholeMessage {
  readonly kind: 'mime';
  readonly subject: HeaderText;
  readonly mime: Buffer;
  /** Whether the message has html for a tracking pixel. */
  readonly hasHtml: boolean;
}

export interface TemplateChoice {
  readonly id: string;
  /** Overrides the template's own subject. May contain variables. */
  readonly subject: string | null;
  /** The requested language; the template's nearest one is used. Null uses the template as it was written. */
  readonly locale: string | null;
}

export interface TemplatedContent extends TemplateChoice {
  readonly kind: 'template';
  readonly data: TemplateData;
}

/** A template in the exact version, language and data of an email that was sent. */
export interface FilledContent {
  readonly kind: 'filled';
  readonly subject: HeaderText;
  readonly template: TemplateUse;
  /** The template's own subject, for keys that may not choose one. Missing if `subject` was made for the key of this request. */
  readonly ownSubject?: HeaderText;
}

/** The options of a draft that has only a sender, recipients and content. */
export const ORDINARY: Omit<Draft, 'from' | 'to' | 'content'> = {
  cc: [],
  bcc: [],
  attachments: [],
  replyTo: [],
  ...ORDINARY_OPTIONS,
};

export function isLinked(attachment: DraftAttachment): attachment is LinkedAttachment {
  return 'url' in attachment;
}
