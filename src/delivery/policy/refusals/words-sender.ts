/** Words about the sender's address. */
import { each, FULL_MAILBOX, NOT_THERE, SENDER, UNKNOWN_MAILBOX } from './phrases.ts';
import { AFTER_RCPT, type Entry } from './table.ts';
import { list } from './words.ts';

/**
 * A failed check of the sender's address quotes another server, and whatever that server said is about the sender: these
 * come before every provider and every other cause.
 */
export const SENDER_CHECK: readonly Entry[] = [
  {
    id: 'sender-check-quoted',
    phases: ['mail', ...AFTER_RCPT],
    words: list(`
      sender address reject unverified address, sender address reject undeliverable address, sender verify fail,
      sender verification fail, sender verification callout, sender callout, sender callback verification,
      sender callback fail, sender address verification fail
    `),
    unless: ['not complete sender verify', 'sender verify defer', 'rcptrejected'],
    means: 'sender_refused',
  },
];

export const ABOUT_SENDER: readonly Entry[] = [
  {
    id: 'sender-refused',
    phases: ['mail', ...AFTER_RCPT],
    words: [
      ...each(SENDER, [
        ...NOT_THERE,
        'reject',
        'refused',
        'denied',
        'not allowed',
        'not accept',
        'not permitted',
        'not receive',
        'must exist',
        'must same',
        'must equal',
        'must match',
        'must qualified',
        'must fully qualified',
        'not qualified',
        'not fully qualified',
        'must resolve',
        'no mail exchanger',
        'fqdn',
        'not dns',
        'no dns',
        'unverified',
        'malformed',
        'syntax',
        'not deliverable',
        'undeliverable',
        'not acceptable',
        'not welcome',
        'fake',
        'unroutable',
        'must contain',
        'inexistant',
        'inexistante',
        'must have',
        'empty',
        'not have ~ mx',
        'no mx',
        'no ~ mx',
        'forbidden',
        'refuse',
        'abgelehnt',
        'rechazado',
        'recusado',
        'rifiutato',
        'отклонен',
        '被拒绝',
      ]),
      ...each(['your domain', 'your address', 'sending address', 'sending domain'], NOT_THERE),
      ...list(`
        nonexistent, bad, invalid, unknown, no such, refused, reject, blocked, blacklisted, forbidden, malformed,
        unroutable, not resolve, not verify, unverified, fqdn required
      `).flatMap((none) =>
        list('sender, return path, from address, mail from address').map((sender) => `${none} ${sender}`),
      ),
      ...each(
        ['your address', 'your mail address'],
        list(`
          reject, refused, denied, not allowed, not accept, not verified, verification fail, forbidden, malformed, syntax,
          undeliverable, not deliverable, not acceptable, unroutable, unverified, empty, fake, verify fail
        `),
      ),
      ...list(`
        not liked source, legitimate bounces, bounces not accept, bounce messages not accept, bounces ~ more than one recipient, your domain ~ no mx, no mx ~ your domain, mx ~ not found ~ your domain, mx not found your domain, no return mx,
        your domain must exist, your domain ~ not dns, your mail address unknown,
        your mail address invalid, your mail address not, invalid dns mx, not route ~ sender, not deliver ~ sender, not reply ~ sender,
        mx ~ sender, mx ~ sending domain, mx ~ from domain, required ~ sender address, requires valid sender, not resolve domain sender, invalid domain sender,
        unknown domain sender, nonexistent domain sender, bad domain sender, not find domain sender,
        sender ~ null mx, permissions send ~ sender, permission send ~ sender, only accept messages from,
        only accept ~ members, sender ~ not authenticated, domain ~ sender ~ not exist, domain ~ sender ~ not resolve,
        invalid sender, unknown sender, bad sender, bogus mail from, unroutable sender, unrouteable sender,
        unresolvable ~ from, null sender, empty envelope sender, only subscriber, only member, members ~ may post,
        only ~ may post, only ~ may send, not member, must be member, must be subscribed, must subscribe,
        senders only, members only, subscribers only, contacts only, unwanted sender, whitelist only, approved sender,
        not approved, sender ~ address book, only accept ~ from, only accepts ~ contacts, only from ~ contacts,
        only from ~ known, only from ~ approved, sender ~ not on, must confirm, challenge response, opted out,
        chosen not ~ receive, recipient ~ rejected your, no permission ~ send, not have permission send,
        no permission ~ post,
        not authorized ~ post, not authorized ~ group, not authorized ~ list, not authorized ~ recipient,
        not accepted ~ sender, nur mitglieder, seuls les membres, solo miembros, solo iscritti, closed mailing list,
        closed list, not allowed send group, not allowed send list, not allowed send mailing list, not allowed post, not subscribed, sender not, not owned by user, returned mail not accept,
        accept ~ from specific, only accept mail from, only same domain, not ~ send ~ yourself, not pre approved, not allowed senders, notauthorized,
        authrequired, allowed senders list, emetteur invalide, expediteur invalide, batv, safe senders,
        post ~ not permitted, posting ~ not permitted, posting ~ not allowed, accept ~ known contacts,
        accept ~ known senders, accept ~ internal senders, not accept mail from sender, denies sender, deny sender,
        denied sender, reject sender, refuse sender, refused sender, not accept sender, not allow sender,
        invalid mail from, bad mail from, malformed mail from, illegal mail from, invalid mailfrom, invalid from address,
        malformed sender, illegal sender, wrong sender, identities fail, verified sender, sender identity,
        mail address not verified, message sending ~ disabled,
        message sending ~ not allowed
      `),
    ],
    unless: list(`
      sender ip, sender reputation, envelope block, recipient mail address not verified,
      suspected spam sender, user not member ~ domain, user not member domain, @ not member ~ domain, @ not member domain, dns mx ~ recipient domain
    `),
    means: 'sender_refused',
  },
  {
    // The mailbox exists. Servers that name a missing mailbox as the other possibility say "or you", "may not have".
    id: 'no-permission-to-write',
    phases: AFTER_RCPT,
    words: each(
      list('you not have, sender not have'),
      list('permission, right, privilege, access, authority, authorization'),
    ),
    unless: list('or you not have, either, ip, #, host, server, relay, domain, spf, dkim, dmarc'),
    means: 'sender_refused',
  },
  {
    id: 'sender-mailbox-full',
    words: FULL_MAILBOX,
    also: ['sender s mailbox', 'sender mailbox', 'mailbox sender', 'return path'],
    means: 'sender_refused',
  },
  {
    id: 'sender-at-mail',
    phases: ['mail'],
    words: [
      ...UNKNOWN_MAILBOX,
      ...each(['domain', 'domain name', 'dns'], NOT_THERE),
      ...each(
        ['user', 'mailbox', 'account', 'mail address'],
        list('not allowed, denied, reject, refused, not accept, unavailable, full, disabled, suspended'),
      ),
      ...list(`
        address not allowed, address denied, address reject, address refused, address not accept, no such domain,
        unknown domain, sender error, fully qualified address, domain name required,
        invalid address, address syntax, must resolve, @ host unreachable, domain unreachable, invalid dns, no mx, not resolve, mailfrom domain not, sender domain not
      `),
    ],
    unless: list(`
      spam, helo, ehlo, ptr, reverse, hostname, your ip, invalid domain name
    `),
    means: 'sender_refused',
  },
  {
    id: 'sender-unknown',
    words: UNKNOWN_MAILBOX,
    also: ['sender', 'return path', 'envelope from'],
    unless: ['recipient'],
    means: 'sender_refused',
  },
];
