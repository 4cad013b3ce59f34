/**
 * Why a draft is not accepted, each with the place in the draft that it is about; those of a gate are declared there. How to
 * report it is up to the entry point.
 */

import type { LimitExceeded } from './gates/limit.ts';
import type { PolicyRefused } from './gates/policy-refused.ts';
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
  | NoRoom
  | Overloaded;

export interface TemplateNotFound {
  readonly kind: 'template_not_found';
  readonly at: 'template';
}

/** It was saved when the limits were wider. */
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

/** A path such as `items[0].name`; empty when it is about all of the data. */
export interface InData {
  readonly inData: string;
}

/** Only the clock ended the rendering: the data may be fine, and the machine is busy. */
export interface RenderedTooLate {
  readonly kind: 'rendered_too_late';
  readonly at: 'template';
  readonly message: string;
}

/** Rendering for the recipients up to this one takes all that one batch may. */
export interface BatchTooCostly {
  readonly kind: 'batch_too_costly';
  readonly at: { readonly recipient: number };
}

/** Files that were to be fetched, and could not be; `message` follows after the URL. */
export interface AttachmentsUnavailable {
  readonly kind: 'attachments_unavailable';
  readonly problems: readonly { readonly at: { readonly attachment: number }; readonly message: string }[];
}

/** All drafts of a submission were wanted or none, and these stand in the way. */
export interface SomeRefused {
  readonly kind: 'some_refused';
  readonly refusals: readonly { readonly draft: number; readonly refused: Refused }[];
}

/** The disk is nearly full. Nothing is wrong with the draft. */
export interface NoRoom {
  readonly kind: 'no_room';
}

/** Too much is waiting to be stored already. Nothing is wrong with the draft. */
export interface Overloaded {
  readonly kind: 'overloaded';
}
