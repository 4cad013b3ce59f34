/** Feedback reports (RFC 5965), and the older form of a complaint: the message itself, attached. */

import { type Fields, readFields } from '../../protocols/message/reading/fields.ts';
import { decodedBytes } from '../../protocols/message/reading/part-text.ts';
import type { MessagePart, SplitMessage } from '../../protocols/message/reading/split-message.ts';
import { REFERENCE_HEADER } from '../../protocols/message/return-path.ts';
import { plainLine } from './plain-line.ts';
import type { Complaint } from './report.ts';
import { readAddress } from './typed-values.ts';

const INCLUDED = new Set([
  'message/rfc822',
  'text/rfc822-headers',
  // Not standardized, but in use.
  'message/rfc822-headers',
  'message/global',
  'message/global-headers',
]);
const MAX_REFERENCE = 320;
/** Matches any possible reference, but not the remains of redaction. */
const REFERENCE = /^[A-Za-z0-9+@._-]{20,}$/;
/** Outlook's old format stores the recipient here that it hides elsewhere. */
const ORIGINAL_RECIPIENT = 'x-hmxmroriginalrecipient';

export function readComplaint(message: SplitMessage): Complaint | null {
  const report = message.parts.find((part) => part.content.type === 'message/feedback-report');
  const original = includedFields(message.parts);
  if (report === undefined) return readAttachedComplaint(message, original);
  const feedback = readLeadingFields(report);
  return {
    kind: 'complaint',
    feedbackType: readFeedbackType(feedback.get('feedback-type')),
    reference: readReference(original, feedback),
    recipient: readAddress(feedback.get('original-rcpt-to')) ?? readAddress(original.get(ORIGINAL_RECIPIENT)),
  };
}

function readAttachedComplaint(message: SplitMessage, original: Fields): Complaint | null {
  const subject = plainLine(message.fields.get('subject') ?? '', 100).toLowerCase();
  const isComplaint = subject.startsWith('complaint about message from') || original.has(ORIGINAL_RECIPIENT);
  if (!isComplaint || original.size === 0) return null;
  return {
    kind: 'complaint',
    feedbackType: 'abuse',
    reference: readReference(original, new Map()),
    recipient: readAddress(original.get(ORIGINAL_RECIPIENT)),
  };
}

function includedFields(parts: readonly MessagePart[]): Fields {
  const included = parts.find((part) => INCLUDED.has(part.content.type));
  return included === undefined ? new Map() : readLeadingFields(included);
}

/** Some servers put an empty line before the first field. */
function readLeadingFields(part: MessagePart): Fields {
  const bytes = decodedBytes(part);
  let block = readFields(bytes, 0, bytes.length);
  for (let tries = 0; block.fields.size === 0 && block.next < bytes.length && tries < 5; tries++) {
    block = readFields(bytes, block.next, bytes.length);
  }
  return block.fields;
}

function readFeedbackType(value: string | undefined): string {
  return /^[a-z0-9][a-z0-9-]{0,39}/.exec((value ?? '').trim().toLowerCase())?.[0] ?? 'other';
}

function readReference(original: Fields, feedback: Fields): string | null {
  const header = plainLine(original.get(REFERENCE_HEADER.toLowerCase()) ?? '', MAX_REFERENCE);
  if (REFERENCE.test(header)) return header;
  return readAddress(original.get('return-path')) ?? readAddress(feedback.get('original-mail-from'));
}
