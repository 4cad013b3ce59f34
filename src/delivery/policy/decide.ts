/** Turns an attempt's outcome into the verdict to record. A deferral gets the time of its next attempt, or expires. Pure. */
import type { WithdrawnFor } from '../../emails/store-delivery.ts';
import type { RouteTaken } from '../../events/attempts.ts';
import type { MessageEvidence } from '../../events/evidence.ts';
import type { ClaimedDelivery } from '../../outbox/states.ts';
import type { CertificateFacts, SmtpFacts } from '../../protocols/smtp/facts.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../runtime/durations.ts';
import type { RouteProblem } from '../facts.ts';
import type { Outcome } from './outcome.ts';
import type { OutcomeReason } from './reasons.ts';

export interface Attempt {
  readonly facts: SmtpFacts | RouteProblem;
  readonly outcome: Outcome;
  /** All SMTP sessions of the attempt, including the last. */
  readonly sessions?: readonly SmtpFacts[];
  /** The egress path, where the route table chose it. */
  readonly taken?: RouteTaken | undefined;
  /** Evidence of the message as it was sent. */
  readonly evidence?: MessageEvidence | undefined;
}

/** The facts that are recorded about a finished attempt. */
interface AttemptFacts {
  readonly mxHost: string | null;
  readonly smtpCode: number | null;
  readonly smtpMessage: string | null;
  readonly enhancedCode: string | null;
  readonly tls: string | null;
  readonly tlsCertificate?: CertificateFacts | null;
  /** One of `OUTCOME_REASONS`; null for a delivery. */
  readonly reason: string | null;
}

export type Verdict =
  | (AttemptFacts & { readonly kind: 'delivered' | 'bounced' | 'failed' | 'rejected' })
  | (AttemptFacts & { readonly kind: 'deferred'; readonly nextAttemptAtMs: number });

export interface RetryPolicy {
  /** How much faster than real time retries run. */
  readonly speed: number;
  readonly random: () => number;
}

/** The same delivery with its lifetime divided by `times`. */
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
  return deferOrExpire(facts, delivery, nowMs, retry, outcome.retryHintSeconds);
}

/** The receiver could not authenticate the mail for the sender's domain. */
export function isUnauthenticated({ outcome }: Attempt): boolean {
  return outcome.reason === 'authentication_failed' && outcome.scope === 'sender_domain';
}

/** This worker closed the connection before handing over the message: it is stopping, lost its claim, or the mail is held. */
export function wasStopped({ facts }: Attempt): boolean {
  return facts.kind === 'broken' && facts.failure === 'stopped' && !facts.afterDot;
}

/** Before an attempt: the lifetime of the delivery is over. */
export function lifetimeOver(): Verdict {
  return { kind: 'failed', ...withoutServer('lifetime_exceeded') };
}

/** Before an attempt: the address is on the suppression list. It was added after acceptance, or acceptance did not check the list. */
export function suppressedSince(): Verdict {
  return { kind: 'rejected', ...withoutServer('suppressed') };
}

/** Before an attempt of scheduled mail: the mail was withdrawn, for example because its template was deleted. */
export function withdrawnSince(reason: WithdrawnFor): Verdict {
  return { kind: 'rejected', ...withoutServer(reason) };
}

export function contentGone(): Verdict {
  return { kind: 'failed', ...withoutServer('content_gone') };
}

/** Before an attempt: the template exceeds the rendering limits with this data. Retries would not help. */
export function unrenderable(): Verdict {
  return { kind: 'failed', ...withoutServer('rendering_failed') };
}

/** An internal error. The delivery is retried like after any other failure. */
export function ourFault(delivery: ClaimedDelivery, nowMs: number, retry: RetryPolicy): Verdict {
  return deferOrExpire(withoutServer('internal_error'), delivery, nowMs, retry, null);
}

function deferOrExpire(
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
    // Where no server answered, the text is ours, and the reason has the same content.
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

/** Delay after the first, second, … attempt; the last one repeats. */
export const RETRY_DELAYS_MS: readonly number[] = [
  MINUTE_MS,
  3 * MINUTE_MS,
  6 * MINUTE_MS,
  15 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
];
const LAST_DELAY_MS = 4 * HOUR_MS;

/** Retries vary by this share both ways, so that deliveries that failed together are not retried together. */
export const RETRY_JITTER = 0.2;

/** A server's hint may make early retries sooner, but not sooner than this. */
const SHORTEST_HINT_MS = 30 * SECOND_MS;
const LONGEST_HINT_MS = 4 * HOUR_MS;
const HINTS_HASTEN_UNTIL_ATTEMPT = 5;

export interface RetryQuestion {
  /** The attempt that was just deferred, counting from 1. */
  readonly attempt: number;
  readonly nowMs: number;
  readonly expiresAtMs: number;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** The sandbox clock: 60 makes a minute of delay last a second. */
  readonly speed: number;
  /** The wait that the server asked for; null where it named none. */
  readonly hintSeconds: number | null;
}

export function nextRetry(question: RetryQuestion): { readonly dueAtMs: number } | 'expired' {
  const { attempt, nowMs, expiresAtMs, random, speed, hintSeconds } = question;
  const scheduledMs =
    (RETRY_DELAYS_MS[attempt - 1] ?? LAST_DELAY_MS) * (1 + RETRY_JITTER * (2 * random() - 1));
  const delayMs =
    hintSeconds === null ? scheduledMs : hintedDelay(hintSeconds, attempt, scheduledMs, random());
  const dueAtMs = nowMs + Math.ceil(delayMs / speed);
  return dueAtMs > expiresAtMs ? 'expired' : { dueAtMs };
}

/** Never earlier than the server asked: at most greylisters a retry that comes too soon restarts the wait. */
function hintedDelay(hintSeconds: number, attempt: number, scheduledMs: number, random: number): number {
  const askedMs = Math.min(Math.max(hintSeconds * SECOND_MS, SHORTEST_HINT_MS), LONGEST_HINT_MS);
  const delayMs = askedMs * (1 + RETRY_JITTER * random);
  return attempt <= HINTS_HASTEN_UNTIL_ATTEMPT ? delayMs : Math.max(delayMs, scheduledMs);
}
