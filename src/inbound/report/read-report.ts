/**
 * Reads returned mail: delivery reports (RFC 3464, 6533), complaints (RFC 5965), automatic replies, and bounces in free text.
 * Pure, bounded whatever the message contains, and it never throws.
 */

import { type Fields, readFields } from '../../protocols/message/reading/fields.ts';
import { decodedBytes } from '../../protocols/message/reading/part-text.ts';
import {
  type MessagePart,
  type SplitMessage,
  splitMessage,
} from '../../protocols/message/reading/split-message.ts';
import { REFERENCE_HEADER } from '../../protocols/message/return-path.ts';
import { hasAutoReplySubject, isAutoReply, isReceipt } from './auto-reply.ts';
import { explainBounce, humanText, isFromDaemon, readBounceText } from './bounce-text.ts';
import { plainLine } from './plain-line.ts';
import { findStatus, type QuotedReply, readReply } from './quoted-reply.ts';
import type { Complaint, DeliveryReport, Report, ReportAction } from './report.ts';
import { readAddress, readHost, splitType } from './typed-values.ts';

export type { Report } from './report.ts';

/** A report has one status part; of a message full of them, only this many are read. */
const MAX_TRIES = 3;
const MAX_FROM = 320;
const DELIVERY_STATUS = new Set(['message/delivery-status', 'message/global-delivery-status']);
const MISLABELS = new Set(['text/plain', 'application/octet-stream']);

/** Machine-readable parts outrank text, and bounces outrank the signs of an automatic reply, which they also carry. */
export function readReport(raw: Buffer): Report {
  if (raw.length === 0) return { kind: 'unreadable', why: 'The message is empty.' };
  const message = splitMessage(raw);
  const report = readMessage(message);
  return 'reporter' in report ? { ...report, reporter: report.reporter ?? hostOfSender(message) } : report;
}

function readMessage(message: SplitMessage): Report {
  const report = readComplaint(message) ?? readDeliveryReport(message);
  if (report !== null) return report;
  if (isReceipt(message)) return { kind: 'auto_reply' };
  const bounce = readBounceText(message);
  if (bounce !== null) return bounce;
  if (looksLikeReport(message)) {
    return { kind: 'unreadable', why: 'It looks like a report, but nothing in it can be read.' };
  }
  if (isAutoReply(message.fields)) return { kind: 'auto_reply' };
  return { kind: 'unreadable', why: 'It is neither a report nor an automatic answer.' };
}

/** If a report does not name the server that wrote it: the host of its From address. */
function hostOfSender({ fields }: SplitMessage): string | null {
  const from = plainLine(fields.get('from') ?? '', MAX_FROM);
  return /@([a-z0-9.-]{1,253}[a-z0-9])(?![a-z0-9@.-])/i.exec(from)?.[1]?.toLowerCase() ?? null;
}

/** Judges by the header: mailer daemons mark their mail as automatic, which must not hide an unreadable bounce. */
function looksLikeReport({ content, fields }: SplitMessage): boolean {
  return content.type === 'multipart/report' || (isFromDaemon(fields) && !hasAutoReplySubject(fields));
}

function readDeliveryReport(message: SplitMessage): DeliveryReport | null {
  const report = readStatusPart(message) ?? readMislabelledStatus(message);
  return report === null || report.diagnostic !== null ? report : withWords(report, message);
}

function readStatusPart(message: SplitMessage): DeliveryReport | null {
  const candidates = message.parts.filter((part) => DELIVERY_STATUS.has(part.content.type));
  for (const part of candidates.slice(0, MAX_TRIES)) {
    const report = readDeliveryStatus(decodedBytes(part));
    if (report !== null) return report;
  }
  return null;
}

