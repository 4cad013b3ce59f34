/**
 * From an attempt's outcome to what is recorded: a deferral gets the time of its next attempt, or is given up. Pure.
 */

import type { WithdrawnFor } from '../../emails/store-delivery.ts';
import type { RouteTaken } from '../../events/attempts.ts';
import type { MessageEvidence } from '../../events/evidence.ts';
import type { ClaimedDelivery } from '../../outbox/states.ts';
import type { CertificateFacts, SmtpFacts } from '../../protocols/smtp/facts.ts';
import type { RouteProblem } from '../facts.ts';
import type { Outcome } from './outcome.ts';
import type { OutcomeReason } from './reasons.ts';
import { nextRetry } from './retry-schedule.ts';

export interface Attempt {
  readonly facts: SmtpFacts | RouteProblem;
  readonly outcome: Outcome;
  /** Every conversation of the attempt, the last one included. */
  readonly sessions?: readonly SmtpFacts[];
  /** Which way it took, where the route table had a say. */
  readonly taken?: RouteTaken | undefined;
  /** Of the message as it was sent. */
  readonly evidence?: MessageEvidence | undefined;
}

/** What is recorded about a finished attempt: an outcome with its facts, and for a deferral when the next try is. */
export interface AttemptFacts {
  readonly mxHost: string | null;
  readonly smtpCode: number | null;
  readonly smtpMessage: string | null;
  readonly enhancedCode: string | null;
  readonly tls: string | null;
  readonly tlsCertificate?: CertificateFacts | null;
  /** From a closed list; null when all went well. */
  readonly reason: string | null;
}

export type Verdict =
  | (AttemptFacts & { readonly kind: 'delivered' | 'bounced' | 'failed' | 'rejected' })
  | (AttemptFacts & { readonly kind: 'deferred'; readonly nextAttemptAtMs: number });

export interface RetryPolicy {
  /** How much faster than real time the retry clock runs. */
  readonly speed: number;
  readonly random: () => number;
}

/** The same delivery for somebody who lives so many times faster: its time is over sooner. */
export function scaleLifetime(delivery: ClaimedDelivery, times: number): ClaimedDelivery {
  if (times === 1) return delivery;
  const { firstAttemptAtMs, expiresAtMs } = delivery;
  return { ...delivery, expiresAtMs: firstAttemptAtMs + (expiresAtMs - firstAttemptAtMs) / times };
}

export function scaleRetry(retry: RetryPolicy, times: number): RetryPolicy {
  return times === 1 ? retry : { ...retry, speed: retry.speed * times };
}

export function decide(
  attempt: Attempt,
  delivery: ClaimedDelivery,
  nowMs: number,
  retry: RetryPolicy,
): Verdict {
  const { outcome } = attempt;
  const facts = factsOf(attempt);
  if (outcome.kind !== 'deferred') return { kind: outcome.kind, ...facts };
  return laterOrNever(facts, delivery, nowMs, retry, outcome.retryHintSeconds);
}

/** A receiver finds that the sender's domain does not vouch for the mail. */
export function isUnauthenticated({ outcome }: Attempt): boolean {
  return outcome.reason === 'authentication_failed' && outcome.scope === 'sender_domain';
}

/** This worker is stopping, or lost the mail, or the mail is held: it hung up before the message was handed over. */
export function wasStopped({ facts }: Attempt): boolean {
  return facts.kind === 'broken' && facts.failure === 'stopped' && !facts.afterDot;
}

/** Before an attempt: its time is over. */
export function lifetimeOver(): Verdict {
  return { kind: 'failed', ...withoutServer('lifetime_exceeded') };
}

/** Before an attempt: the address is on the suppression list, since the email was accepted or because that was not asked then. */
export function suppressedSince(): Verdict {
  return { kind: 'rejected', ...withoutServer('suppressed') };
}

/** Before an attempt of scheduled mail: what it was to be sent with is gone. */
export function withdrawnSince(reason: WithdrawnFor): Verdict {
  return { kind: 'rejected', ...withoutServer(reason) };
}

export function contentGone(): Verdict {
  return { kind: 'failed', ...withoutServer('content_gone') };
}

/** Before an attempt: its template passes our limits with this data, and would every time. */
export function unrenderable(): Verdict {
  return { kind: 'failed', ...withoutServer('rendering_failed') };
}

/** Nothing of it is the recipient's fault, so it is tried again like any other failure. */
export function ourFault(delivery: ClaimedDelivery, nowMs: number, retry: RetryPolicy): Verdict {
  return laterOrNever(withoutServer('internal_error'), delivery, nowMs, retry, null);
}

function laterOrNever(
  facts: AttemptFacts,
  { attempt, expiresAtMs }: ClaimedDelivery,
  nowMs: number,
  retry: RetryPolicy,
  hintSeconds: number | null,
): Verdict {
  const next = nextRetry({ attempt, nowMs, expiresAtMs, ...retry, hintSeconds });
  if (next === 'expired')
    return { kind: 'failed', ...facts, reason: 'lifetime_exceeded' satisfies OutcomeReason };
  return { kind: 'deferred', ...facts, nextAttemptAtMs: next.dueAtMs };
}

function factsOf({ facts, outcome }: Attempt): AttemptFacts {
  const server = facts.kind === 'unroutable' ? null : facts;
  return {
    mxHost: server?.host ?? null,
    smtpCode: outcome.code,
    // Where no server answered, the text is ours and the reason says it.
    smtpMessage: outcome.code === null ? null : outcome.text,
    enhancedCode: outcome.enhanced,
    tls: server?.tls ?? null,
    tlsCertificate: server?.certificate ?? null,
    reason: outcome.kind === 'delivered' ? null : outcome.reason,
  };
}

function withoutServer(reason: OutcomeReason): AttemptFacts {
  return { mxHost: null, smtpCode: null, smtpMessage: null, enhancedCode: null, tls: null, reason };
}
