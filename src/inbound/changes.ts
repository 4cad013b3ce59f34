/**
 * Converts the meaning of reports to changes. Pure, except for the recipients passed in: they are updated, so that a second
 * report of a batch about one recipient sees the effect of the first.
 */

import type { RecipientOutcome } from '../emails/outcomes.ts';
import type { NewEvent } from '../events/append.ts';
import type { NewReport } from '../events/attempts.ts';
import type { EmailAddress } from '../protocols/message/address.ts';
import type { DeliveryRef } from '../protocols/message/return-path.ts';
import type { UnsubscribeRef } from '../protocols/message/tracking-token.ts';
import type { CountedPath } from '../routing/canary/counts.ts';
import type { SourceComplaints } from '../routing/source-days.ts';
import { DAY_MS } from '../runtime/durations.ts';
import type { RecipientSignal } from '../suppressions/automatic.ts';
import type { Ignored, Interpretation, ReportFinding } from './interpret.ts';
import { keyOf, type ReportedRecipient } from './recipients.ts';
import type { InboundKey, WaitingMessage } from './store.ts';

export type MessageResult =
  | 'bounced'
  | 'delayed'
  | 'complained'
  | 'unsubscribed'
  | 'known_already'
  | 'email_gone'
  | 'not_settled'
  | 'kept'
  | ReportResult
  | `ignored_${Ignored}`;

export type ReportResult =
  | 'dmarc_report'
  | 'tls_report'
  | 'report_repeated'
  /** Its domain is not verified, or was removed. */
  | 'report_of_nobody'
  /** About another domain than the one of its address. */
  | 'report_of_other_domain'
  | 'report_out_of_time'
  | 'report_too_many';

export interface Changes {
  readonly outcomes: RecipientOutcome[];
  readonly signals: RecipientSignal[];
  readonly unsubscriptions: UnsubscribeRef[];
  readonly events: NewEvent[];
  readonly reports: NewReport[];
  readonly done: InboundKey[];
  readonly later: (InboundKey & { readonly seconds: number })[];
  readonly kept: (InboundKey & { readonly note: string })[];
  readonly results: MessageResult[];
  /** The results for source addresses and canary paths. */
  readonly routed: { sources: readonly SourceComplaints[]; ways: readonly CountedPath[] };
}

interface RecordingContext {
  readonly recipients: ReadonlyMap<string, ReportedRecipient>;
  readonly nowMs: number;
  /** Simulated addresses say nothing about real mailboxes. */
  readonly isSimulated: (address: EmailAddress) => boolean;
}

const LONGEST_WAIT_SECONDS = 600;
/** A delivery is settled within five days of its first attempt. */
const GIVE_UP_AFTER_MS = 6 * DAY_MS;

export function noChanges(): Changes {
  return {
    outcomes: [],
    signals: [],
    unsubscriptions: [],
    events: [],
    reports: [],
    done: [],
    later: [],
    kept: [],
    results: [],
    routed: { sources: [], ways: [] },
  };
}

export function applyReport(
  message: WaitingMessage,
  interpretation: Interpretation,
  context: RecordingContext,
  changes: Changes,
): void {
  const result = resultOf(message, interpretation, context, changes);
  changes.results.push(result);
  if (result === 'not_settled') {
    changes.later.push({ ...message, seconds: waitSeconds(message.tries) });
  } else if (result !== 'kept') changes.done.push(message);
}

export function waitSeconds(tries: number): number {
  return Math.min(2 ** tries, LONGEST_WAIT_SECONDS);
}

function resultOf(
  message: WaitingMessage,
  interpretation: Interpretation,
  context: RecordingContext,
  changes: Changes,
): MessageResult {
  if (interpretation.kind === 'ignored') return `ignored_${interpretation.as}`;
  if (interpretation.kind === 'kept') return keep(message, interpretation.note, changes);
  if (interpretation.kind === 'unsubscribe') {
    changes.unsubscriptions.push(interpretation.ref);
    return 'unsubscribed';
  }
  const recipient = context.recipients.get(keyOf(interpretation.delivery));
  if (recipient === undefined) return 'email_gone';
  switch (interpretation.kind) {
    case 'failed':
      return fail(message, recipient, interpretation.finding, context, changes);
    case 'delayed':
      return delay(recipient, interpretation.finding, context, changes);
    case 'complaint':
      return complain(recipient, interpretation.feedbackType, context, changes);
  }
}

