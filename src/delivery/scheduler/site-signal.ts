/** The signal of an attempt about its site, apart from its message. Facts only; site-reaction.ts has the policy. Pure. */
import type { SmtpFacts } from '../../protocols/smtp/facts.ts';
import type { RouteProblem } from '../facts.ts';
import type { Outcome } from '../policy/outcome.ts';
import type { OutcomeReason } from '../policy/reasons.ts';
import { isAboutConnections } from '../policy/refusals/connection-words.ts';
import { AFTER_RCPT, GREETING } from '../policy/refusals/table.ts';
import { UNEXPLAINED_BLOCKS } from '../policy/refusals/words-vague.ts';
import type { SitePolicy } from './site.ts';
import type { Why } from './site-condition.ts';

export type SiteSignal =
  /** No server was contacted, or the reply is about something else. */
  | { readonly kind: 'silent' }
  /** The server completes SMTP sessions with us, whatever it replied about the message. */
  | { readonly kind: 'reachable' }
  /** The server could not be reached, closed the connection, or refused the session. */
  | { readonly kind: 'failure'; readonly why: Why }
  /** The server has too many connections of ours; `beside` counts the others. */
  | { readonly kind: 'crowded'; readonly why: Why; readonly beside: number }
  /** The server asks for less mail. */
  | { readonly kind: 'slow_down'; readonly why: Why }
  /** The server asks for no mail for some time. */
  | { readonly kind: 'suspend'; readonly why: Why; readonly minutes: number };

/**
 * Reasons that ask for less mail when they are about our address. A block list that bounces mail (5xx) is among them: mail that
 * is sent at full speed bounces, while mail that waits can be delivered after the delisting.
 */
const REPUTATION: ReadonlySet<OutcomeReason> = new Set<OutcomeReason>([
  'rate_limited',
  'policy_deferral',
  'blocked',
]);

/** Replies that mean that the server accepts mail from no sender now. Greylisting is not among them. */
const UNWELL: ReadonlySet<OutcomeReason> = new Set<OutcomeReason>([
  'host_busy',
  'host_refused_service',
  'host_accepts_no_mail',
  'host_not_accepting',
  'routing_trouble',
  'tls_failed',
  'relay_authentication_failed',
]);

const COUNTING: ReadonlySet<OutcomeReason> = new Set<OutcomeReason>(['rate_limited', 'host_busy']);

const MAX_DETAIL = 300;

interface Tried {
  readonly facts: SmtpFacts | RouteProblem;
  readonly outcome: Outcome;
  /** An attempt was made before. */
  readonly isRetry: boolean;
}

export function signalOf({ facts, outcome, isRetry }: Tried, policy: SitePolicy): SiteSignal {
  if (facts.kind === 'unroutable') return { kind: 'silent' };
  if (facts.kind === 'broken' && facts.failure === 'stopped') return { kind: 'silent' };
  const why = { reason: outcome.reason, detail: toDetail(outcome.text) };
  if (facts.kind !== 'refused')
    return isSiteFailure(outcome) ? { kind: 'failure', why } : { kind: 'reachable' };
  const { phase, reply } = facts;
  const isLearning = policy.congestionControl === 'learning';
  if (isLearning) {
    const suspension = policy.suspensions.find(({ text }) => text.test(reply.text));
    if (suspension !== undefined) return { kind: 'suspend', why, minutes: suspension.minutes };
  }
  if (GREETING.includes(phase) && COUNTING.has(outcome.reason) && isAboutConnections(reply.text))
    return { kind: 'crowded', why, beside: facts.openBeside ?? 0 };
  // Repeated refusals of one recipient say nothing new about the server.
  if (UNWELL.has(outcome.reason) || hangsUp(outcome))
    return isRetry && AFTER_RCPT.includes(phase) ? { kind: 'silent' } : { kind: 'failure', why };
  return isLearning && asksForLess(outcome) ? { kind: 'slow_down', why } : { kind: 'reachable' };
}

/**
 * A refusal of one sender's domain, one message or one recipient says nothing about other mail. A missing reverse DNS or host
 * name is not repaired by sending less.
 */
function asksForLess({ scope, rule, reason }: Outcome): boolean {
  return scope === 'our_address' && !UNEXPLAINED_BLOCKS.has(rule) && REPUTATION.has(reason);
}

/** A 421 without a known reason: the server closes the connection. */
function hangsUp({ code, reason }: Outcome): boolean {
  return code === 421 && (reason === 'temporary_refusal' || reason === 'protocol_refused');
}

/** A failure without a reply counts against the server, unless a domain's TLS policy or the message caused it. */
function isSiteFailure({ kind, scope }: Outcome): boolean {
  return kind !== 'delivered' && (scope === 'their_server' || scope === 'our_address');
}

/** PostgreSQL cannot store half a surrogate pair, which cutting may leave. */
function toDetail(text: string): string {
  return withoutAddresses(text.slice(0, 2 * MAX_DETAIL))
    .slice(0, MAX_DETAIL)
    .toWellFormed();
}

/** The reply is shown to all organizations whose mail waits for the site, so the address that it names is removed. */
function withoutAddresses(text: string): string {
  return text.replace(/[^\s<>"'()[\]]*@[^\s<>"'()[\]]*/g, '…');
}
