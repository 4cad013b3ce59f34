/** What providers of mailboxes say, and what they mean by it. */
import { AFTER_RCPT, type Speaker } from './table.ts';
import { list } from './words.ts';

const WRITTEN = '2026-11';

export const PROVIDERS: readonly Speaker[] = [
  {
    name: 'gmail',
    source: 'support.google.com/a/answer/3726730 and /mail/answer/81126',
    written: WRITTEN,
    hosts: ['google.com', 'googlemail.com'],
    links: ['support.google.com/mail', 'support.google.com/a'],
    marks: ['gsmtp', 'gcdp'],
    says: [
      { id: 'gmail-no-such-user', phases: AFTER_RCPT, links: ['p=nosuchuser'], means: 'unknown_recipient' },
      {
        id: 'gmail-receiving-rate',
        phases: AFTER_RCPT,
        links: ['p=receivingrate'],
        means: 'recipient_receives_too_fast',
      },
      { id: 'gmail-reverse-dns', enhanced: ['x.7.23', 'x.7.25'], means: 'reverse_dns_missing' },
      {
        id: 'gmail-rate-of-domain',
        enhanced: ['4.7.28'],
        words: ['dkim domain', 'spf domain', 'url domains'],
        means: 'rate_limited',
        about: 'sender_domain',
      },
      {
        id: 'gmail-rate-of-message',
        enhanced: ['4.7.28'],
        words: ['same message id'],
        means: 'rate_limited',
        about: 'message',
      },
      { id: 'gmail-rate', enhanced: ['4.7.28'], means: 'rate_limited' },
      { id: 'gmail-one-by-one', enhanced: ['4.5.3', '5.5.3'], means: 'too_many_recipients' },
      { id: 'gmail-no-tls', enhanced: ['x.7.29'], means: 'authentication_failed', about: 'our_address' },
      { id: 'gmail-blocked-rate', permanent: true, words: ['unusual rate'], means: 'blocked', final: true },
      {
        id: 'gmail-authentication',
        enhanced: ['x.7.24', 'x.7.26', 'x.7.27', 'x.7.30', 'x.7.31', 'x.7.32', 'x.7.40'],
        means: 'authentication_failed',
      },
      {
        id: 'gmail-reputation-of-domain',
        words: ['reputation ~ sending domain', 'reputation ~ domain'],
        means: 'blocked',
        about: 'sender_domain',
      },
      { id: 'gmail-direct', words: ['not authorized send mail directly'], means: 'blocked' },
      {
        id: 'gmail-violation',
        enhanced: ['4.5.0'],
        words: ['protocol violation'],
        means: 'protocol_refused',
      },
      { id: 'gmail-tls', words: ['tls required'], means: 'authentication_failed', about: 'our_address' },
      {
        id: 'gmail-domain-policy',
        words: ['violates ~ mail policy', 'violates ~ policy'],
        means: 'content_refused',
      },
    ],
  },
  {
    name: 'microsoft',
    source:
      'learn.microsoft.com/exchange/mail-flow-best-practices/non-delivery-reports-in-exchange-online; sendersupport.olc.protection.outlook.com/pm/troubleshooting',
    written: WRITTEN,
    links: ['.outlook.com', 'protection.gbl', 'aka.ms/exosmtperrors', 'mail.live.com', 'postmaster.live.com'],
    hosts: ['outlook.com', 'hotmail.com', 'office365.us', 'mx.microsoft', 'partner.outlook.cn'],
    marks: list(`
      recipientnotfound, recipnotfound, storedrv, resolver rst, resolver adr,
      recipient address reject access denied
    `),
    says: [
      {
        id: 'microsoft-not-found',
        phases: AFTER_RCPT,
        enhanced: ['5.1.10', '5.1.1'],
        words: ['recipientnotfound', 'recipnotfound', 'recipient ~ not found', 'not found ~ lookup'],
        means: 'unknown_recipient',
      },
      {
        id: 'microsoft-directory-edge',
        phases: AFTER_RCPT,
        permanent: true,
        enhanced: ['5.4.1'],
        words: ['recipient address reject access denied'],
        means: 'unknown_recipient',
      },
      {
        id: 'microsoft-mailbox-unavailable',
        phases: AFTER_RCPT,
        permanent: true,
        words: ['mailbox unavailable'],
        unless: ['access denied', 'spf', 'dmarc', 'policy', 'block', '#'],
        means: 'unknown_recipient',
      },
      {
        id: 'microsoft-remote-unknown',
        phases: AFTER_RCPT,
        enhanced: ['5.1.351'],
        means: 'unknown_recipient',
      },
      {
        id: 'microsoft-busy',
        permanent: false,
        words: ['server busy'],
        also: ['#'],
        means: 'rate_limited',
      },
      {
        id: 'microsoft-throttled',
        permanent: false,
        words: ['rp 001', 'rp 002', 'rp 003', 'throttled'],
        means: 'rate_limited',
      },
      {
        id: 'microsoft-ip-reputation',
        enhanced: ['4.7.650', '4.7.651'],
        words: ['reputation'],
        means: 'blocked',
      },
      { id: 'microsoft-ip-rate', enhanced: ['4.7.650', '4.7.651', '4.7.652'], means: 'rate_limited' },
      {
        id: 'microsoft-deferred',
        enhanced: ['4.7.500', '4.7.501', '4.7.502', '4.7.503'],
        means: 'rate_limited',
      },
      {
        id: 'microsoft-not-yet',
        permanent: false,
        enhanced: ['4.7.x'],
        words: ['access denied ~ try again'],
        means: 'rate_limited',
      },
      {
        id: 'microsoft-authentication',
        enhanced: ['5.7.509', '5.7.515', '5.7.23'],
        means: 'authentication_failed',
      },
      {
        id: 'microsoft-banned-sender',
        enhanced: ['5.7.511', '5.7.501', '5.7.502', '5.7.503', '5.7.705', '5.7.750', '5.7.520'],
        unless: ['ip', '#'],
        means: 'blocked',
        about: 'sender_domain',
      },
      {
        id: 'microsoft-banned-address',
        enhanced: [
          '5.7.511',
          '5.7.606',
          '5.7.607',
          '5.7.608',
          '5.7.610',
          '5.7.649',
          '5.7.708',
          '5.7.501',
          '5.7.502',
          '5.7.503',
        ],
        means: 'blocked',
      },
      {
        id: 'microsoft-content-or-reputation',
        phases: ['body', 'dot'],
        words: ['content ~ or ~ reputation'],
        means: 'content_refused',
      },
      {
        id: 'microsoft-reputation',
        words: list(`
          s3140, s3150, s3115, oc 001, oc 002, oc 003, dy 001, dy 002, sc 001, sc 002, sc 003, sc 004,
          block list, ou 001, ou 002, contact your internet service provider
        `),
        unless: ['s3114', 'temporarily rate limit'],
        means: 'blocked',
      },
      {
        id: 'microsoft-receives',
        enhanced: ['5.2.121', '5.2.122', '4.2.121', '4.2.122'],
        means: 'recipient_receives_too_fast',
      },
      {
        id: 'microsoft-not-allowed',
        phases: AFTER_RCPT,
        enhanced: ['5.7.124', '5.7.133', '5.7.134', '5.7.135', '5.7.136', '5.7.12', '5.7.129', '5.7.193'],
        means: 'sender_refused',
      },
      {
        id: 'microsoft-restricted',
        phases: AFTER_RCPT,
        words: ['authrequired', 'notauthorized', 'sender not authenticated'],
        means: 'sender_refused',
      },
      { id: 'microsoft-relay', enhanced: ['5.7.64', '5.7.54'], means: 'domain_not_served' },
      {
        id: 'microsoft-no-subscription',
        words: ['hosted tenant', 'no mail enabled subscriptions'],
        means: 'domain_not_served',
      },
      {
        id: 'microsoft-domain',
        phases: AFTER_RCPT,
        enhanced: ['5.4.310'],
        means: 'recipient_domain_invalid',
      },
      { id: 'microsoft-loop', enhanced: ['5.4.14', '5.4.6'], means: 'mail_loop' },
      {
        id: 'microsoft-expired',
        enhanced: ['5.4.300', '5.4.316', '5.4.312', '5.4.317'],
        words: ['expired'],
        means: 'delivery_expired',
      },
      { id: 'microsoft-format', enhanced: ['5.7.512', '5.6.11', '5.6.0'], means: 'content_refused' },
      {
        id: 'microsoft-blocked-here',
        enhanced: ['5.7.507', '5.7.513'],
        means: 'blocked',
      },
      { id: 'microsoft-helo', enhanced: ['5.7.506'], means: 'hostname_refused' },
      {
        id: 'microsoft-invalid-recipient',
        phases: AFTER_RCPT,
        enhanced: ['5.7.504'],
        means: 'unknown_recipient',
      },
      {
        id: 'microsoft-banned-recipient',
        phases: AFTER_RCPT,
        enhanced: ['5.7.505'],
        means: 'mailbox_unavailable',
      },
      {
        id: 'microsoft-limits',
        enhanced: ['5.7.508'],
        words: ['exceeded ~ limits', 'permitted limits'],
        means: 'rate_limited',
      },
      { id: 'microsoft-wrong-region', enhanced: ['x.4.62'], means: 'routing_trouble' },
      { id: 'microsoft-malware', enhanced: ['5.0.350', '5.7.350', '5.7.508'], means: 'content_refused' },
    ],
  },
];
