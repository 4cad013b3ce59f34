/** Derives the consequences of a message, independent of its recipient's state. Pure. */

import { decodeHeaderText } from '../protocols/message/reading/encoded-words.ts';
import { readFields } from '../protocols/message/reading/fields.ts';
import type { DeliveryRef } from '../protocols/message/return-path.ts';
import { tokenInSubject } from '../protocols/message/tracking-links.ts';
import type { UnsubscribeRef } from '../protocols/message/tracking-token.ts';
import type { SmtpPhase, SmtpReply } from '../protocols/smtp/facts.ts';
import type { SuppressionSignal } from '../suppressions/automatic.ts';
import { isAutoReply } from './report/auto-reply.ts';
import type { Report } from './report/report.ts';

/** Delivery's own classification: a refusal means the same, whether immediate or in a report. */
export type Judge = (refusal: {
  readonly phase: SmtpPhase;
  readonly reply: SmtpReply;
  readonly host: string | null;
}) => {
  readonly kind: 'bounced' | 'deferred';
  readonly reason: string;
  readonly rule: string;
  readonly suppress: 'hard_bounce' | null;
};

export interface ReportFinding {
  readonly reason: string;
  readonly rule: string;
  readonly mxHost: string | null;
  readonly smtpCode: number | null;
  readonly enhancedCode: string | null;
  readonly text: string | null;
  /** The server that wrote the report, by its own statement. */
  readonly reporter: string | null;
  readonly signal: Extract<SuppressionSignal, 'hard_bounce' | 'mailbox_full'> | null;
}

export type Interpretation =
  | { readonly kind: 'failed' | 'delayed'; readonly delivery: DeliveryRef; readonly finding: ReportFinding }
  | { readonly kind: 'complaint'; readonly delivery: DeliveryRef; readonly feedbackType: string }
  | { readonly kind: 'unsubscribe'; readonly ref: UnsubscribeRef }
  /** Nothing is wrong, or no action applies. */
  | { readonly kind: 'ignored'; readonly as: Ignored }
  /** Not a report that matches a delivery: kept for the operator. */
  | { readonly kind: 'kept'; readonly note: string };

export type Ignored = 'delivered' | 'relayed' | 'expanded' | 'auto_reply' | 'other_feedback';

/** The feedback types, from RFC 5965 and added by providers, that express a person's objection. */
const COMPLAINTS = new Set(['abuse', 'fraud', 'opt-out']);
const MAX_TEXT_CHARS = 1_000;

/**
 * `delivery` is the delivery of the return path that received the message. A complaint to a public address names its delivery
 * by the reference in the returned message, which `identify` verifies; no other part of a report identifies the delivery.
 */
export function interpret(
  report: Report,
  delivery: DeliveryRef | null,
  identify: (reference: string) => DeliveryRef | null,
  judge: Judge,
): Interpretation {
  switch (report.kind) {
    case 'auto_reply':
      return { kind: 'ignored', as: 'auto_reply' };
    case 'unreadable':
      return { kind: 'kept', note: report.why };
    case 'complaint':
      return complaint(report, delivery ?? (report.reference === null ? null : identify(report.reference)));
    case 'delivery_report':
      if (report.action !== 'failed' && report.action !== 'delayed') {
        return { kind: 'ignored', as: report.action };
      }
      return about(delivery, report.action, findingOf({ ...report, phase: 'rcpt' }, judge, report.action));
    case 'nonstandard_bounce':
      return about(delivery, 'failed', findingOf(report, judge, 'failed'));
  }
}

/** The token authorizes the unsubscription, because the sender of a mail can be forged. */
export function interpretUnsubscribe(
  raw: Buffer,
  decode: (token: string) => UnsubscribeRef | null,
): Interpretation {
  const { fields } = readFields(raw, 0, raw.length);
  const token = tokenInSubject(decodeHeaderText(fields.get('subject') ?? ''));
  const ref = token === null ? null : decode(token);
  if (ref !== null) return { kind: 'unsubscribe', ref };
  if (isAutoReply(fields)) return { kind: 'ignored', as: 'auto_reply' };
  return { kind: 'kept', note: 'Mail to unsubscribe without a token that we signed.' };
}

function complaint(report: Report & { kind: 'complaint' }, delivery: DeliveryRef | null): Interpretation {
  const { feedbackType } = report;
  if (!COMPLAINTS.has(feedbackType)) return { kind: 'ignored', as: 'other_feedback' };
  if (delivery === null) return { kind: 'kept', note: 'A complaint without a reference that we signed.' };
  return { kind: 'complaint', delivery, feedbackType };
}

function about(
  delivery: DeliveryRef | null,
  kind: 'failed' | 'delayed',
  finding: ReportFinding,
): Interpretation {
  if (delivery === null) return { kind: 'kept', note: 'A bounce that was not sent to a return path.' };
  return { kind, delivery, finding };
}

interface ReportedRefusal {
  readonly remoteHost: string | null;
  readonly phase: SmtpPhase;
  readonly status: string | null;
  readonly smtpCode: number | null;
  readonly diagnostic: string | null;
  readonly reporter: string | null;
}

/**
 * If the report has no SMTP code, the class of its status replaces the code. Delayed mail has no permanent code, whatever the
 * report says.
 */
function findingOf(report: ReportedRefusal, judge: Judge, action: 'failed' | 'delayed'): ReportFinding {
  const { status, smtpCode, phase } = report;
  const text = withoutCode(clean(report.diagnostic), smtpCode);
  const [statuses, highest] = action === 'delayed' ? [DELAY_STATUS, 499] : [ANY_STATUS, 599];
  const enhancedCode = status !== null && statuses.test(status) ? status : null;
  const said = smtpCode !== null && smtpCode >= 400 && smtpCode <= highest ? smtpCode : null;
  const isTemporary = action === 'delayed' || enhancedCode?.startsWith('4');
  const code = said ?? (isTemporary ? 450 : 550);
  const mxHost = clean(report.remoteHost);
  const { kind, reason, rule, suppress } = judge({
    phase,
    reply: { code, enhanced: enhancedCode, text: text ?? '' },
    host: mxHost,
  });
  const full = reason === 'mailbox_full' ? 'mailbox_full' : null;
  const signal = kind === 'bounced' && suppress !== null ? suppress : full;
  const about = { mxHost, smtpCode: said, enhancedCode, text, reporter: clean(report.reporter) };
  return { reason, rule: `report-${rule}`, ...about, signal };
}

const ANY_STATUS = /^[245]\.\d{1,3}\.\d{1,3}$/;
const DELAY_STATUS = /^[24]\.\d{1,3}\.\d{1,3}$/;

/** The code is stored separately, as for a server's direct reply. */
function withoutCode(text: string | null, smtpCode: number | null): string | null {
  if (text === null || smtpCode === null || !text.startsWith(`${smtpCode}`)) return text;
  return text.slice(3).replace(/^[ :-]+/, '') || null;
}

/** Reports are untrusted: one line, of bounded length, that the database accepts. */
function clean(text: string | null): string | null {
  const line = (text ?? '').replace(/[\s\p{Cc}\p{Cs}]+/gu, ' ').trim();
  return line === '' ? null : line.slice(0, MAX_TEXT_CHARS);
}
