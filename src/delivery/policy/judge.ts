/** The failure policy: turns the facts of an attempt into its outcome. Pure. */
import type {
  MessageTls,
  SmtpBroken,
  SmtpFacts,
  SmtpFailure,
  SmtpLocal,
  SmtpReply,
  TlsPolicy,
} from '../../protocols/smtp/facts.ts';
import type { RouteProblem, Utf8Address } from '../facts.ts';
import type { Bounced, Deferred, Delivered, Outcome, OutcomeDetails } from './outcome.ts';
import type { OutcomeReason } from './reasons.ts';
import { effectOf, reasonIn } from './refusals/effects.ts';
import { type Reading, type Refusal, readRefusal } from './refusals/read.ts';
import { GREETING } from './refusals/table.ts';

interface JudgeContext {
  /** The number of this attempt, counting from 1. */
  readonly attempt: number;
  /** The reason for the TLS settings. With `dane` and `mta_sts` the recipient's domain restricts its mail hosts. */
  readonly tlsPolicy?: TlsPolicy | undefined;
  /** The message's own requirement for TLS. */
  readonly messageTls?: MessageTls | undefined;
  /** The address that needs a server with SMTPUTF8. */
  readonly utf8Address?: Utf8Address | null;
  /** A relay of the route table replied, not a server of the recipient's domain. */
  readonly byRelay?: boolean | undefined;
}

/** A domain whose hosts have no address is retried for about an hour. */
const ATTEMPTS_WITHOUT_ADDRESSES = 6;

export function judge(facts: SmtpFacts | RouteProblem, context: JudgeContext): Outcome {
  switch (facts.kind) {
    case 'accepted':
      return delivered(facts.reply);
    case 'refused':
      return underPolicy(
        underDemand(context.byRelay === true ? judgeRelay(facts) : judgeConversation(facts), facts, context),
        context,
      );
    case 'broken':
      return underPolicy(underDemand(judgeBroken(facts), facts, context), context);
    case 'local':
      return underPolicy(underDemand(judgeLocal(facts, context), facts, context), context);
    case 'unroutable':
      return judgeRoute(facts, context);
  }
}

/** Problems of our address that can be repaired while mail waits: a listing ends, or a DNS record or setting is corrected. */
const REPAIRABLE: ReadonlySet<OutcomeReason> = new Set<OutcomeReason>([
  'blocked',
  'reverse_dns_missing',
  'hostname_refused',
]);

/**
 * A server has not seen the mail yet when it sends its greeting, so an objection to our address is not about this message or
 * its recipient. The mail is retried for its whole lifetime, unless the server says that the refusal is permanent.
 */
function judgeConversation(refusal: Refusal): Deferred | Bounced {
  const reading = readRefusal(refusal);
  const outcome = judgeReading(refusal, reading);
  const isOurs = outcome.scope === 'our_address' && REPAIRABLE.has(outcome.reason);
  if (outcome.kind === 'deferred' || !isOurs || reading.lasting) return outcome;
  return GREETING.includes(refusal.phase) ? waiting(outcome) : outcome;
}

const WANTS_AUTH: ReadonlySet<number> = new Set([530, 534, 535, 538]);

/**
 * A relay that refuses our connection or refuses to relay says nothing about the recipient. Another transport is tried at once.
 * Without another transport, the mail waits.
 */
function judgeRelay(refusal: Refusal): Deferred | Bounced {
  const outcome = judgeConversation(refusal);
  const { phase, reply } = refusal;
  const isBeforeMail = GREETING.includes(phase) || phase === 'starttls' || phase === 'auth';
  const isUnauthorized = WANTS_AUTH.has(reply.code) || outcome.reason === 'domain_not_served';
  if (!isBeforeMail && !isUnauthorized) return outcome;
  const why = isUnauthorized ? { reason: 'relay_authentication_failed', scope: 'our_address' } : {};
  return waiting({ ...outcome, ...(why as Partial<OutcomeDetails>), nextHost: true });
}

/** Judges a reply without the context of our session. Also for replies that delivery reports quote. */
export function judgeRefusal(refusal: Refusal): Deferred | Bounced {
  return judgeReading(refusal, readRefusal(refusal));
}

/** A 4xx is never final. A 5xx is final, unless its reason or its text says that the problem is temporary. */
export function judgeReading(
  refusal: Refusal,
  { entry, passing }: Pick<Reading, 'entry' | 'passing'>,
): Deferred | Bounced {
  const { code, enhanced, text } = refusal.reply;
  const reason = reasonIn(code, entry.means);
  const effect = effectOf(reason);
  // After a refusal at the greeting the next host is tried, but not where we send too much.
  const isAtGreeting = GREETING.includes(refusal.phase) && reason !== 'rate_limited';
  const scope = entry.about ?? effect.about;
  // After a 421 the server closes the connection. The next host may work.
  const hangsUp = code === 421 && scope === 'their_server' && reason !== 'greylisted';
  const common = {
    scope,
    reason,
    code,
    enhanced,
    text,
    rule: entry.id,
    nextHost: effect.nextHost || isAtGreeting || hangsUp,
  };
  const isFinal = entry.final ?? (effect.final === 'always' || (effect.final && !passing));
  if (code >= 500 && isFinal) {
    const suppress = effect.suppress && entry.keep !== true ? 'hard_bounce' : null;
    return { kind: 'bounced', ...common, suppress };
  }
  return waiting(common);
}

