/** Bounces and warnings in free text: who sent it, what the subject says, and what reason the words give. */
import { hasAutoReplySubject } from './auto-reply.ts';
import {
  BOUNCE_SUBJECTS,
  COPY_MARKS,
  DELAY_PHRASES,
  FAILURE_PHRASES,
  MEANINGS,
  SIGNATURES,
} from './bounce-phrases.ts';
import { decodeHeaderText } from './encoded-words.ts';
import type { Fields } from './fields.ts';
import { partText } from './part-text.ts';
import { plainLine } from './plain-line.ts';
import { findStatus, type QuotedReply, readReply } from './reply-words.ts';
import type { DeliveryReport, NonstandardBounce } from './report.ts';
import type { Message } from './split-message.ts';

/** Enough for the reason: these texts say it early. */
const MAX_TEXT = 16_384;
const MAX_LINES = 400;
const MAX_LINE = 1_000;
const DAEMON =
  /mailer-?daemon|mail-daemon|postmaster|mdaemon|mail delivery (?:sub)?system|microsoftexchange|mail administrator|mailsystem@|maildelivery@/i;

export function readBounceText(message: Message): NonstandardBounce | DeliveryReport | null {
  const text = humanText(message);
  const lower = text.toLowerCase();
  const explained = explain(text);
  if (!isBounce(message.fields, lower, explained !== null)) return null;
  const reply = explained ?? { smtpCode: null, status: null, text: '' };
  if (includesAny(lower, DELAY_PHRASES)) return asDelay(reply);
  const diagnostic = reply.text || firstWords(text, message.fields) || 'No reason was given.';
  return { kind: 'nonstandard_bounce', status: reply.status, smtpCode: reply.smtpCode, diagnostic };
}

/** The reason in the words of a report, for people: a server's reply where one is quoted, or else known phrases. */
export function explain(text: string): QuotedReply | null {
  const lines = text
    .slice(0, MAX_TEXT)
    .split('\n', MAX_LINES)
    .map((line) => line.slice(0, MAX_LINE).trim());
  return quotedReply(lines, CODE_AND_STATUS) ?? quotedReply(lines, CODE_ALONE) ?? meaningOf(lines);
}

/** The words before the returned message; of several parts the first that is text. */
export function humanText(message: Message): string {
  const plain = message.parts.find((part) => part.content.type === 'text/plain');
  const part = plain ?? message.parts.find((candidate) => candidate.content.type === 'text/html');
  if (part === undefined) return '';
  const text = partText(part, MAX_TEXT);
  const lower = text.toLowerCase();
  const copies = COPY_MARKS.map((mark) => lower.indexOf(mark)).filter((at) => at > 0);
  return text.slice(0, Math.min(text.length, ...copies));
}

export function isFromDaemon(fields: Fields): boolean {
  return DAEMON.test((fields.get('from') ?? '').slice(0, 300));
}

function isBounce(fields: Fields, lower: string, hasReason: boolean): boolean {
  if (fields.has('x-failed-recipients') || includesAny(lower, SIGNATURES)) return true;
  if (hasAutoReplySubject(fields)) return false;
  const subject = decodeHeaderText(fields.get('subject') ?? '').toLowerCase();
  const pointers = Number(isFromDaemon(fields)) + Number(includesAny(subject, BOUNCE_SUBJECTS));
  if (pointers === 0) return false;
  return pointers === 2 || hasReason || includesAny(lower, FAILURE_PHRASES);
}

function asDelay(reply: QuotedReply): DeliveryReport {
  return {
    kind: 'delivery_report',
    action: 'delayed',
    status: reply.status,
    smtpCode: reply.smtpCode,
    diagnostic: reply.text || null,
    remoteHost: null,
    recipient: null,
  };
}

const CODE_AND_STATUS = /(?<![\d.])[45]\d\d[ -][ #('"<[]{0,3}[45]\.\d{1,3}\.\d{1,3}(?!\d)/;
const CODE_ALONE = /(?:^[>\s"'*]{0,8}|[:(] {0,2}["']?|said:? |error:? |code:? )[45]\d\d[ -](?=\s?\D)/;

function quotedReply(lines: readonly string[], pattern: RegExp): QuotedReply | null {
  for (const [index, line] of lines.entries()) {
    const found = pattern.exec(line);
    if (found === null) continue;
    const start = found.index + found[0].search(/[45]\d\d[ -]/);
    const code = line.slice(start, start + 3);
    return readReply([line.slice(start), ...sameReply(lines, index + 1, code)].join(' '));
  }
  return null;
}

/** The following lines of the same reply, which repeat its code. */
function sameReply(lines: readonly string[], from: number, code: string): readonly string[] {
  let end = from;
  while (end < from + 10 && lines[end]?.startsWith(code)) end++;
  return lines.slice(from, end);
}

function meaningOf(lines: readonly string[]): QuotedReply | null {
  const lower = lines.map((line) => line.toLowerCase());
  for (const [status, phrases] of MEANINGS) {
    const line = lower.findIndex((words) => includesAny(words, phrases));
    if (line < 0) continue;
    const text = plainLine(lines[line] ?? '');
    return { smtpCode: null, status: findStatus(text) ?? status, text };
  }
  return null;
}

function firstWords(text: string, fields: Fields): string {
  const line = text.split('\n', MAX_LINES).find((candidate) => candidate.trim() !== '');
  return plainLine(line ?? decodeHeaderText(fields.get('subject') ?? ''));
}

function includesAny(text: string, phrases: readonly string[]): boolean {
  return phrases.some((phrase) => text.includes(phrase));
}
