/**
 * Twenty refusals of a real Postfix, and what users must be told. Where `by` names a part of the conversation, Postfix
 * refuses that part in these words; the others it finds by itself.
 */
import type { OutcomeReason } from '../../src/delivery/policy/reasons.ts';
import { BLOCK_LIST, RECEIVER_DOMAIN, UNSERVED_DOMAIN } from './hosts.ts';

export interface Refusal {
  readonly name: string;
  readonly to?: string;
  readonly by: 'recipient' | 'client' | 'sender' | 'helo' | 'postfix';
  /** What the access map says; for `postfix`, the restriction that is asked for this recipient, if any. */
  readonly says?: string;
  readonly subject?: string;
  readonly text?: string;
  readonly expect: {
    readonly status: 'bounced' | 'deferred';
    /** Null where Postrider knows it before the server is asked. */
    readonly code: number | null;
    readonly reason: OutcomeReason;
    readonly responsible: 'recipient' | 'sender' | 'domain_owner' | 'receiver' | 'operator';
    readonly suppressed?: boolean;
  };
}

/** More than the receiver takes, in lines as people write them. */
export const MAX_OCTETS = 1_500_000;
const TOO_LARGE = `${'All work and no play makes Jack a dull boy.'.padEnd(70, '.')}\n`.repeat(
  1 + MAX_OCTETS / 71,
);

export const VIRUS_SUBJECT = 'An invoice that carries something';
export const SPAM_LINE = 'Buy our miracle pills now';

export const REFUSALS: readonly Refusal[] = [
  {
    name: 'nobody of that name',
    by: 'postfix',
    expect: {
      status: 'bounced',
      code: 550,
      reason: 'unknown_recipient',
      responsible: 'recipient',
      suppressed: true,
    },
  },
  {
    name: 'MX that does not relay',
    to: `ada@${UNSERVED_DOMAIN}`,
    by: 'postfix',
    expect: { status: 'bounced', code: 554, reason: 'domain_not_served', responsible: 'domain_owner' },
  },
  {
    name: 'larger than it takes',
    by: 'postfix',
    text: TOO_LARGE,
    expect: { status: 'bounced', code: null, reason: 'message_too_large', responsible: 'sender' },
  },
  {
    name: 'on a block list',
    by: 'postfix',
    says: `reject_rbl_client ${BLOCK_LIST}`,
    expect: { status: 'bounced', code: 554, reason: 'blocked', responsible: 'operator' },
  },
  {
    name: 'virus, after the message',
    by: 'postfix',
    subject: VIRUS_SUBJECT,
    expect: { status: 'bounced', code: 550, reason: 'content_refused', responsible: 'sender' },
  },
  {
    name: 'spam, after the message',
    by: 'postfix',
    text: `${SPAM_LINE}\n`,
    expect: { status: 'bounced', code: 550, reason: 'content_refused', responsible: 'sender' },
  },
  {
    name: 'mailbox full for now',
    by: 'recipient',
    says: '452 4.2.2 The mailbox is over its quota',
    expect: { status: 'deferred', code: 452, reason: 'mailbox_full', responsible: 'recipient' },
  },
  {
    name: 'mailbox full for good',
    by: 'recipient',
    says: '552 5.2.2 The mailbox is over its quota',
    expect: { status: 'bounced', code: 552, reason: 'mailbox_full', responsible: 'recipient' },
  },
  {
    name: 'postgrey',
    by: 'recipient',
    says: `450 4.2.0 Greylisted, see http://postgrey.schweikert.ch/help/${RECEIVER_DOMAIN}.html`,
    expect: { status: 'deferred', code: 450, reason: 'greylisted', responsible: 'receiver' },
  },
  {
    name: 'no reverse DNS',
    by: 'client',
    says: '450 4.7.25 cannot find your hostname, [192.0.2.1]',
    expect: { status: 'deferred', code: 450, reason: 'reverse_dns_missing', responsible: 'operator' },
  },
  {
    name: 'host name not qualified',
    by: 'helo',
    says: '504 5.5.2 need fully-qualified hostname',
    expect: { status: 'bounced', code: 504, reason: 'hostname_refused', responsible: 'operator' },
  },
  {
    name: 'too much mail from us',
    by: 'client',
    says: '450 4.7.1 Error: too much mail from 192.0.2.1',
    expect: { status: 'deferred', code: 450, reason: 'rate_limited', responsible: 'operator' },
  },
  {
    name: 'verification in progress',
    by: 'recipient',
    says: '450 4.1.1 unverified address: Address verification in progress',
    expect: { status: 'deferred', code: 450, reason: 'address_being_verified', responsible: 'receiver' },
  },
  {
    name: 'Gmail, not authenticated',
    by: 'sender',
    says: '550 5.7.26 This message does not pass authentication checks (SPF and DKIM both do not pass)',
    expect: { status: 'bounced', code: 550, reason: 'authentication_failed', responsible: 'domain_owner' },
  },
  {
    name: 'Exchange, recipient not found',
    by: 'recipient',
    says: '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup',
    expect: {
      status: 'bounced',
      code: 550,
      reason: 'unknown_recipient',
      responsible: 'recipient',
      suppressed: true,
    },
  },
  {
    name: 'sender not welcome',
    by: 'sender',
    says: '554 5.7.1 Access denied',
    expect: { status: 'bounced', code: 554, reason: 'sender_refused', responsible: 'operator' },
  },
  {
    name: 'mailbox disabled',
    by: 'recipient',
    says: '550 5.2.1 The mailbox is disabled',
    expect: {
      status: 'bounced',
      code: 550,
      reason: 'mailbox_disabled',
      responsible: 'recipient',
      suppressed: true,
    },
  },
  {
    name: 'mailbox moved',
    by: 'recipient',
    says: '550 5.1.6 Mailbox has moved',
    expect: {
      status: 'bounced',
      code: 550,
      reason: 'mailbox_moved',
      responsible: 'recipient',
      suppressed: true,
    },
  },
  {
    name: 'lookup fails at theirs',
    by: 'recipient',
    says: '451 4.3.0 Temporary lookup failure',
    expect: { status: 'deferred', code: 451, reason: 'temporary_refusal', responsible: 'receiver' },
  },
  {
    name: 'short of space',
    by: 'recipient',
    says: '452 4.3.1 Insufficient system storage',
    expect: { status: 'deferred', code: 452, reason: 'host_busy', responsible: 'receiver' },
  },
];

export function addressOfRefusal(index: number): string {
  return REFUSALS[index]?.to ?? `refusal${index + 1}@${RECEIVER_DOMAIN}`;
}

/** Of those who are refused for what they are sent, not for who they are. */
export function mailboxesOfRefusals(): string[] {
  return REFUSALS.flatMap((one, i) =>
    one.subject === undefined && one.text === undefined ? [] : [addressOfRefusal(i)],
  );
}
