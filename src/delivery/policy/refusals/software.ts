/** Refusals of self-hosted mail servers and filters, recognised mostly by their words. */
import { AFTER_MESSAGE, AFTER_RCPT, type ReplySource } from './table.ts';
import { list } from './words.ts';

const WRITTEN = '2026-11';

export const SOFTWARE: readonly ReplySource[] = [
  {
    name: 'sandbox',
    source:
      'src/sandbox/simulator.ts: it names the addresses that there are, among them "busy" and "greylisted"',
    written: WRITTEN,
    hosts: ['sandbox.postrider.test'],
    says: [
      { id: 'sandbox-no-such-address', words: ['no such simulator address'], means: 'unknown_recipient' },
    ],
  },
  {
    name: 'postfix',
    source: 'postfix.org/postconf.5.html, smtpd_check.c and smtpd.c of 3.7 to 3.10',
    written: WRITTEN,
    marks: list(`
      client host reject, rcptrejected, recipient address reject, sender address reject, helo command reject,
      in reply to, error too much mail, error too many
    `),
    says: [
      {
        id: 'postfix-rate',
        words: list(`
          too much mail from, too many connections from, too many new tls sessions,
          too many recipients from, too many auth
        `),
        means: 'rate_limited',
      },
      { id: 'postfix-pipelining', words: ['improper use ~ pipelining'], means: 'protocol_refused' },
      { id: 'postfix-no-hostname', words: ['client host reject not find'], means: 'reverse_dns_missing' },
      { id: 'postfix-reverse-dns', enhanced: ['x.7.25'], means: 'reverse_dns_missing' },
      {
        id: 'postfix-hostname',
        words: ['helo command reject'],
        unless: ['reject spam'],
        means: 'hostname_refused',
      },
      {
        id: 'postfix-recipient-domain',
        phases: AFTER_RCPT,
        words: [
          'rcptrejected . domain not found',
          'rcptrejected . malformed dns',
          'rcptrejected . unverified address host or domain name not found',
        ],
        means: 'recipient_domain_invalid',
      },
      {
        id: 'postfix-recipient-qualified',
        phases: AFTER_RCPT,
        words: ['rcptrejected . need fully qualified address'],
        means: 'unknown_recipient',
      },
      {
        id: 'postfix-no-mail-exchanger',
        phases: AFTER_RCPT,
        permanent: false,
        words: ['unable look up mail exchanger', 'unable verify host', 'unable look up host'],
        means: 'routing_trouble',
      },
      {
        id: 'postfix-loop',
        phases: AFTER_RCPT,
        words: ['loops back'],
        means: 'mail_loop',
      },
      {
        id: 'postfix-content',
        phases: AFTER_MESSAGE,
        words: ['message content reject', 'mime ~ nesting'],
        means: 'content_refused',
      },
      {
        id: 'postfix-server-configuration',
        words: ['server configuration error', 'server configuration problem'],
        means: 'temporary_refusal',
      },
      { id: 'postfix-lookup', words: ['temporary lookup failure'], means: 'temporary_refusal' },
    ],
  },
  {
    name: 'exim',
    source: "exim.org/exim-html-current/doc/html/spec_html, chapter 44, and Debian's default configuration",
    written: WRITTEN,
    marks: list(`
      verify callout, sender verify, unrouteable address, administrative prohibition,
      retry time not reached, exim
    `),
    says: [
      {
        id: 'exim-callout-later',
        words: ['not complete sender verify', 'sender verify defer'],
        means: 'sender_refused',
        final: false,
      },
      {
        id: 'exim-retry-later',
        permanent: false,
        words: ['retry time not reached'],
        means: 'routing_trouble',
      },
    ],
  },
  {
    name: 'sendmail',
    source: 'sendmail.org cf/README; proto.m4 and srvrsmtp.c of 8.15 to 8.18',
    written: WRITTEN,
    marks: ['domain of sender address', 'possibly forged', 'milter'],
    says: [
      {
        id: 'sendmail-sender-domain',
        words: ['domain sender address ~ not exist', 'domain sender address ~ not resolve'],
        means: 'sender_refused',
      },
    ],
  },
  {
    name: 'exchange',
    source:
      'learn.microsoft.com/exchange/mail-flow/non-delivery-reports-and-bounce-messages (Exchange Server)',
    written: WRITTEN,
    marks: list(`
      recipientnotfound, recipnotfound, resolver adr, rst, storedrv, not permitted send sender,
      insufficient system resources
    `),
    says: [
      {
        id: 'exchange-not-found',
        phases: AFTER_RCPT,
        words: ['recipientnotfound', 'recipnotfound', 'recipient not found by smtp address lookup'],
        means: 'unknown_recipient',
      },
      {
        id: 'exchange-restricted',
        words: ['resolver rst authrequired', 'resolver rst notauthorized', 'authrequired', 'notauthorized'],
        means: 'sender_refused',
      },
      { id: 'exchange-size', words: ['recipsizelimit', 'sendersizelimit'], means: 'message_too_large' },
      {
        id: 'exchange-resources',
        words: ['insufficient system resources'],
        means: 'host_busy',
      },
      {
        id: 'exchange-quota',
        words: ['quotaexceeded', 'shutoffquotaexceeded', 'storedrv deliver mailbox full'],
        means: 'mailbox_full',
      },
      {
        id: 'exchange-recipient-threshold',
        words: ['recipientthresholdexceeded'],
        means: 'recipient_receives_too_fast',
      },
      {
        id: 'exchange-restriction',
        words: ['rst'],
        unless: ['recipsizelimit', 'sendersizelimit', 'size', 'quota'],
        means: 'sender_refused',
      },
      {
        id: 'exchange-mailbox-offline',
        phases: AFTER_RCPT,
        permanent: false,
        words: ['not open mailbox', 'mapiexceptionmdboffline', 'mailboxoffline', 'mailbox offline'],
        unless: ['quota', 'mapiexceptionshutoffquotaexceeded'],
        means: 'mailbox_unavailable',
      },
    ],
  },
  {
    name: 'qmail',
    source: 'cr.yp.to/qmail, qmail-smtpd.c; Plesk and vpopmail as seen in public bounce corpora',
    written: WRITTEN,
    marks: ['sorry', 'vdelivermail', 'rcpthosts', 'badmailfrom', 'badrcptto'],
    says: [
      { id: 'qmail-not-served', words: ['allowed rcpthosts'], means: 'domain_not_served' },
      {
        id: 'qmail-sender-listed',
        words: ['badmailfrom', 'your envelope sender in my'],
        means: 'sender_refused',
      },
      {
        id: 'qmail-recipient-listed',
        phases: AFTER_RCPT,
        words: ['badrcptto', 'badrecipientto', 'your envelope recipient in my'],
        unless: ['mailbox not found', 'user unknown', 'user not found', 'no such user'],
        means: 'mailbox_unavailable',
      },
    ],
  },
  {
    name: 'amavis and spamassassin',
    source: 'amavis.org README.customize; spamass-milter(8); rspamd.com/doc',
    written: WRITTEN,
    marks: list(`
      ube, infected, spam score, reject id, spam message reject, gtube
    `),
    says: [
      {
        id: 'filter-banned',
        phases: AFTER_MESSAGE,
        words: ['reject id ~ banned', 'reject id ~ bad header'],
        means: 'content_refused',
      },
      { id: 'filter-virus', words: ['virus', 'infected'], means: 'content_refused' },
      {
        id: 'filter-spam',
        phases: AFTER_RCPT,
        words: list(`
          ube, spam score, spam message reject, gtube, reject id ~ spam, spam
        `),
        unless: ['ip', 'client host', 'blacklist', 'blocklist'],
        means: 'content_refused',
      },
    ],
  },
];
