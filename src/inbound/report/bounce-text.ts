/** Classifies bounces and warnings in free text by sender, subject, and the reason in the text. */
import { decodeHeaderText } from '../../protocols/message/reading/encoded-words.ts';
import type { Fields } from '../../protocols/message/reading/fields.ts';
import { partText } from '../../protocols/message/reading/part-text.ts';
import type { SplitMessage } from '../../protocols/message/reading/split-message.ts';
import type { SmtpPhase } from '../../protocols/smtp/facts.ts';
import { hasAutoReplySubject, isAutoReply } from './auto-reply.ts';
import {
  BOUNCE_SUBJECTS,
  COPY_MARKS,
  DELAY_PHRASES,
  FAILURE_PHRASES,
  MEANINGS,
  SIGNATURES,
} from './bounce-phrases.ts';
import { plainLine } from './plain-line.ts';
import { findStatus, type QuotedReply, readReply } from './quoted-reply.ts';
import type { DeliveryReport, NonstandardBounce } from './report.ts';

/** Enough to find the reason, which these texts state early. */
const MAX_TEXT = 16_384;
const MAX_LINES = 400;
const MAX_LINE = 1_000;
const DAEMON =
  /mailer-?daemon|mail-daemon|postmaster|mdaemon|mail delivery (?:sub)?system|microsoftexchange|mail administrator|mailsystem@|maildelivery@/i;

export function readBounceText(message: SplitMessage): NonstandardBounce | DeliveryReport | null {
  const text = humanText(message);
  const lower = text.toLowerCase();
  const explained = explainBounce(text);
  if (!isBounce(message.fields, lower, explained)) return null;
  const reply = explained ?? { smtpCode: null, status: null, text: '' };
  const session = quotedSession(text);
  if (includesAny(lower, DELAY_PHRASES)) return asDelay(reply, session.remoteHost);
  const diagnostic = reply.text || firstWords(text, message.fields) || 'No reason was given.';
  const { status, smtpCode } = reply;
  return { kind: 'nonstandard_bounce', ...session, status, smtpCode, diagnostic, reporter: null };
}

/** The reason in a report's text: a quoted server reply, or else a known phrase. */
export function explainBounce(text: string): QuotedReply | null {
  const lines = text
    .slice(0, MAX_TEXT)
    .split('\n', MAX_LINES)
    .map((line) => line.slice(0, MAX_LINE).trimEnd());
  return quotedReply(lines, CODE_AND_STATUS) ?? quotedReply(lines, CODE_ALONE) ?? replyFromPhrases(lines);
}

