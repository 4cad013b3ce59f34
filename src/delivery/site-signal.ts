/** What an attempt says about its site, beyond what it says about its message. Pure. */
import type { SmtpFacts } from '../smtp/facts.ts';
import type { Outcome } from './judge.ts';
import type { OutcomeReason } from './reasons.ts';
import { UNEXPLAINED_BLOCKS } from './refusals/words-vague.ts';
import type { RouteProblem } from './route-problem.ts';
import type { SitePolicy } from './site.ts';
import type { Why } from './site-condition.ts';

export type SiteSignal =
  /** Nobody was spoken to. */
  | { readonly kind: 'silent' }
  /** It speaks SMTP with us, whatever it thought of the message. */
  | { readonly kind: 'reachable' }
  /** It could not be reached, hung up, or turned us away at the door. */
  | { readonly kind: 'trouble'; readonly why: Why }
  /** It wants less from us. */
  | { readonly kind: 'slow_down'; readonly why: Why }
  /** It wants nothing from us for a while. */
  | { readonly kind: 'suspend'; readonly why: Why; readonly minutes: number };

/** Reasons that mean "you send too much, or we do not like you yet" when they are about our address. */
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

const MAX_DETAIL = 300;

export function signalOf(facts: SmtpFacts | RouteProblem, outcome: Outcome, policy: SitePolicy): SiteSignal {
  if (facts.kind === 'unroutable') return { kind: 'silent' };
  if (facts.kind === 'broken' && facts.trouble === 'stopped') return { kind: 'silent' };
  const why = { reason: outcome.reason, detail: outcome.text.slice(0, MAX_DETAIL) };
  if (facts.kind === 'refused' && policy.manners === 'learning') {
    const suspension = policy.suspensions.find(({ text }) => text.test(facts.reply.text));
    if (suspension !== undefined) return { kind: 'suspend', why, minutes: suspension.minutes };
  }
  if (facts.kind !== 'refused') return isTrouble(outcome) ? { kind: 'trouble', why } : { kind: 'reachable' };
  if (UNWELL.has(outcome.reason) || hangsUp(outcome)) return { kind: 'trouble', why };
  // What one sender's domain, one message or one recipient did says nothing about anybody else's mail. Nor does our reverse
  // DNS or host name get better by sending less.
  const isOurs = outcome.scope === 'our_address' && !UNEXPLAINED_BLOCKS.has(outcome.rule);
  const wantsLess = isOurs && REPUTATION.has(outcome.reason);
  return wantsLess && policy.manners === 'learning' ? { kind: 'slow_down', why } : { kind: 'reachable' };
}

/** A 421 without a telling reason: whatever it is, the server deals with nobody on this connection any more. */
function hangsUp({ code, reason }: Outcome): boolean {
  return code === 421 && reason === 'temporary_refusal';
}

/** What went wrong without a reply counts against the server, unless it is the policy of one domain, or the message. */
function isTrouble({ kind, scope }: Outcome): boolean {
  return kind !== 'delivered' && (scope === 'their_server' || scope === 'our_address');
}
