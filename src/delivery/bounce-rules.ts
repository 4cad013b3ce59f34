/**
 * What refusals mean, as data. The first rule that matches decides; the order is: where in the conversation it
 * happened, what a known provider's words mean, the enhanced code, the basic code, the first digit.
 *
 * Two things are never lost sight of: only failures of the recipient itself suppress an address, and a refusal of
 * the sender (policy, reputation, MAIL FROM) never does, whatever codes come with it.
 */
import type { SmtpPhase } from '../smtp/facts.ts';
import {
  BLOCKLIST_WORDS,
  NO_SERVICE_WORDS,
  NOT_SERVED_WORDS,
  POLICY_WORDS,
  QUOTA_WORDS,
  RATE_WORDS,
  SIZE_WORDS,
  UNKNOWN_USER_WORDS,
} from './bounce-words.ts';
import type { PROVIDER_DOMAINS } from './providers.ts';
import type { OutcomeReason } from './reasons.ts';

export type OutcomeScope = 'host' | 'message' | 'recipient';

export interface BounceRule {
  readonly id: string;
  readonly phases?: readonly SmtpPhase[];
  readonly provider?: keyof typeof PROVIDER_DOMAINS;
  readonly codes?: readonly number[];
  readonly permanent?: boolean;
  /** 'x' stands for any class or number; null wants a reply without enhanced code. */
  readonly enhanced?: readonly string[] | null;
  readonly text?: RegExp;
  readonly means: Meaning;
}

export interface Meaning {
  readonly reason: OutcomeReason;
  /** `by_code`: 4xx defers, 5xx bounces. */
  readonly action: 'by_code' | 'defer' | 'bounce';
  readonly scope: OutcomeScope;
  /** Only has an effect on a bounce. */
  readonly suppress?: true;
  /** Another host of the destination may still take it within the same attempt. */
  readonly nextHost?: true;
}

type Consequence = Pick<Meaning, 'suppress' | 'nextHost'>;
const SUPPRESS: Consequence = { suppress: true };
const NEXT_HOST: Consequence = { nextHost: true };

const BEFORE_MAIL = ['banner', 'ehlo'] as const;
const NOT_SERVED: Meaning = byCode('domain_not_served', 'recipient');
const ABOUT_RECIPIENT = ['rcpt', 'data', 'body', 'dot'] as const;

/** SPF, DKIM, DMARC, ARC and the sender's own DNS. */
const AUTHENTICATION = [
  '5.7.20',
  '5.7.21',
  '5.7.22',
  '5.7.23',
  '5.7.24',
  '5.7.26',
  '5.7.27',
  '5.7.29',
  '5.7.515',
];

const PHASE_RULES: readonly BounceRule[] = [
  { id: '421-rate', codes: [421], text: RATE_WORDS, means: defer('rate_limited', 'host') },
  { id: '421', codes: [421], means: defer('host_busy', 'host', NEXT_HOST) },
  {
    id: 'greeting-521',
    phases: BEFORE_MAIL,
    codes: [521],
    means: bounce('host_accepts_no_mail', 'host', NEXT_HOST),
  },
  {
    id: 'greeting-no-service',
    phases: BEFORE_MAIL,
    codes: [554],
    text: NO_SERVICE_WORDS,
    means: bounce('host_accepts_no_mail', 'host', NEXT_HOST),
  },
  {
    id: 'greeting-blocked',
    phases: BEFORE_MAIL,
    permanent: true,
    text: BLOCKLIST_WORDS,
    means: defer('blocked', 'host', NEXT_HOST),
  },
  {
    id: 'greeting-5xx',
    phases: BEFORE_MAIL,
    permanent: true,
    means: defer('host_refused_service', 'host', NEXT_HOST),
  },
  { id: 'greeting-4xx', phases: BEFORE_MAIL, means: defer('host_busy', 'host', NEXT_HOST) },
  { id: 'starttls', phases: ['starttls'], means: defer('tls_failed', 'host', NEXT_HOST) },
  { id: 'auth', phases: ['auth'], means: defer('relay_authentication_failed', 'host') },
];

