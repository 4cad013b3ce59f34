/** For every reason: its meaning, who is responsible, and how to fix the problem. */
import type { Responsible } from '../../explain/explain.ts';
import { OUTCOME_REASONS, type OutcomeReason } from './reasons.ts';

export interface Advice {
  /** What the reason means. */
  readonly meaning: string;
  readonly responsible: Responsible;
  readonly advice: string;
}

type Entry = readonly [responsible: Responsible, advice: string];

const WAIT = 'Nothing: it is retried automatically.';
const ADDRESS = 'Ask the recipient for a working address and stop using this one.';
const THEIR_DOMAIN =
  "Check the spelling of the domain; if it is right, only the domain's owner can fix its DNS.";
const MESSAGE = "Change the message as the server's reply says, and send it as a new email.";
const REPUTATION =
  "Read the server's reply, ask for removal if it names a block list, and check how many bounces and complaints your mail causes.";
const AUTHENTICATION =
  "Check SPF, DKIM and DMARC of the sending domain (GET /domains/:id/verify), and follow the server's reply.";
const REVERSE_DNS =
  'Have the network that the sending address belongs to publish a PTR record for it, with a host name that resolves to that address; POSTRIDER_HOSTNAME should be that name.';
const HOSTNAME =
  'Set POSTRIDER_HOSTNAME to a full host name, such as mail.example.com, that resolves to the sending address.';
const SLOWER = 'Nothing: sending to this provider slows down automatically.';
const OUR_NETWORK =
  'If other domains receive mail, nothing: it is retried. If none do, check that this machine can connect to port 25.';
const TLS = 'Only the owner of the server can fix its TLS. It is retried automatically.';

const DEMAND =
  'Send it without require_tls if it may go like other mail; otherwise reach the recipient in another way.';