function waiting(details: OutcomeDetails): Deferred {
  const retryHintSeconds = parseRetryHint(details.text);
  return { ...details, kind: 'deferred', suppress: null, ambiguous: false, retryHintSeconds };
}

function delivered({ code, enhanced, text }: SmtpReply): Delivered {
  const common = { reason: 'accepted', rule: 'accepted', scope: 'recipient', nextHost: false } as const;
  return { kind: 'delivered', code, enhanced, text, suppress: null, ...common };
}

const FAILURE_REASONS: Record<SmtpFailure, OutcomeReason> = {
  timeout: 'connection_timed_out',
  closed: 'connection_lost',
  reset: 'connection_lost',
  refused: 'connection_refused',
  unreachable: 'host_unreachable',
  no_source: 'source_unavailable',
  tls: 'tls_failed',
  certificate: 'tls_failed',
  injection: 'tls_failed',
  garbage: 'protocol_error',
  stopped: 'interrupted',
};

/** After the final dot no other host may be tried, because the first host may have the message. */
function judgeBroken({ failure, detail, phase, afterDot }: SmtpBroken): Deferred {
  const interrupted = failure === 'stopped';
  const isOurs = interrupted || failure === 'no_source';
  return {
    kind: 'deferred',
    scope: isOurs ? 'message' : 'their_server',
    reason: afterDot ? 'reply_lost_after_message' : FAILURE_REASONS[failure],
    code: null,
    enhanced: null,
    text: `${phase}: ${detail}`,
    rule: afterDot ? 'lost-after-dot' : `broken-${failure}`,
    nextHost: !afterDot && !interrupted,
    suppress: null,
    ambiguous: afterDot,
    retryHintSeconds: null,
  };
}

/**
 * Mail that demands TLS bounces where the server offers no TLS or has the wrong certificate, because retries would not help.
 * The mail waits where the domain's own DANE or MTA-STS policy promises TLS, where a relay has the wrong certificate, and after
 * other TLS failures. No outcome counts against the server for other mail.
 */
function underDemand<O extends Outcome>(
  outcome: O,
  facts: SmtpFacts,
  { messageTls, tlsPolicy }: JudgeContext,
): O | Outcome {
  if (messageTls !== 'required' || outcome.reason !== 'tls_failed') return outcome;
  const isPromised = tlsPolicy === 'dane' || tlsPolicy === 'mta_sts';
  if (isPromised) return outcome;
  const isOffered = facts.kind !== 'local' || facts.problem !== 'starttls_not_offered';
  const isForeign = facts.kind === 'broken' && facts.failure === 'certificate' && tlsPolicy !== 'relay';
  if (isOffered && !isForeign) return { ...outcome, scope: 'message', reason: 'requiretls_failed' };
  return unmet('requiretls_failed', outcome.text, outcome.rule);
}

function unmet(reason: 'requiretls_unsupported' | 'requiretls_failed', text: string, rule: string): Bounced {
  const enhanced = reason === 'requiretls_unsupported' ? '5.7.30' : '5.7.10';
  const common = { kind: 'bounced', scope: 'message', code: null, suppress: null, nextHost: true } as const;
  return { ...common, reason, enhanced, text, rule: `demanded-${rule}` };
}

/** A failure of one domain's TLS policy says nothing about the host for other domains. */
function underPolicy<O extends Outcome>(outcome: O, { tlsPolicy }: JudgeContext): O {
  if (outcome.reason !== 'tls_failed' || (tlsPolicy !== 'dane' && tlsPolicy !== 'mta_sts')) return outcome;
  const rule = `${tlsPolicy === 'dane' ? 'dane' : 'mta-sts'}-${outcome.rule}`;
  return { ...outcome, scope: 'recipient', reason: `${tlsPolicy}_failed`, rule };
}

