/** In whose hands a problem lies, and what can be done about it: one place, for everyone who is asked. */
import type { Hands } from '../../emails/explain.ts';
import { OUTCOME_REASONS, type OutcomeReason } from './reasons.ts';

export interface Advice {
  /** What the reason means. */
  readonly meaning: string;
  readonly hands: Hands;
  readonly whatToDo: string;
}

type Entry = readonly [hands: Hands, whatToDo: string];

const WAIT = 'Nothing: it is tried again by itself.';
const ADDRESS = 'Ask the recipient for a working address and stop using this one.';
const THEIR_DOMAIN =
  "Check the spelling of the domain; if it is right, only the domain's owner can repair its DNS.";
const MESSAGE = 'Change the message as the words of the server say, and send it as a new email.';
const REPUTATION =
  'Read the words of the server, ask for removal where they name a block list, and look at how many bounces and complaints this mail causes.';
const AUTHENTICATION =
  'Check SPF, DKIM and DMARC of the sending domain (GET /domains/:id/verify), and follow what the words of the server say.';
const REVERSE_DNS =
  'Have the network that the sending address belongs to publish a PTR record for it, with a host name that resolves to that address; POSTRIDER_HOSTNAME should be that name.';
const HOSTNAME =
  'Set POSTRIDER_HOSTNAME to a full host name, such as mail.example.com, that resolves to the sending address.';
const SLOWER = 'Nothing: sending to this provider slows down by itself.';
const OUR_NETWORK =
  'If other domains get their mail: nothing, it is tried again. If none do: check that this machine may connect to port 25.';
const TLS = 'Only the owner of the server can repair its TLS. It is tried again by itself.';

const ENTRIES: Readonly<Record<Exclude<OutcomeReason, 'accepted'>, Entry>> = {
  unknown_recipient: ['recipient', ADDRESS],
  recipient_domain_invalid: ['dns', THEIR_DOMAIN],
  domain_accepts_no_mail: ['recipient', ADDRESS],
  domain_not_served: ['dns', THEIR_DOMAIN],
  domain_has_no_servers: ['dns', THEIR_DOMAIN],
  mailbox_moved: ['recipient', ADDRESS],
  mailbox_disabled: ['recipient', ADDRESS],
  mailbox_owner_changed: ['recipient', ADDRESS],
  mailbox_full: ['recipient', 'Tell the recipient by another way that the mailbox is full.'],
  mailbox_unavailable: ['recipient', WAIT],
  recipient_receives_too_fast: ['recipient', WAIT],
  address_being_verified: ['their_server', WAIT],

  message_too_large: ['content', 'Send less: put large files behind a link.'],
  content_refused: ['content', MESSAGE],
  smtputf8_unsupported: [
    'recipient',
    'Use an address without letters outside ASCII before the @: the one that the message names, of the recipient, the sender or for replies.',
  ],
  sender_refused: [
    'our_address',
    'Check that the domain of the sender and of the return path exist in DNS and take mail.',
  ],
  mail_loop: [
    'their_server',
    "Tell the recipient's postmaster: the servers there hand the mail around in circles.",
  ],
  delivery_expired: ['their_server', 'Send it again later.'],
  too_many_recipients: ['their_server', WAIT],
  protocol_refused: ['us', 'Report it with this conversation: two programs did not understand each other.'],

  blocked: ['our_address', REPUTATION],
  authentication_failed: ['dns', AUTHENTICATION],
  reverse_dns_missing: ['our_address', REVERSE_DNS],
  hostname_refused: ['us', HOSTNAME],
  greylisted: ['their_server', 'Nothing: the server wants to see a second try, and gets it.'],
  rate_limited: ['our_address', SLOWER],
  policy_deferral: ['our_address', REPUTATION],

  host_busy: ['their_server', WAIT],
  host_refused_service: ['our_address', REPUTATION],
  host_accepts_no_mail: ['recipient', ADDRESS],
  host_not_accepting: ['their_server', WAIT],
  routing_trouble: ['their_server', WAIT],
  temporary_refusal: ['their_server', WAIT],
  undetermined: ['their_server', "Read the words of the server, and ask the recipient's postmaster."],

  connection_refused: ['their_server', OUR_NETWORK],
  connection_timed_out: ['their_server', OUR_NETWORK],
  connection_lost: ['their_server', WAIT],
  host_unreachable: ['their_server', OUR_NETWORK],
  tls_failed: ['their_server', TLS],
  mta_sts_failed: ['their_server', TLS],
  protocol_error: ['their_server', WAIT],
  reply_lost_after_message: ['their_server', 'Nothing: it is tried again, and may then arrive twice.'],
  relay_authentication_failed: ['us', 'Check the user and the password in POSTRIDER_RELAY_URL.'],
  interrupted: ['us', WAIT],
  dns_unavailable: [
    'dns',
    'If other domains get their mail: nothing. If none do: check the name servers this machine uses.',
  ],
  private_destination: [
    'dns',
    'If the destination is yours, set POSTRIDER_ALLOW_PRIVATE_DESTINATIONS; otherwise the domain points to an address that is not on the Internet.',
  ],
  domain_removed: ['us', 'Register the domain again, verify it, and send it as a new email.'],
  domain_unverified: ['dns', AUTHENTICATION],
  key_revoked: [
    'us',
    'Send it as a new email, if it is still wanted: revoking a key ends what it scheduled.',
  ],
  discarded: [
    'us',
    'Send it again, if it is still wanted: the operator of this installation threw away what was queued.',
  ],
  sandbox_ended: [
    'us',
    'Send it as a new email if it is meant for the recipient: mail of the sandbox is never sent to anybody.',
  ],
  suppressed: ['recipient', 'Take the address off the suppression list if you are sure that it works again.'],
  content_gone: ['us', 'Send it as a new email: the content was removed after the time it is kept.'],
  rendering_failed: [
    'content',
    'Preview the template with the same data, make it or the data smaller as the answer says, and send it as a new email.',
  ],
  internal_error: ['us', "Look at the worker's log, and report what it says."],
  lifetime_exceeded: ['their_server', 'Retry it (POST /emails/:id/retry) when what was in its way is gone.'],
};

/** Null where there is nothing to advise: no problem, or one that nobody here knows. */
export function adviceOn(reason: string | null): Advice | null {
  if (reason === 'erased') {
    return {
      meaning: 'The recipient was erased before it was sent.',
      hands: 'us',
      whatToDo: 'Nothing: somebody asked to be forgotten.',
    };
  }
  if (reason === 'cancelled') {
    return {
      meaning: 'It was cancelled before it was sent.',
      hands: 'us',
      whatToDo: 'Send it as a new email.',
    };
  }
  const entry = Object.hasOwn(ENTRIES, reason ?? '') ? ENTRIES[reason as keyof typeof ENTRIES] : undefined;
  if (entry === undefined) return null;
  return { meaning: OUTCOME_REASONS[reason as OutcomeReason], hands: entry[0], whatToDo: entry[1] };
}
