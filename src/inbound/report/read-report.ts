/**
 * Reads returned mail: delivery reports (RFC 3464, 6533), complaints (RFC 5965), automatic replies, and bounces in free text.
 * Pure, bounded whatever the message contains, and it never throws.
 */

import { decodedBytes } from '../../protocols/message/reading/part-text.ts';
import { type SplitMessage, splitMessage } from '../../protocols/message/reading/split-message.ts';
import { hasAutoReplySubject, isAutoReply, isReceipt } from './auto-reply.ts';
import { explainBounce, humanText, isFromDaemon, readBounceText } from './bounce-text.ts';
import { readComplaint } from './complaint.ts';
import { moreExact, readDeliveryStatus } from './delivery-status.ts';
import { plainLine } from './plain-line.ts';
import type { DeliveryReport, Report } from './report.ts';

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
