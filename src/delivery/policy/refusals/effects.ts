/** The consequences of each reason, whichever entry gave it. */
import type { OutcomeReason } from '../reasons.ts';
import type { About } from './table.ts';

interface ReasonEffect {
  readonly about: About;
  /**
   * False: the reply is about a passing state, so that even a 5xx is tried again. 'always': no "try again later" changes
   * that trying the same again is of no use.
   */
  readonly final: boolean | 'always';
  /** A bounce for this reason proves that nobody can be reached there. */
  readonly suppress: boolean;
  /** Another host of the destination may still take it within the same attempt. */
  readonly nextHost: boolean;
  /** The reason of a 4xx that reads like this: what a server says of a mailbox for now proves nothing for good. */
  readonly inTemporaryReply?: OutcomeReason;
}

const GONE: ReasonEffect = { about: 'recipient', final: true, suppress: true, nextHost: false };
const RECIPIENT: ReasonEffect = { ...GONE, suppress: false };
const MESSAGE: ReasonEffect = { ...RECIPIENT, about: 'message' };
const SENDER: ReasonEffect = { ...RECIPIENT, about: 'sender_domain' };
const US: ReasonEffect = { ...RECIPIENT, about: 'our_address' };
const THEM: ReasonEffect = { ...RECIPIENT, about: 'their_server' };
const LASTS = { final: 'always' } as const;
const PASSES = { final: false } as const;
const ELSEWHERE = { nextHost: true } as const;

/** Reasons that a reply can be read as; the others come from facts without one. */
const EFFECTS: Partial<Record<OutcomeReason, ReasonEffect>> = {
  unknown_recipient: { ...GONE, inTemporaryReply: 'mailbox_unavailable' },
  recipient_domain_invalid: GONE,
  domain_accepts_no_mail: GONE,
  mailbox_moved: { ...GONE, ...LASTS },
  mailbox_disabled: GONE,
  // Its new owner may want our mail.
  mailbox_owner_changed: { ...RECIPIENT, ...LASTS },
  domain_not_served: RECIPIENT,
  mailbox_full: RECIPIENT,
  mailbox_unavailable: RECIPIENT,
  recipient_receives_too_fast: { ...RECIPIENT, ...PASSES },
  address_being_verified: { ...RECIPIENT, ...PASSES },

  message_too_large: { ...MESSAGE, ...LASTS },
  content_refused: MESSAGE,
  smtputf8_unsupported: { ...MESSAGE, ...LASTS },
  requiretls_unsupported: { ...MESSAGE, ...LASTS, ...ELSEWHERE },
  mail_loop: { ...MESSAGE, ...LASTS },
  too_many_recipients: { ...MESSAGE, ...PASSES },

  sender_refused: SENDER,
  authentication_failed: SENDER,

  blocked: US,
  reverse_dns_missing: US,
  hostname_refused: US,
  protocol_refused: US,
  rate_limited: { ...US, ...PASSES },
  policy_deferral: { ...US, ...PASSES },

  delivery_expired: { ...THEM, ...LASTS },
  undetermined: THEM,
  host_accepts_no_mail: { ...THEM, ...ELSEWHERE },
  host_refused_service: { ...THEM, ...ELSEWHERE },
  host_busy: { ...THEM, ...PASSES, ...ELSEWHERE },
  host_not_accepting: { ...THEM, ...ELSEWHERE },
  routing_trouble: THEM,
  temporary_refusal: { ...THEM, ...PASSES },
  greylisted: { ...THEM, ...PASSES },
  tls_failed: { ...THEM, ...PASSES, ...ELSEWHERE },
  relay_authentication_failed: { ...US, ...PASSES },
};

/** What a rule's reason means in a reply with this code. */
export function reasonIn(code: number, reason: OutcomeReason): OutcomeReason {
  return code >= 500 ? reason : (effectOf(reason).inTemporaryReply ?? reason);
}

export function effectOf(reason: OutcomeReason): ReasonEffect {
  return EFFECTS[reason] ?? THEM;
}