function judgeLocal({ problem, detail }: SmtpLocal, { utf8Address }: JudgeContext): Outcome {
  const common = { code: null, text: detail, rule: `local-${problem}`, suppress: null };
  const permanent = { ...common, kind: 'bounced', scope: 'message', nextHost: false } as const;
  const temporary = {
    ...common,
    kind: 'deferred',
    scope: 'their_server',
    enhanced: null,
    ...NO_HINT,
  } as const;
  switch (problem) {
    case 'too_large':
      return { ...permanent, reason: 'message_too_large', enhanced: '5.3.4' };
    case 'smtputf8_unsupported':
      return {
        ...permanent,
        ...needOfUtf8(utf8Address, detail),
        reason: 'smtputf8_unsupported',
        enhanced: '5.6.7',
      };
    case 'requiretls_not_offered':
      return unmet('requiretls_unsupported', detail, common.rule);
    case 'server_unproven':
      return unmet('requiretls_failed', detail, common.rule);
    case 'server_proof_unknown':
      return { ...temporary, scope: 'message', reason: 'requiretls_failed', nextHost: true };
    case 'starttls_not_offered':
      return { ...temporary, reason: 'tls_failed', nextHost: true };
    case 'auth_not_offered':
    case 'auth_needs_tls':
      return { ...temporary, scope: 'our_address', reason: 'relay_authentication_failed', nextHost: false };
  }
}

const UTF8_SCOPES = {
  recipient: ['recipient', "the recipient's address"],
  sender: ['sender_domain', "the sender's address"],
  reply_to: ['message', 'the address in Reply-To'],
  other_recipient: ['message', "another recipient's address"],
} as const;

/** Names the address that needs SMTPUTF8, which may be another one than the recipient's. */
function needOfUtf8(
  address: Utf8Address | null | undefined,
  detail: string,
): Pick<OutcomeDetails, 'scope' | 'text'> {
  if (address === null || address === undefined) return { scope: 'message', text: detail };
  const [scope, whose] = UTF8_SCOPES[address.whose];
  return { scope, text: `${detail}, which ${whose} ${address.email} needs` };
}

function judgeRoute({ problem, detail }: RouteProblem, { attempt }: JudgeContext): Outcome {
  const common = { code: null, text: detail, rule: `route-${problem}`, nextHost: false };
  const gone = { ...common, kind: 'bounced', scope: 'recipient', suppress: 'hard_bounce' } as const;
  const wait = { ...common, kind: 'deferred', scope: 'recipient', suppress: null, ...NO_HINT } as const;
  switch (problem) {
    case 'nxdomain':
      return { ...gone, reason: 'recipient_domain_invalid', enhanced: '5.1.2' };
    case 'null_mx':
      return { ...gone, reason: 'domain_accepts_no_mail', enhanced: '5.1.10' };
    case 'no_addresses':
      if (attempt < ATTEMPTS_WITHOUT_ADDRESSES)
        return { ...wait, reason: 'domain_has_no_servers', enhanced: '4.4.4' };
      return { ...gone, suppress: null, reason: 'domain_has_no_servers', enhanced: '5.4.4' };
    case 'dns_unavailable':
      return { ...wait, reason: 'dns_unavailable', enhanced: '4.4.3' };
    case 'mta_sts_failed':
      return { ...wait, reason: 'mta_sts_failed', enhanced: '4.7.5' };
    case 'no_route':
      return { ...wait, scope: 'message', reason: 'no_route', enhanced: '4.4.4' };
    case 'private_destination':
      return {
        ...common,
        kind: 'failed',
        scope: 'recipient',
        suppress: null,
        reason: 'private_destination',
        enhanced: null,
      };
  }
}

const NO_HINT = { ambiguous: false, retryHintSeconds: null } as const;

const LONGEST_HINT_SECONDS = 4 * 3600;

const UNIT_SECONDS: Record<string, number> = { s: 1, m: 60, h: 3600 };
const AMOUNT = String.raw`(\d{1,6})\s*(s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?)\b`;
const AFTER_ASKING = new RegExp(
  String.raw`(?:try (?:it )?again|retry|come back|re-?send|wait|list(?:ed|ing)?)\b[^.;]{0,40}?\b${AMOUNT}`,
  'i',
);
const BEFORE_ASKING = new RegExp(String.raw`\b(?:in|after|for)\s+${AMOUNT}[^.;]{0,30}(?:try|retry)`, 'i');
const AS_CLOCK =
  /(?:try again|retry|come back|wait|list(?:ed|ing)?)\b[^.;]{0,40}?\b(\d{1,2}):(\d{2}):(\d{2})\b/i;

/** The wait that the server's reply names, in seconds; null where it names none. */
export function parseRetryHint(text: string): number | null {
  const seconds = amountIn(text) ?? clockIn(text);
  if (seconds === null || seconds <= 0) return null;
  return Math.min(seconds, LONGEST_HINT_SECONDS);
}

function amountIn(text: string): number | null {
  const match = AFTER_ASKING.exec(text) ?? BEFORE_ASKING.exec(text);
  if (match === null) return null;
  const unit = (match[2] ?? '').charAt(0).toLowerCase();
  return Number(match[1]) * (UNIT_SECONDS[unit] ?? 0);
}

function clockIn(text: string): number | null {
  const match = AS_CLOCK.exec(text);
  if (match === null) return null;
  return Number(match[1]) * 3600 + Number(match[2]) * 60 + Number(match[3]);
}
