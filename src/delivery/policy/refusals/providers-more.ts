/** More providers of mailboxes. */
import { AFTER_MESSAGE, AFTER_RCPT, type Speaker } from './table.ts';
import { list } from './words.ts';

const WRITTEN = '2026-11';

export const MORE_PROVIDERS: readonly Speaker[] = [
  {
    name: 'icloud',
    source: 'support.apple.com/102322; replies as collected in public bounce corpora',
    written: WRITTEN,
    links: ['support.apple.com', '.me.com', '.icloud.com'],
    hosts: ['icloud.com', 'me.com', 'apple.com'],
    says: [
      {
        id: 'icloud-message',
        phases: AFTER_MESSAGE,
        words: ['hm08', 'cs01', 'message ~ local policy'],
        means: 'content_refused',
      },
      { id: 'icloud-blocked', words: ['hm08', 'cs01'], means: 'blocked' },
      { id: 'icloud-authentication', words: ['hme1', 'hm07'], means: 'authentication_failed' },
      { id: 'icloud-volume', words: ['excessive volume'], unless: ['messages @'], means: 'rate_limited' },
    ],
  },
  {
    name: 'gmx',
    source: 'postmaster.gmx.net/en/error-messages',
    written: WRITTEN,
    hosts: [
      'gmx.net',
      'gmx.com',
      'gmx.de',
      'web.de',
      'kundenserver.de',
      '1and1.com',
      'ionos.com',
      'ionos.de',
      'ionos.fr',
      'ionos.es',
      'ionos.it',
      'ionos.co.uk',
      'schlund.de',
      'perfora.net',
      'mail.com',
    ],
    links: [
      'postmaster.gmx',
      'postmaster.web.de',
      'postmaster.mail.com',
      'postmaster.1und1',
      'postmaster.ionos',
    ],
    marks: ['nemesis esmtp'],
    says: [
      {
        id: 'gmx-mailbox',
        phases: ['rcpt'],
        permanent: true,
        words: ['mailbox unavailable'],
        unless: list(`
          reject due, policy, spf, dmarc, dkim, invalid dns, limit, refused, blacklist, spam, sender, access denied
        `),
        means: 'unknown_recipient',
      },
      {
        id: 'gmx-reverse-dns',
        words: ['ptr', 'no ptr', 'reverse dns', 'bad dns'],
        means: 'reverse_dns_missing',
      },
      { id: 'gmx-bad-sender-dns', words: ['bad dns ~ record'], means: 'reverse_dns_missing' },
      {
        id: 'gmx-reject-message',
        phases: ['data', 'body', 'dot'],
        permanent: true,
        words: ['reject due ~ spam', 'transaction failed reject'],
        means: 'content_refused',
      },
      {
        id: 'gmx-policy',
        permanent: true,
        words: ['for explanation visit', 'transaction failed'],
        links: ['ip='],
        unless: ['sender domain'],
        means: 'blocked',
      },
      {
        id: 'gmx-service',
        phases: ['banner', 'ehlo'],
        words: ['no smtp service'],
        links: ['postmaster', 'c=', 'ip='],
        means: 'blocked',
      },
    ],
  },
  {
    name: 'mailru',
    source: 'help.mail.ru/developers/mailing_rules and postmaster.mail.ru',
    written: WRITTEN,
    links: ['help.mail.ru'],
    hosts: ['mail.ru', 'mxs.mail.ru', 'vk.com'],
    says: [
      {
        id: 'mailru-terminated',
        phases: AFTER_RCPT,
        words: ['user ~ terminated', 'user terminated'],
        means: 'mailbox_disabled',
      },
      { id: 'mailru-not-local', phases: AFTER_RCPT, words: ['not local user'], means: 'unknown_recipient' },
      {
        id: 'mailru-spam',
        phases: ['data', 'body', 'dot'],
        words: ['spam message', 'spam'],
        links: ['spam', 'notspam'],
        means: 'content_refused',
      },
    ],
  },
  {
    name: 'yandex',
    source: 'yandex.com/support/mail/errors',
    written: WRITTEN,
    links: ['ya.cc/', 'yandex.com/support', 'yandex.ru/support'],
    hosts: ['yandex.ru', 'yandex.net', 'yandex.com'],
    says: [
      {
        id: 'yandex-blocked-policy',
        phases: AFTER_RCPT,
        words: ['policy rejection ~ account', 'policy rejection ~ target', 'bad account'],
        means: 'mailbox_disabled',
        keep: true,
      },
      {
        id: 'yandex-spam',
        phases: ['data', 'body', 'dot'],
        words: ['message reject ~ suspicion', 'suspicion spam', 'under suspicion'],
        means: 'content_refused',
      },
    ],
  },
  {
    name: 'orange',
    source: 'postmaster.orange.fr; replies OFR_ and LPN as collected in public bounce corpora',
    written: WRITTEN,
    hosts: ['orange.fr', 'wanadoo.fr', 'laposte.net'],
    says: [
      {
        id: 'orange-unknown',
        phases: AFTER_RCPT,
        words: ['adresse ~ destinataire invalide', 'invalid recipient'],
        means: 'unknown_recipient',
      },
      { id: 'orange-spf', words: ['emetteur invalide ~ spf', 'spf dns'], means: 'authentication_failed' },
      {
        id: 'orange-blocked',
        words: ['ofr006 103', 'ofr 999', 'lpn005 510', '103', '510', '999'],
        also: ['service refuse', 'service refused'],
        means: 'blocked',
      },
      {
        id: 'orange-trouble',
        words: ['ofr005 505', '505'],
        also: ['service refused'],
        means: 'temporary_refusal',
      },
      {
        id: 'orange-later',
        permanent: false,
        words: ['service refuse', 'service refused'],
        means: 'rate_limited',
      },
      {
        id: 'orange-content',
        phases: AFTER_MESSAGE,
        words: ['mail rejete', '506', '513'],
        means: 'content_refused',
      },
      { id: 'orange-connections', words: ['trop de connexion'], means: 'rate_limited' },
    ],
  },
  {
    name: 'comcast',
    source: 'postmaster.comcast.net/smtp-error-codes.html',
    written: WRITTEN,
    links: ['postmaster.comcast'],
    hosts: ['comcast.net'],
    says: [
      { id: 'comcast-blocklist', words: ['block', 'dnsbls'], links: ['#bl0000'], means: 'blocked' },
      { id: 'comcast-rate', links: ['#rl0000'], means: 'rate_limited' },
      { id: 'comcast-sessions', words: ['too many sessions', 'too many connections'], means: 'rate_limited' },
      {
        id: 'comcast-not-allowed',
        phases: AFTER_RCPT,
        words: ['rcptrejected . account not exist', 'not our customer'],
        means: 'unknown_recipient',
      },
      { id: 'comcast-ptr', words: ['ptr'], means: 'reverse_dns_missing' },
    ],
  },
  {
    name: 'zoho',
    source: 'zoho.com/mail/help/error-codes.html',
    written: WRITTEN,
    hosts: ['zoho.com', 'zoho.eu', 'zoho.in', 'zohomail.com'],
    says: [
      {
        id: 'zoho-restricted',
        words: ['mailbox delivery restricted', 'delivery restricted ~ policy'],
        means: 'mailbox_unavailable',
      },
      {
        id: 'zoho-by-domain',
        words: ['reject by destination domain', 'reject destination domain'],
        means: 'blocked',
        about: 'sender_domain',
      },
      { id: 'zoho-blocked', words: ['mail sending blocked', 'unusual sending activity'], means: 'blocked' },
      { id: 'zoho-trouble', permanent: false, words: ['temporary system error'], means: 'temporary_refusal' },
      {
        id: 'zoho-recipient-policy',
        words: ['mailbox delivery failure policy'],
        means: 'mailbox_unavailable',
      },
      { id: 'zoho-message', phases: AFTER_MESSAGE, words: ['mail policy'], means: 'content_refused' },
      { id: 'zoho-policy', phases: AFTER_RCPT, words: ['mail policy'], means: 'blocked' },
    ],
  },
  {
    name: 'facebook',
    source: 'postmaster.facebook.com/response_codes',
    written: WRITTEN,
    links: ['postmaster.facebook'],
    hosts: ['facebook.com'],
    says: [
      { id: 'facebook-preferences', words: ['rcp p2'], means: 'mailbox_unavailable' },
      { id: 'facebook-unknown', phases: AFTER_RCPT, words: ['rcp p1'], means: 'unknown_recipient' },
    ],
  },
];
