/** More providers of mailboxes. */
import { AFTER_MESSAGE, AFTER_RCPT, type Speaker } from './table.ts';
import { list } from './words.ts';

const WRITTEN = '2026-11';

export const MORE_PROVIDERS: readonly Speaker[] = [
  {
    name: 'icloud',
    source: 'support.apple.com/102322; replies as collected in public bounce corpora',
    written: WRITTEN,
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
      { id: 'icloud-volume', words: ['excessive volume'], means: 'rate_limited' },
      {
        id: 'icloud-closed',
        phases: ['banner', 'ehlo'],
        words: ['not accepting connections'],
        means: 'blocked',
      },
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
      'mail.com',
    ],
    marks: ['nemesis esmtp'],
    says: [
      {
        id: 'gmx-mailbox',
        phases: ['rcpt'],
        permanent: true,
        words: ['mailbox unavailable'],
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
    name: 'tencent',
    source: 'service.mail.qq.com/detail/122',
    written: WRITTEN,
    hosts: ['qq.com', 'exmail.qq.com', 'foxmail.com'],
    says: [
      {
        id: 'qq-rate-of-sender',
        words: ['domain frequency limit', 'sender frequency limit'],
        means: 'rate_limited',
        about: 'sender_domain',
      },
      {
        id: 'qq-ip-rate',
        words: ['ip frequency limit', 'connection frequency limit'],
        means: 'rate_limited',
      },
      {
        id: 'qq-spam-ip',
        words: ['suspected spam ip', 'suspected bounce attack', 'connection denied'],
        means: 'blocked',
      },
      { id: 'qq-spam-sender', words: ['suspected spam sender'], means: 'blocked', about: 'sender_domain' },
      {
        id: 'qq-content',
        words: ['mail content denied', 'spam embedded', 'suspected spam'],
        means: 'content_refused',
      },
      {
        id: 'qq-by-recipient',
        words: ['reject by recipients', 'reject recipients'],
        means: 'sender_refused',
      },
      {
        id: 'qq-not-now',
        phases: AFTER_RCPT,
        words: ['mailbox unavailable or access denied'],
        means: 'mailbox_unavailable',
      },
    ],
  },
  {
    name: 'netease',
    source: 'help.mail.163.com/faq.do?m=list&categoryID=90',
    written: WRITTEN,
    hosts: ['163.com', '126.com', 'netease.com', 'yeah.net'],
    marks: ['dt spm', 'hl rep', 'dt rbl', 'mi spb', 'rp dys'],
    says: [
      { id: 'netease-content', words: ['dt spm', 'mi spb', 'dt sum', 'rp tru'], means: 'content_refused' },
      {
        id: 'netease-rate',
        words: list(`
          rp cel, mi cel, rp dys, rp qul, mi dmc, mi icc, dmc, hl icc, rp frl
        `),
        means: 'rate_limited',
      },
      {
        id: 'netease-reputation',
        words: ['hl rep', 'dt rbl', 'dt spb', 'hl iff', 'hl itc'],
        means: 'blocked',
      },
      { id: 'netease-spf', words: ['mi spf'], means: 'authentication_failed' },
      { id: 'netease-sender', words: ['mi sfq'], means: 'sender_refused' },
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
    hosts: ['comcast.net'],
    says: [
      { id: 'comcast-blocklist', words: ['bl000000', 'bl000001', 'bl000002', 'bl000010'], means: 'blocked' },
      { id: 'comcast-rate', words: ['rl000001', 'rl000002', 'rl000003', 'rl000010'], means: 'rate_limited' },
      {
        id: 'comcast-not-allowed',
        phases: AFTER_RCPT,
        words: ['recipient address reject account not exist', 'not our customer'],
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
        id: 'zoho-restricted-for-now',
        permanent: false,
        words: ['mailbox delivery restricted', 'delivery restricted ~ policy'],
        means: 'policy_deferral',
        about: 'recipient',
      },
      {
        id: 'zoho-restricted',
        words: ['mailbox delivery restricted', 'delivery restricted ~ policy'],
        means: 'blocked',
        about: 'recipient',
      },
      {
        id: 'zoho-by-domain',
        words: ['reject by destination domain', 'reject destination domain'],
        means: 'blocked',
        about: 'sender_domain',
      },
      { id: 'zoho-blocked', words: ['mail sending blocked', 'unusual sending activity'], means: 'blocked' },
      { id: 'zoho-policy', phases: AFTER_RCPT, words: ['mail policy'], means: 'blocked' },
    ],
  },
  {
    name: 'facebook',
    source: 'postmaster.facebook.com/response_codes',
    written: WRITTEN,
    hosts: ['facebook.com'],
    says: [
      {
        id: 'facebook-preferences',
        words: ['rcp p2', 'recipient preferences'],
        means: 'blocked',
        about: 'sender_domain',
      },
      { id: 'facebook-unknown', phases: AFTER_RCPT, words: ['rcp p1'], means: 'unknown_recipient' },
    ],
  },
];
