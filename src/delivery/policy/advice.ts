/** For every reason: its meaning, who is responsible, and how to fix the problem. */
import type { Responsible } from '../../explain/explain.ts';
import { OUTCOME_REASONS, type OutcomeReason } from './reasons.ts';

interface Advice {
  /** What the reason means. */
  readonly meaning: string;
  readonly responsible: Responsible;
  readonly advice: string;
}

type Entry = readonly [responsible: Responsible, advice: string];

const WAIT = 'Nothing: Postrider retries automatically.';
const ADDRESS = 'Ask the recipient for a working address and stop using this one.';
const THEIR_DOMAIN =
  "Check the spelling of the domain; if it is right, only the domain's owner can fix its DNS.";
const MESSAGE = "Change the message as the server's reply says, and send it as a new email.";
const REPUTATION =
  "Read the server's reply. If the reply names a block list, request removal from the list. Check how many bounces and complaints your mail causes.";
const AUTHENTICATION =
  "Check SPF, DKIM and DMARC of the sending domain (GET /domains/:id/verify), and follow the server's reply.";
const REVERSE_DNS =
  'Ask the provider of the sending address to publish a PTR record with a host name that resolves to the address. Set POSTRIDER_HOSTNAME to the same name.';
const HOSTNAME =
  'Set POSTRIDER_HOSTNAME to a full host name, such as mail.example.com, that resolves to the sending address.';
const SLOWER = 'Nothing: sending to this provider slows down automatically.';
const OUR_NETWORK =
  'If other domains receive mail, do nothing: Postrider retries. If no domain receives mail, check that this machine can connect to port 25.';
const TLS = 'Only the owner of the server can fix its TLS. Postrider retries the delivery automatically.';

const DEMAND =
  'Send the email without require_tls if unverified TLS is acceptable; otherwise contact the recipient in another way.';

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
    'Use an address with only ASCII characters before the @. The message names the address: the recipient, the sender or the reply address.',
  ],
  sender_refused: [
    'operator',
    'Check that the domain of the sender and of the return path exist in DNS and accept mail.',
  ],
  mail_loop: ['receiver', "Tell the recipient's postmaster: the servers there forward the mail in a loop."],
  delivery_expired: ['receiver', 'Send the email again later.'],
  too_many_recipients: ['receiver', WAIT],
  protocol_refused: [
    'operator',
    'Report this as a bug, with the SMTP conversation: one of the two servers violated the protocol.',
  ],

  blocked: ['operator', REPUTATION],
  authentication_failed: ['domain_owner', AUTHENTICATION],
  reverse_dns_missing: ['operator', REVERSE_DNS],
  hostname_refused: ['operator', HOSTNAME],
  greylisted: [
    'receiver',
    'Nothing: the server expects a second attempt, and Postrider makes it automatically.',
  ],
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
    `${DEMAND} Only the owner of the server or relay can enable REQUIRETLS.`,
  ],
  requiretls_failed: [
    'receiver',
    `${DEMAND} A server is verified by its certificate, and by DNSSEC (POSTRIDER_DANE) or an MTA-STS policy with the name of the server.`,
  ],
  protocol_error: ['receiver', WAIT],
  reply_lost_after_message: ['receiver', 'Nothing: Postrider retries, and the email may then arrive twice.'],
  relay_authentication_failed: [
    'operator',
    'Check the user and the password of the relay: in POSTRIDER_RELAY_URL, or of the transport (GET /routes).',
  ],
  source_unavailable: [
    'operator',
    'Add the address to the machine, or remove the address from the transport (PUT /routes).',
  ],
  no_route: ['operator', 'Check the transports and their health (GET /routes).'],
  interrupted: ['operator', WAIT],
  dns_unavailable: [
    'domain_owner',
    'If other domains receive mail, do nothing. If no domain receives mail, check the name servers that this machine uses.',
  ],
  private_destination: [
    'domain_owner',
    'If the destination is yours, set POSTRIDER_ALLOW_PRIVATE_DESTINATIONS; otherwise the domain points to an address that is not on the Internet.',
  ],
  domain_removed: ['sender', 'Register and verify the domain again, and send the message as a new email.'],
  domain_unverified: ['domain_owner', AUTHENTICATION],
  key_revoked: [
    'sender',
    'If the message is still wanted, send it as a new email: revoking a key withdraws the emails that the key scheduled.',
  ],
  superseded: ['sender', 'Nothing: look for the newer email with this collapse key.'],
  flood_collapsed: [
    'sender',
    'Find out why the same email was sent to one address repeatedly. If that is intended, add the address to the allow-list of the guard (PUT /settings/guard).',
  ],
  discarded: [
    'sender',
    'If the message is still wanted, send it again: the operator of this installation discarded the queue.',
  ],
  hold_discarded: [
    'sender',
    'If the message is still wanted, send it as a new email. GET /holds shows who discarded the hold, and why.',
  ],
  approval_rejected: ['sender', 'Nothing: GET /approvals/:id shows who rejected the email, and why.'],
  approval_expired: [
    'sender',
    'If the message is still wanted, send it as a new email, and ask a member to approve it in the dashboard.',
  ],
  sandbox_ended: [
    'sender',
    'If the recipient should get the message, send it as a new email: sandbox mail is never delivered.',
  ],
  suppressed: [
    'recipient',
    'If you are sure that the address works again, remove it from the suppression list.',
  ],
  content_gone: [
    'sender',
    'Send the message as a new email: its content was deleted after the retention time.',
  ],
  rendering_failed: [
    'sender',
    'Preview the template with the same data, reduce the template or the data as the error describes, and send the message as a new email.',
  ],
  internal_error: ['operator', 'Read the log of the worker, and report the error in the log as a bug.'],
  lifetime_exceeded: ['receiver', 'Retry the email (POST /emails/:id/retry) when the problem is solved.'],
};

/** Null where there is no problem, and for an unknown reason. */
export function adviceOn(reason: string | null): Advice | null {
  if (reason === 'erased') {
    return {
      meaning: 'The recipient was erased before the email was sent.',
      responsible: 'sender',
      advice: 'Nothing: the data of the recipient was erased on request.',
    };
  }
  if (reason === 'cancelled') {
    return {
      meaning: 'The email was cancelled before it was sent.',
      responsible: 'sender',
      advice: 'Send the message as a new email.',
    };
  }
  const entry = Object.hasOwn(ENTRIES, reason ?? '') ? ENTRIES[reason as keyof typeof ENTRIES] : undefined;
  if (entry === undefined) return null;
  return { meaning: OUTCOME_REASONS[reason as OutcomeReason], responsible: entry[0], advice: entry[1] };
}
