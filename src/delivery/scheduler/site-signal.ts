/** What an attempt says about its site, beyond what it says about its message: facts; the policy is elsewhere. Pure. */
import type { SmtpFacts } from '../../kit/smtp/facts.ts';
import type { RouteProblem } from '../facts.ts';
import type { Outcome } from '../policy/outcome.ts';
import type { OutcomeReason } from '../policy/reasons.ts';
import { isAboutConnections } from '../policy/refusals/connection-words.ts';
import { AFTER_RCPT, GREETING } from '../policy/refusals/table.ts';
import { UNEXPLAINED_BLOCKS } from '../policy/refusals/words-vague.ts';
import type { SitePolicy } from './site.ts';
import type { Why } from './site-condition.ts';

export type SiteSignal =
  /** Nobody was spoken to, or what was said is about somebody else. */
  | { readonly kind: 'silent' }
  /** It speaks SMTP with us, whatever it thought of the message. */
  | { readonly kind: 'reachable' }
  /** It could not be reached, hung up, or turned us away at the door. */
  | { readonly kind: 'failure'; readonly why: Why }
  /** It counted our connections, and found one too many, beside so many others. */
  | { readonly kind: 'crowded'; readonly why: Why; readonly beside: number }
  /** It wants less from us. */
  | { readonly kind: 'slow_down'; readonly why: Why }
  /** It wants nothing from us for a while. */
  | { readonly kind: 'suspend'; readonly why: Why; readonly minutes: number };

/**
 * Reasons that mean "you send too much, or we do not like you yet" when they are about our address. A block list that ends
 * deliveries (5xx) is among them: what goes on at full speed is lost for good, what waits can still arrive when we are off
 * the list.
 */
const REPUTATION: ReadonlySet<OutcomeReason> = new Set<OutcomeReason>([
  'rate_limited',
  'policy_deferral',
  'blocked',
]);

/** Replies that mean the server cannot, or will not, deal with anybody now. Greylisting and its like are its way of dealing. */
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
  /** It was tried before. */
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
  // A recipient that is refused again and again says no more about the server than it did at first.
  if (UNWELL.has(outcome.reason) || hangsUp(outcome))
    return isRetry && AFTER_RCPT.includes(phase) ? { kind: 'silent' } : { kind: 'failure', why };
  return isLearning && wantsLess(outcome) ? { kind: 'slow_down', why } : { kind: 'reachable' };
}

/**
 * What one sender's domain, one message or one recipient did says nothing about anybody else's mail. Nor does our reverse
 * DNS or host name get better by sending less.
 */
function wantsLess({ scope, rule, reason }: Outcome): boolean {
  return scope === 'our_address' && !UNEXPLAINED_BLOCKS.has(rule) && REPUTATION.has(reason);
}

/** A 421 without a reason that helps: whatever it is, the server deals with nobody on this connection any more. */
function hangsUp({ code, reason }: Outcome): boolean {
  return code === 421 && (reason === 'temporary_refusal' || reason === 'protocol_refused');
}

/** What went wrong without a reply counts against the server, unless it is the policy of one domain, or the message. */
function isSiteFailure({ kind, scope }: Outcome): boolean {
  return kind !== 'delivered' && (scope === 'their_server' || scope === 'our_address');
}

/** Half a surrogate pair, where it is cut, could not be stored. */
function toDetail(text: string): string {
  return withoutAddresses(text.slice(0, 2 * MAX_DETAIL))
    .slice(0, MAX_DETAIL)
    .toWellFormed();
}

/** What a site said is shown to everybody whose mail waits for it; whose mail it was said about is not their business. */
function withoutAddresses(text: string): string {
  return text.replace(/[^\s<>"'()[\]]*@[^\s<>"'()[\]]*/g, '…');
}