/** 5xx at MAIL FROM is about the sender or the message; codes that elsewhere blame the recipient do not here. */
const SENDER_RULES: readonly BounceRule[] = [
  {
    id: 'mail-size',
    phases: ['mail'],
    permanent: true,
    enhanced: ['5.3.4', '5.2.3'],
    means: bounce('message_too_large', 'message'),
  },
  { id: 'mail-552', phases: ['mail'], codes: [552], means: bounce('message_too_large', 'message') },
  {
    id: 'mail-smtputf8',
    phases: ['mail'],
    permanent: true,
    enhanced: ['5.6.7'],
    means: bounce('smtputf8_unsupported', 'message'),
  },
  {
    id: 'mail-authentication',
    phases: ['mail'],
    permanent: true,
    enhanced: [...AUTHENTICATION, '5.7.25'],
    means: bounce('authentication_failed', 'message'),
  },
  {
    id: 'mail-policy',
    phases: ['mail'],
    permanent: true,
    enhanced: ['5.7.x'],
    means: bounce('blocked', 'message'),
  },
  {
    id: 'mail-blocklist',
    phases: ['mail'],
    permanent: true,
    text: BLOCKLIST_WORDS,
    means: bounce('blocked', 'message'),
  },
  { id: 'mail-5xx', phases: ['mail'], permanent: true, means: bounce('sender_refused', 'message') },
];

const TEXT_RULES: readonly BounceRule[] = [
  // Before all else: it is about the recipient's DNS, whatever code and whatever other words come with it.
  { id: 'domain-not-served', phases: ABOUT_RECIPIENT, text: NOT_SERVED_WORDS, means: NOT_SERVED },
  {
    id: 'google-receiving-rate',
    phases: ABOUT_RECIPIENT,
    text: /ReceivingRate|receiving (?:mail|email) (?:at a rate|too (?:fast|quickly))/i,
    means: byCode('recipient_receives_too_fast', 'recipient'),
  },
  {
    id: 'microsoft-directory-edge',
    phases: ABOUT_RECIPIENT,
    permanent: true,
    enhanced: ['5.4.1'],
    text: /recipient address rejected: access denied/i,
    means: bounce('unknown_recipient', 'recipient', SUPPRESS),
  },
  {
    id: 'microsoft-mailbox-unavailable',
    phases: ABOUT_RECIPIENT,
    provider: 'microsoft',
    permanent: true,
    enhanced: ['5.5.0'],
    text: /mailbox unavailable/i,
    means: bounce('unknown_recipient', 'recipient', SUPPRESS),
  },
  {
    id: 'microsoft-busy',
    provider: 'microsoft',
    permanent: false,
    text: /\bRP-00\d\b|server busy/i,
    means: defer('rate_limited', 'host'),
  },
  { id: 'yahoo-reputation', permanent: false, text: /\[TSS?\d+\]/, means: defer('rate_limited', 'host') },
  {
    id: 'yahoo-no-account',
    phases: ABOUT_RECIPIENT,
    provider: 'yahoo',
    permanent: true,
    text: /doesn't have a \S+ account|no such user/i,
    means: bounce('unknown_recipient', 'recipient', SUPPRESS),
  },
  {
    id: 'yahoo-disabled',
    phases: ABOUT_RECIPIENT,
    provider: 'yahoo',
    permanent: true,
    text: /mailbox is disabled|account (?:has been )?disabled/i,
    means: bounce('mailbox_disabled', 'recipient', SUPPRESS),
  },
  { id: 'too-many-recipients', text: /too many recipients/i, means: defer('too_many_recipients', 'message') },
  { id: 'greylisting', permanent: false, text: /gr[ae]y.?list/i, means: defer('greylisted', 'recipient') },
  { id: 'rate', permanent: false, text: RATE_WORDS, means: defer('rate_limited', 'host') },
  { id: 'blocklist', permanent: true, text: BLOCKLIST_WORDS, means: bounce('blocked', 'message') },
  {
    id: 'quota-words',
    phases: ABOUT_RECIPIENT,
    enhanced: null,
    text: QUOTA_WORDS,
    means: byCode('mailbox_full', 'recipient'),
  },
  { id: 'size-words', enhanced: null, text: SIZE_WORDS, means: byCode('message_too_large', 'message') },
  {
    id: 'policy-words',
    permanent: true,
    enhanced: null,
    text: POLICY_WORDS,
    means: bounce('blocked', 'message'),
  },
  {
    id: 'unknown-user-words',
    phases: ['rcpt'],
    codes: [550],
    enhanced: null,
    text: UNKNOWN_USER_WORDS,
    means: bounce('unknown_recipient', 'recipient', SUPPRESS),
  },
];

