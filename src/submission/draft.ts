/**
 * What somebody wants to send, in terms of mail. Every entry point makes one of these. Whatever can be checked without
 * the database or the network has been checked by then: addresses are parsed, texts fit where they will be used, times
 * are numbers. The types say so.
 */

import { type MailOptions, ORDINARY_OPTIONS } from '../emails/email.ts';
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
  readonly content: InlineContent | WholeMessage | TemplatedContent;
  readonly attachments: readonly DraftAttachment[];
  /** The conversation that it answers in. */
  readonly conversationId?: string | undefined;
}

export type DraftAttachment = Attachment | LinkedAttachment;

/** A file to be fetched before the draft is accepted. What is null is as its server says. */
export interface LinkedAttachment {
  readonly url: string;
  readonly filename: string | null;
  readonly contentType: string | null;
  readonly contentId: string | null;
}

/** One template to many, each in a mail of its own with data of its own. */
export interface BatchDraft extends Letterhead {
  readonly template: TemplateChoice;
  readonly recipients: readonly BatchRecipient[];
  /** For all of them alike. */
  readonly attachments: readonly DraftAttachment[];
}

export interface BatchRecipient {
  readonly to: DraftMailbox;
  readonly data: TemplateData;
  /** In place of what the batch has. */
  readonly locale: string | null;
}

/** What all mails of a batch have alike. */
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

/** A whole message, which goes out as it is. What it says of itself has been read from it. */
export interface WholeMessage {
  readonly kind: 'mime';
  readonly subject: HeaderText;
  readonly mime: Buffer;
  /** It has html that a pixel can stand in. */
  readonly hasHtml: boolean;
}

export interface TemplateChoice {
  readonly id: string;
  /** Wins over the template's own. May hold variables, too. */
  readonly subject: string | null;
  /** The language that is wanted: the nearest that the template has; null is as it was written. */
  readonly locale: string | null;
}

export interface TemplatedContent extends TemplateChoice {
  readonly kind: 'template';
  readonly data: TemplateData;
}

/** Where nothing is said but from whom, to whom and what. */
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
