/**
 * The reasons to refuse a draft, each with its place in the draft. Each gate declares its own reasons. The entry point decides
 * how to report them.
 */

import type { LimitExceeded } from './gates/limit.ts';
import type { PolicyRefused } from './gates/policy.ts';
import type { DomainNotVerified, SenderNotAllowed } from './gates/sender.ts';
import type { RecipientsSuppressed } from './gates/suppression.ts';
import type { RecipientsRisky } from './gates/validation.ts';
import type { StreamUnknown } from './streamed.ts';

export type Refused =
  | SenderNotAllowed
  | PolicyRefused
  | DomainNotVerified
  | StreamUnknown
  | TemplateNotFound
  | TemplateBroken
  | SubjectBroken
  | DataRefused
  | RenderedTooLate
  | BatchTooCostly
  | AttachmentsUnavailable
  | RecipientsRisky
  | RecipientsSuppressed
  | LimitExceeded
  | SomeRefused
  | DiskFull
  | Overloaded;

export interface TemplateNotFound {
  readonly kind: 'template_not_found';
  readonly at: 'template';
}

/** The template was saved when the limits were higher. */
export interface TemplateBroken {
  readonly kind: 'template_broken';
  readonly at: 'template';
  readonly message: string;
}

export interface SubjectBroken {
  readonly kind: 'subject_broken';
  readonly at: 'subject';
  readonly problems: readonly { readonly column: number; readonly message: string }[];
}

/** The data does not suit the template. */
export interface DataRefused {
  readonly kind: 'data_refused';
  readonly problems: readonly { readonly at: 'subject' | InData; readonly message: string }[];
}

/** A path such as `items[0].name`; empty if the problem concerns all of the data. */
export interface InData {
  readonly inData: string;
}

/** The rendering ran out of time: the data may be fine, and the machine is busy. */
export interface RenderedTooLate {
  readonly kind: 'rendered_too_late';
  readonly at: 'template';
  readonly message: string;
}

/** Rendering for the recipients up to this one uses up the budget of one batch. */
export interface BatchTooCostly {
  readonly kind: 'batch_too_costly';
  readonly at: { readonly recipient: number };
}

/** Files that could not be fetched. `message` follows the URL. */
export interface AttachmentsUnavailable {
  readonly kind: 'attachments_unavailable';
  readonly problems: readonly { readonly at: { readonly attachment: number }; readonly message: string }[];
}

/** All drafts of a submission were to be accepted or none, and these were refused. */
export interface SomeRefused {
  readonly kind: 'some_refused';
  readonly refusals: readonly { readonly draft: number; readonly refused: Refused }[];
}

/** The disk is nearly full. Nothing is wrong with the draft. */
export interface DiskFull {
  readonly kind: 'disk_full';
}

/** Too many submissions are waiting to be stored. Nothing is wrong with the draft. */
export interface Overloaded {
  readonly kind: 'overloaded';
}