const ENHANCED_RULES: readonly BounceRule[] = [
  recipient('mailbox-unknown', ['x.1.1', 'x.1.3'], 'unknown_recipient'),
  recipient('domain-unknown', ['x.1.2', '5.4.4'], 'recipient_domain_invalid'),
  recipient('domain-null-mx', ['x.1.10'], 'domain_accepts_no_mail'),
  recipient('mailbox-moved', ['x.1.6'], 'mailbox_moved'),
  recipient('mailbox-disabled', ['5.2.1', '5.7.13'], 'mailbox_disabled'),
  recipient('owner-changed', ['5.7.17', '5.7.18'], 'mailbox_owner_changed'),
  enhanced('mailbox-busy', ['4.2.1'], byCode('mailbox_unavailable', 'recipient')),
  enhanced('mailbox-full', ['x.2.2'], byCode('mailbox_full', 'recipient')),
  enhanced('too-large', ['x.2.3', 'x.3.4'], byCode('message_too_large', 'message')),
  enhanced('sender-address', ['x.1.7', 'x.1.8'], byCode('sender_refused', 'message')),
  enhanced('host-trouble', ['4.3.x', '4.4.1', '4.4.2'], byCode('host_not_accepting', 'host')),
  enhanced('host-routing', ['4.4.3', '4.4.4'], byCode('routing_trouble', 'host')),
  enhanced('loop', ['x.4.6'], bounce('mail_loop', 'message')),
  enhanced('expired', ['x.4.7'], byCode('delivery_expired', 'message')),
  enhanced('recipient-count', ['x.5.3'], defer('too_many_recipients', 'message')),
  enhanced('smtputf8', ['5.6.7'], byCode('smtputf8_unsupported', 'message')),
  enhanced('protocol', ['5.5.x'], byCode('protocol_refused', 'message')),
  enhanced('content', ['5.6.x'], byCode('content_refused', 'message')),
  { id: 'greylisting-code', codes: [450, 451], enhanced: ['4.7.1'], means: defer('greylisted', 'recipient') },
  enhanced('policy-4xx', ['4.7.x'], byCode('policy_deferral', 'host')),
  enhanced('authentication', AUTHENTICATION, byCode('authentication_failed', 'message')),
  enhanced('reverse-dns', ['5.7.25'], byCode('authentication_failed', 'host')),
  enhanced('blocked-address', ['5.7.28', '5.7.606'], byCode('blocked', 'host')),
  enhanced('policy-5xx', ['5.7.x'], byCode('blocked', 'message')),
];

const CODE_RULES: readonly BounceRule[] = [
  {
    id: '556',
    phases: ABOUT_RECIPIENT,
    codes: [556],
    means: bounce('domain_accepts_no_mail', 'recipient', SUPPRESS),
  },
  {
    id: '552',
    phases: ABOUT_RECIPIENT,
    codes: [552],
    enhanced: null,
    means: bounce('mailbox_full', 'recipient'),
  },
  { id: '450', codes: [450], means: defer('mailbox_unavailable', 'recipient') },
  { id: '452', codes: [452], means: defer('host_not_accepting', 'host') },
  { id: '500', codes: [500, 501, 502, 503, 504, 555], means: bounce('protocol_refused', 'message') },
  { id: 'rcpt-4xx', phases: ['rcpt'], permanent: false, means: defer('temporary_refusal', 'recipient') },
  { id: '4xx', permanent: false, means: defer('temporary_refusal', 'message') },
  { id: 'rcpt-5xx', phases: ['rcpt'], permanent: true, means: bounce('undetermined', 'recipient') },
  { id: '5xx', permanent: true, means: bounce('undetermined', 'message') },
];

export const BOUNCE_RULES: readonly BounceRule[] = [
  ...PHASE_RULES,
  ...SENDER_RULES,
  ...TEXT_RULES,
  ...ENHANCED_RULES,
  ...CODE_RULES,
];

function recipient(id: string, codes: readonly string[], reason: OutcomeReason): BounceRule {
  return { id, phases: ABOUT_RECIPIENT, enhanced: codes, means: byCode(reason, 'recipient', SUPPRESS) };
}

function enhanced(id: string, codes: readonly string[], means: Meaning): BounceRule {
  return { id, enhanced: codes, means };
}

function byCode(reason: OutcomeReason, scope: OutcomeScope, more: Consequence = {}): Meaning {
  return { reason, action: 'by_code', scope, ...more };
}

function defer(reason: OutcomeReason, scope: OutcomeScope, more: Consequence = {}): Meaning {
  return { reason, action: 'defer', scope, ...more };
}

function bounce(reason: OutcomeReason, scope: OutcomeScope, more: Consequence = {}): Meaning {
  return { reason, action: 'bounce', scope, ...more };
}