const ENTRIES: Readonly<Record<Exclude<OutcomeReason, 'accepted'>, Entry>> = {
  unknown_recipient: ['recipient', ADDRESS],
  recipient_domain_invalid: ['domain_owner', THEIR_DOMAIN],
  domain_accepts_no_mail: ['recipient', ADDRESS],
  domain_not_served: ['domain_owner', THEIR_DOMAIN],
  domain_has_no_servers: ['domain_owner', THEIR_DOMAIN],
  mailbox_moved: ['recipient', ADDRESS],
  mailbox_disabled: ['recipient', ADDRESS],
  mailbox_owner_changed: ['recipient', ADDRESS],
  mailbox_full: ['recipient', 'Tell the recipient in another way that the mailbox is full.'],
  mailbox_unavailable: ['recipient', WAIT],
  recipient_receives_too_fast: ['recipient', WAIT],
  address_being_verified: ['receiver', WAIT],

  message_too_large: ['sender', 'Send a smaller message: replace large files with links.'],
  content_refused: ['sender', MESSAGE],
  smtputf8_unsupported: [
    'recipient',
    'Use an address with only ASCII characters before the @. The message says which one it is: the recipient, the sender or the reply address.',
  ],
  sender_refused: [
    'operator',
    'Check that the domain of the sender and of the return path exist in DNS and accept mail.',
  ],
  mail_loop: ['receiver', "Tell the recipient's postmaster: the servers there forward the mail in a loop."],
  delivery_expired: ['receiver', 'Send it again later.'],
  too_many_recipients: ['receiver', WAIT],
  protocol_refused: [
    'operator',
    'Report this as a bug, with the conversation: the two servers did not understand each other.',
  ],

  blocked: ['operator', REPUTATION],
  authentication_failed: ['domain_owner', AUTHENTICATION],
  reverse_dns_missing: ['operator', REVERSE_DNS],
  hostname_refused: ['operator', HOSTNAME],
  greylisted: ['receiver', 'Nothing: the server waits for a second attempt, and will get one.'],
  rate_limited: ['operator', SLOWER],
  policy_deferral: ['operator', REPUTATION],

  host_busy: ['receiver', WAIT],
  host_refused_service: ['operator', REPUTATION],
  host_accepts_no_mail: ['recipient', ADDRESS],
  host_not_accepting: ['receiver', WAIT],
  routing_trouble: ['receiver', WAIT],
  temporary_refusal: ['receiver', WAIT],
  undetermined: ['receiver', "Read the server's reply, and ask the recipient's postmaster."],

  connection_refused: ['receiver', OUR_NETWORK],
  connection_timed_out: ['receiver', OUR_NETWORK],
  connection_lost: ['receiver', WAIT],
  host_unreachable: ['receiver', OUR_NETWORK],
  tls_failed: ['receiver', TLS],
  dane_failed: ['receiver', TLS],
  mta_sts_failed: ['receiver', TLS],
  requiretls_unsupported: [
    'receiver',
    `${DEMAND} Only the owner of the server, or of the relay, can have it offer REQUIRETLS.`,
  ],
  requiretls_failed: [
    'receiver',
    `${DEMAND} A server is verified by its certificate, and by DNSSEC (POSTRIDER_DANE) or an MTA-STS policy that names it.`,
  ],
  protocol_error: ['receiver', WAIT],
  reply_lost_after_message: ['receiver', 'Nothing: it is retried, and may then arrive twice.'],
  relay_authentication_failed: [
    'operator',
    'Check the user and the password of the relay: in POSTRIDER_RELAY_URL, or of the transport (GET /routes).',
  ],
  source_unavailable: [
    'operator',
    'Add the address to the machine, or take it out of the transport (GET /routes).',
  ],
  no_route: ['operator', 'Look at the transports and their health (GET /routes).'],
  interrupted: ['operator', WAIT],
  dns_unavailable: [
    'domain_owner',
    'If other domains receive mail, nothing. If none do, check the name servers that this machine uses.',
  ],
  private_destination: [
    'domain_owner',
    'If the destination is yours, set POSTRIDER_ALLOW_PRIVATE_DESTINATIONS; otherwise the domain points to an address that is not on the Internet.',
  ],
  domain_removed: ['sender', 'Register the domain again, verify it, and send it as a new email.'],
  domain_unverified: ['domain_owner', AUTHENTICATION],
  key_revoked: [
    'sender',
    'Send it as a new email, if it is still wanted: revoking a key withdraws what it scheduled.',
  ],
  superseded: ['sender', 'Nothing: the newer email with this collapse key is the one to look for.'],
  flood_collapsed: [
    'sender',
    'Find out why the same email was sent to one address so often. If that is intended, add the address to the allow-list of the guard (PUT /settings/guard).',
  ],
  discarded: [
    'sender',
    'Send it again, if it is still wanted: the operator of this installation discarded what was queued.',
  ],
  hold_discarded: [
    'sender',
    'Send it as a new email, if it is still wanted: the hold says who discarded it and why (GET /holds).',
  ],
  approval_rejected: ['sender', 'Nothing: GET /approvals/:id says who rejected it, and why.'],
  approval_expired: [
    'sender',
    'Send it as a new email, if it is still wanted, and have somebody approve it in the dashboard.',
  ],
  sandbox_ended: [
    'sender',
    'Send it as a new email if the recipient should get it: sandbox mail is never delivered.',
  ],
  suppressed: [
    'recipient',
    'Remove the address from the suppression list if you are sure that it works again.',
  ],
  content_gone: ['sender', 'Send it as a new email: the content was removed after the time it is kept.'],
  rendering_failed: [
    'sender',
    'Preview the template with the same data, make it or the data smaller as the answer says, and send it as a new email.',
  ],
  internal_error: ['operator', "Look at the worker's log, and report what it says."],
  lifetime_exceeded: ['receiver', 'Retry it (POST /emails/:id/retry) when the problem is solved.'],
};

/** Null where there is no problem, and for an unknown reason. */
export function adviceOn(reason: string | null): Advice | null {
  if (reason === 'erased') {
    return {
      meaning: 'The recipient was erased before it was sent.',
      responsible: 'sender',
      advice: 'Nothing: somebody asked to be forgotten.',
    };
  }
  if (reason === 'cancelled') {
    return {
      meaning: 'It was cancelled before it was sent.',
      responsible: 'sender',
      advice: 'Send it as a new email.',
    };
  }
  const entry = Object.hasOwn(ENTRIES, reason ?? '') ? ENTRIES[reason as keyof typeof ENTRIES] : undefined;
  if (entry === undefined) return null;
  return { meaning: OUTCOME_REASONS[reason as OutcomeReason], responsible: entry[0], advice: entry[1] };
}