/** The text before the returned message; of several parts, the first text part. */
export function humanText(message: SplitMessage): string {
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

/**
 * A false positive would count a bounce for a recipient on holiday, so ordinary words require a matching sender or subject. A
 * subject alone is weak, because automatic replies repeat Postrider's subject.
 */
function isBounce(fields: Fields, lower: string, reply: QuotedReply | null): boolean {
  if (lower.trim() === '') return false;
  if (fields.has('x-failed-recipients') || includesAny(lower, SIGNATURES)) return true;
  const hasSubject = hasBounceSubject(fields);
  const saysFailed = includesAny(lower, FAILURE_PHRASES);
  if (!isFromDaemon(fields)) return hasSubject && saysFailed && !isAutoReply(fields);
  if (hasSubject) return true;
  return !hasAutoReplySubject(fields) && (saysFailed || isReason(reply));
}

function hasBounceSubject(fields: Fields): boolean {
  const subject = decodeHeaderText(fields.get('subject') ?? '').toLowerCase();
  return !/^(?:re|aw|sv|antw|odp|rif) ?:/.test(subject) && includesAny(subject, BOUNCE_SUBJECTS);
}

/** Policy phrases alone are no reason: notices about held messages contain them, too. */
function isReason(reply: QuotedReply | null): boolean {
  return reply !== null && (reply.smtpCode !== null || /^5\.[12]\./.test(reply.status ?? ''));
}

/** Phrases stand for permanent failures, which a warning does not report; only temporary codes count. */
function asDelay({ status, smtpCode, text }: QuotedReply, remoteHost: string | null): DeliveryReport {
  return {
    kind: 'delivery_report',
    action: 'delayed',
    status: status?.startsWith('4') ? status : null,
    smtpCode: smtpCode !== null && smtpCode < 500 ? smtpCode : null,
    diagnostic: text || null,
    remoteHost,
    reporter: null,
    recipient: null,
  };
}

const CODE_AND_STATUS = /(?<![\d.])[45]\d\d:?[ -][ #('"<[]{0,3}[45]\.\d{1,3}\.\d{1,3}(?!\d)/;
const CODE_ALONE = /(?:^[<>\s"'*]{0,8}|[:(] {0,2}["']?|said:? |error:? |code:? )[45]\d\d:?[ -](?=\s?[\w<])/;

function quotedReply(lines: readonly string[], pattern: RegExp): QuotedReply | null {
  for (const [index, line] of lines.entries()) {
    const found = pattern.exec(line);
    if (found === null) continue;
    const start = found.index + found[0].search(/[45]\d\d:?[ -]/);
    return readReply([withoutFrame(line, start), ...restOfReply(lines, index)].join(' '));
  }
  return null;
}

/** `(reason: 550 …)` and `<host #5.1.1 smtp;550 …>`: the closing mark is not part of the server's reply. */
function withoutFrame(line: string, start: number): string {
  const framed = /^\s*(?:\(.*\)|<.*>)$/.test(line) && start > line.length - line.trimStart().length;
  return line.slice(start, framed ? -1 : undefined);
}

/** The following lines of the same reply, which repeat its code or are in the same indented block. */
function restOfReply(lines: readonly string[], index: number): readonly string[] {
  const code = /[45]\d\d/.exec(lines[index] ?? '')?.[0] ?? '';
  const indent = indentOf(lines[index]);
  const goesOn = (line: string) =>
    line !== '' && (line.trimStart().startsWith(`${code}-`) || (indent > 0 && indentOf(line) >= indent));
  let end = index + 1;
  while (end <= index + 10 && goesOn(lines[end] ?? '')) end++;
  return lines.slice(index + 1, end);
}

function indentOf(line: string | undefined): number {
  return line === undefined ? 0 : line.length - line.trimStart().length;
}

function replyFromPhrases(lines: readonly string[]): QuotedReply | null {
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

interface QuotedSession {
  readonly remoteHost: string | null;
  readonly phase: SmtpPhase;
}

/** `host mx.example.com[192.0.2.1] said`, `host: mx.example.com (…) reason`, `while talking to mx.example.com.:`. */
const HOST = /(?<!\bat )\b(?:host:?|talking to) ((?:[a-z0-9_-]{1,63}\.){1,9}[a-z][a-z0-9-]{0,62})/i;

/** Exim writes "after", GMX and IONOS "for … command", Postfix "in reply to". GMX calls the message TEXT. */
const COMMANDS: readonly (readonly [RegExp, SmtpPhase])[] = [
  [/\b(?:after|for|in reply to) (?:pipelined )?(?:end of data|text\b)/i, 'dot'],
  [/\b(?:after|for|in reply to) (?:pipelined )?mail from\b/i, 'mail'],
  [/\b(?:after|for|in reply to) (?:pipelined )?(?:ehlo|helo)\b/i, 'ehlo'],
  [/\b(?:after|for|in reply to) (?:initial connection|greeting)\b/i, 'banner'],
];

/**
 * The mail host and the command of a reply that a free-text bounce quotes: such reports describe these around the reply. If the
 * text names no command, the reply counts as one to RCPT. Only for texts of bounded length.
 */
function quotedSession(text: string): QuotedSession {
  const words = text.replace(/\s+/g, ' ');
  return {
    remoteHost: HOST.exec(words)?.[1]?.toLowerCase() ?? null,
    phase: COMMANDS.find(([pattern]) => pattern.test(words))?.[1] ?? 'rcpt',
  };
}