/**
 * Only delivered mail can still bounce. The worker may be about to record the delivery, in which case the report is read again
 * later.
 */
function fail(
  message: WaitingMessage,
  recipient: ReportedRecipient,
  finding: ReportFinding,
  context: RecordingContext,
  changes: Changes,
): MessageResult {
  const { state, attempts } = recipient;
  if (state === 'bounced' || state === 'failed') return 'known_already';
  if (state === 'queued' || state === 'deferred') {
    const tooLong = context.nowMs - message.receivedAtMs > GIVE_UP_AFTER_MS;
    return tooLong ? keep(message, 'A bounce of mail that is not delivered.', changes) : 'not_settled';
  }
  recipient.state = 'bounced';
  const about = { ...refOf(recipient), atMs: context.nowMs };
  changes.outcomes.push({ ...about, state: 'bounced', attempts });
  changes.events.push({ ...about, recipient: recipient.address, type: 'bounced', ...toEvent(finding) });
  changes.reports.push(toReport(recipient, finding, message.receivedAtMs, context.nowMs));
  if (finding.signal !== null) noteSignal(finding.signal, finding.reason, recipient, context, changes);
  return 'bounced';
}

/** Recorded once; the status stays the same. */
function delay(
  recipient: ReportedRecipient,
  finding: ReportFinding,
  context: RecordingContext,
  changes: Changes,
): MessageResult {
  const { state, address, delayed } = recipient;
  if (delayed || (state !== 'delivered' && state !== 'opened')) return 'known_already';
  recipient.delayed = true;
  const about = { ...refOf(recipient), atMs: context.nowMs, recipient: address };
  changes.events.push({ ...about, type: 'deferred', ...toEvent(finding) });
  return 'delayed';
}

function complain(
  recipient: ReportedRecipient,
  feedbackType: string,
  context: RecordingContext,
  changes: Changes,
): MessageResult {
  if (recipient.complained) return 'known_already';
  recipient.complained = true;
  const about = { ...refOf(recipient), atMs: context.nowMs, recipient: recipient.address };
  changes.events.push({ ...about, type: 'complained', reason: feedbackType });
  noteSignal('complaint', feedbackType, recipient, context, changes);
  return 'complained';
}

function keep(message: WaitingMessage, note: string, changes: Changes): MessageResult {
  changes.kept.push({ ...message, note });
  return 'kept';
}

function noteSignal(
  signal: RecipientSignal['signal'],
  cause: string,
  recipient: ReportedRecipient,
  { nowMs, isSimulated }: RecordingContext,
  changes: Changes,
): void {
  if (isSimulated(recipient.address)) return;
  const { organizationId, emailId, address } = recipient;
  changes.signals.push({ signal, organizationId, emailId, recipient: address, atMs: nowMs, cause });
}

function refOf({ organizationId, emailId, position }: ReportedRecipient): DeliveryRef {
  return { organizationId, emailId, position };
}

function toEvent({ mxHost, smtpCode, text, enhancedCode, reason }: ReportFinding) {
  return { mxHost, smtpCode, smtpMessage: text, enhancedCode, reason };
}

/** For explanations: the report received after the last attempt, its time, and its author. */
function toReport(
  recipient: ReportedRecipient,
  finding: ReportFinding,
  receivedAtMs: number,
  atMs: number,
): NewReport {
  const { reason, rule, mxHost, text: detail, reporter: reportedBy } = finding;
  return {
    ...refOf(recipient),
    receivedAtMs,
    atMs,
    outcome: 'bounced',
    reason,
    rule,
    mxHost,
    detail,
    reportedBy,
  };
}