/** The fields of a delivery status in a part of another type, or in a message whose parts cannot be separated. */
function readMislabelledStatus(message: SplitMessage): DeliveryReport | null {
  if (message.content.type !== 'multipart/report' && !isFromDaemon(message.fields)) return null;
  const candidates = message.parts.filter((part) => MISLABELS.has(part.content.type));
  for (const part of candidates.slice(0, MAX_TRIES)) {
    const bytes = decodedBytes(part);
    const lower = bytes.toString('latin1').toLowerCase();
    const recipient = Math.max(
      lower.indexOf('\nfinal-recipient:'),
      lower.startsWith('final-recipient:') ? 0 : -1,
    );
    if (recipient < 0 || !lower.includes('\naction:')) continue;
    const block = lower.lastIndexOf('\n\n', recipient);
    const report = readDeliveryStatus(
      bytes.subarray(Math.max(block, lower.lastIndexOf('\r\n\r\n', recipient), 0)),
    );
    if (report !== null) return report;
  }
  return null;
}

/** Exim and others state the reason of their own failures only in the part for people. */
function withWords(report: DeliveryReport, message: SplitMessage): DeliveryReport {
  if (report.action !== 'failed' && report.action !== 'delayed') return report;
  const reply = explainBounce(humanText(message));
  if (reply === null) return report;
  return {
    ...report,
    diagnostic: reply.text,
    smtpCode: report.smtpCode ?? reply.smtpCode,
    status: moreExact(report.status, reply.status),
  };
}

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

/** Feedback reports (RFC 5965), and the older form of a complaint: the message itself, attached. */
function readComplaint(message: SplitMessage): Complaint | null {
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

const MAX_BLOCKS = 500;
const ACTIONS: readonly ReportAction[] = ['failed', 'delayed', 'delivered', 'relayed', 'expanded'];
const NO_REPLY: QuotedReply = { smtpCode: null, status: null, text: '' };

/**
 * Reads `message/delivery-status`: one block about the message, then one for each recipient. Returns the most important
 * recipient's block; null if no block is about a recipient.
 */
export function readDeliveryStatus(bytes: Buffer): DeliveryReport | null {
  let best: DeliveryReport | null = null;
  let reporter: string | null = null;
  let at = 0;
  for (let blocks = 0; at < bytes.length && blocks < MAX_BLOCKS; blocks++) {
    const block = readFields(bytes, at, bytes.length);
    const report = readRecipient(block.fields);
    reporter ??= readHost(block.fields.get('reporting-mta'));
    if (report !== null && (best === null || rank(report) < rank(best))) best = report;
    if (best?.action === 'failed') break;
    at = block.next;
  }
  return best === null ? null : { ...best, reporter };
}

function rank(report: DeliveryReport): number {
  return report.action === 'failed' ? 0 : report.action === 'delayed' ? 1 : 2;
}

/** Some servers omit the empty line after the message's block, so any block may contain a recipient. */
function readRecipient(fields: Fields): DeliveryReport | null {
  const stated = findStatus((fields.get('status') ?? '').slice(0, 100));
  const reply = readDiagnostic(fields.get('diagnostic-code'));
  const action = readAction(fields.get('action'), stated ?? reply.status);
  if (action === null) return null;
  return {
    kind: 'delivery_report',
    action,
    status: moreExact(stated, reply.status),
    smtpCode: reply.smtpCode,
    diagnostic: reply.text || null,
    remoteHost: readHost(fields.get('remote-mta')),
    reporter: null,
    recipient: readAddress(fields.get('original-recipient')) ?? readAddress(fields.get('final-recipient')),
  };
}

/** Unknown and missing actions follow from the class of the status. */
function readAction(value: string | undefined, status: string | null): ReportAction | null {
  const word = /^[a-z]+/.exec(plainLine(value ?? '', 40).toLowerCase())?.[0];
  const known = ACTIONS.find((action) => action === word);
  if (known !== undefined) return known;
  if (status === null) return null;
  return status.startsWith('5') ? 'failed' : status.startsWith('4') ? 'delayed' : 'delivered';
}

/** `smtp; 550 …`, `x-postfix; …`, or plain text. Some servers put an inner server's comment in front: `[host] #…`. */
function readDiagnostic(value: string | undefined): QuotedReply {
  if (value === undefined) return NO_REPLY;
  return readReply(splitType(value).rest);
}

/** `5.0.0` only means "failed": the remote server's own code of the same class is more specific. */
function moreExact(stated: string | null, quoted: string | null): string | null {
  if (stated === null) return quoted;
  const isVague = stated.endsWith('.0.0');
  return isVague && quoted !== null && quoted[0] === stated[0] ? quoted : stated;
}
