/** Causes described without their usual terms. Compared after the usual terms. For mailboxes see words-recipient.ts. */
import { SENDER } from './phrases.ts';
import { AFTER_MESSAGE, AFTER_RCPT, type Entry, GREETING } from './table.ts';
import { list } from './words.ts';

export const PARAPHRASES: readonly Entry[] = [
  {
    id: 'relay-in-other-words',
    phases: AFTER_RCPT,
    words: list(`
      not going relay, not provide relay, not provide ~ relay, relay not possible, relay ~ customers only, relay ~ restricted, relay ~ unavailable, no transit,
      not your relay, forwarding ~ remote, forward ~ disabled, remote hosts ~ not allowed, third party relay, third party mail, outside addresses
    `),
    unless: ['listed', 'spamhaus', 'open relay'],
    means: 'domain_not_served',
  },
  {
    id: 'recipient-domain-in-other-words',
    phases: AFTER_RCPT,
    words: list(`
      domain ~ not dns, & not dns, not find ~ & dns, not find host & , no dns ~ domain, domain ~ no dns, no valid domain, no dns entry ~ domain,
      no mail exchanger, no mail server ~ domain, domain ~ no mail server, domain no valid mail server, domain no working mail server, domain ~ never registered, domain ~ lapsed
    `),
    unless: [...SENDER, 'helo', 'ehlo', 'client', '#', 'your'],
    means: 'recipient_domain_invalid',
  },
  {
    id: 'not-wanted-in-other-words',
    phases: AFTER_RCPT,
    words: list(`
      not ~ list ~ allowed sender, not ~ allowed sender, outsiders, external sender, external senders, receive external, external mail, internal use, from outside,
      only from address, mail only from, messages only from,
      only ~ mail from ~ known, only ~ messages from ~ known, only ~ known contacts, only ~ known senders, only ~ from ~ contacts,
      only ~ may write, registered senders, not hear from you, unsubscribed, opted out, not interested, sender ~ not trusted, unknown to ~ recipient
    `),
    unless: ['ip', '#', 'spf', 'dkim', 'dmarc', 'relay'],
    means: 'sender_refused',
  },
  {
    id: 'sender-in-other-words',
    phases: ['mail', ...AFTER_RCPT],
    words: list(`
      return address bounce, return path bounce, sender bounces, noreply address, no reply address, not answer ~ sender,
      sender ~ no usable, sender ~ no mail host, sender ~ unreachable, sender ~ undeliverable
    `),
    means: 'sender_refused',
  },
  {
    id: 'authentication-in-other-words',
    words: list(`
      signature ~ not verify, claims ~ from us, claim ~ from us, not authorized ~ source, not authorized ~ server &, not authorized ~ server domain,
      unauthorized ~ server &, unauthorized ~ server domain, unauthorized ~ source for, forbids use ~ server, identity ~ not proven, not genuine
    `),
    unless: ['relay', 'recipient'],
    means: 'authentication_failed',
  },
  {
    id: 'tls-in-other-words',
    phases: ['mail', ...AFTER_RCPT],
    words: list(`
      start tls, encryption compulsory, tls compulsory, secure channel, secure session, encrypted session, secure link,
      insecure connection, insecure session, ssl required, requires ssl, ssl ~ mandatory
    `),
    unless: ['fail', 'error', 'unavailable', 'too many'],
    means: 'authentication_failed',
    about: 'our_address',
  },
  {
    id: 'spam-domain',
    phases: ['mail', ...AFTER_RCPT],
    words: list(`
      spam domain, spammer domain, spamming domain, no mail from domain, not take ~ from domain, not accept ~ from domain,
      refuse ~ from domain, domain ~ known ~ spam, domain ~ sends spam, domain ~ source of spam
    `),
    unless: ['link', 'url', 'body', 'content', 'attachment'],
    means: 'blocked',
    about: 'sender_domain',
  },
  {
    id: 'blocked-in-other-words',
    phases: ['mail', 'rcpt', ...GREETING],
    words: list(`
      sending ~ junk, sent ~ junk, firewall, too many ~ your recipients, score ~ # too low, score ~ too low, low score,
      bad score, poor score, bad neighborhood, bad neighbourhood, infected host, infected machine, botnet, zombie, trojan,
      you penalized, you naughty, open relay, bulletproof, abusive network, your network ~ spam, cloud hosts, cloud servers, hosting network
    `),
    unless: ['not open relay', 'not ~ open relay'],
    means: 'blocked',
  },
  {
    id: 'reverse-dns-in-other-words',
    phases: ['mail', 'rcpt', ...GREETING],
    words: list(`
      not map back, name ~ your ip missing, dns name ~ your ip, no name ~ your ip, no name ~ your address, no name ~ #,
      your address no name, in addr arpa, nameless, unnamed host, generic hostname, generic host name, generic name
    `),
    means: 'reverse_dns_missing',
  },
  {
    id: 'host-name-in-other-words',
    words: list(`
      not acceptable helo, not acceptable ehlo, not valid helo, not valid ehlo, not proper helo, greeting name,
      your greeting,
      helo ~ must, ehlo ~ must, hello name,
    `),
    unless: ['spf', 'wait', 'before', 'too soon', 'first'],
    means: 'hostname_refused',
  },
  {
    id: 'line-ends-in-other-words',
    words: list(`
      naked newline, stray newline, naked lf, lone lf, lone cr, stray lf, line endings, line ends
    `),
    means: 'protocol_refused',
  },
  {
    id: 'rate-in-other-words',
    words: list(`
      used up ~ allowance, your allowance, sending speed, speed too high, already ~ sessions, sessions open, rate too high,
      excess traffic, excessive traffic, enough for now, too much at once,
      exceed ~ messages, too many in ~ minute, too many in ~ hour, penalty box, tarpit
    `),
    unless: ['score', 'spam', 'size', 'mailbox', 'recipient', 'hop', 'too long'],
    means: 'rate_limited',
  },
  {
    id: 'recipients-in-other-words',
    phases: ['rcpt', 'data', 'dot'],
    words: list('one recipient ~ time, one rcpt ~ time, recipient per mail, only one address, number rcpt'),
    unless: ['hour', 'day', 'minute', 'authorized', 'valid'],
    means: 'too_many_recipients',
  },
  {
    id: 'size-in-other-words',
    phases: ['mail', ...AFTER_MESSAGE],
    words: list(`
      up to ~ mb, mb only, heavier, megabytes, kilobytes, mbytes, kbytes, size ~ over, over ~ size
    `),
    unless: ['header', 'mailbox', 'quota'],
    means: 'message_too_large',
  },
  {
    id: 'loop-in-other-words',
    words: ['received lines', 'received headers', 'circles', 'sent to itself', 'endless'],
    unless: ['duplicate', 'missing', 'malformed'],
    means: 'mail_loop',
  },
  {
    id: 'utf8-in-other-words',
    words: list(`
      umlaut, umlauts, accented, non latin, international address, international characters, 8 bit characters ~ address,
      special characters ~ address ~ not supported, idn
    `),
    means: 'smtputf8_unsupported',
  },
  {
    id: 'verification-in-other-words',
    phases: AFTER_RCPT,
    permanent: false,
    words: list(`
      still looking, callout ~ still, lookup not finished, recipient lookup not, looking up ~ mailbox,
      looking up ~ recipient, lookup pending, checking recipient, recipient checked, recipient address checked
    `),
    unless: ['dns'],
    means: 'address_being_verified',
  },
];
