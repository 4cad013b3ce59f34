/** Refusals of Yahoo and AOL, which share servers. */
import { AFTER_RCPT, type ReplySource } from './table.ts';
import { list } from './words.ts';

const WRITTEN = '2026-11';

export const YAHOO: ReplySource = {
  name: 'yahoo',
  source: 'senders.yahooinc.com/smtp-error-codes',
  written: WRITTEN,
  links: ['postmaster.yahoo', 'senders.yahoo', 'postmaster.aol', '.mail.yahoo.com'],
  hosts: ['yahoodns.net', 'yahoo.com', 'aol.com', 'yahoo.co.jp'],
  marks: list(`
    tss04, tss01, tss02, tss03, tss05, tss06, tss07, tss08, tss09, tss11, tss12, ts01, ts02, ts03, ts04, ph01, gl01
  `),
  says: [
    {
      id: 'yahoo-never',
      permanent: true,
      words: ['permanently deferred', 'tss09', 'tss11'],
      means: 'blocked',
      final: true,
    },
    {
      id: 'aol-blocked',
      words: list(`
        rtr bb, rtr bl, rtr bd, rtr du, rtr ge, rtr ch, rtr sc, con b1, rly b1, rly b2, rly b3, rly b4, rly bd
      `),
      means: 'blocked',
    },
    { id: 'aol-reverse-dns', words: ['rtr rd', 'dns nr'], means: 'reverse_dns_missing' },
    { id: 'yahoo-greylisting', permanent: false, words: ['gl01'], means: 'greylisted' },
    { id: 'aol-rate', words: ['dyn t1', 'dyn t2'], means: 'rate_limited' },
    {
      id: 'aol-message',
      words: ['hvu b1', 'hvu b2', 'aol not accept delivery message'],
      means: 'content_refused',
    },
    { id: 'aol-dmarc', words: ['dmarc r1'], means: 'authentication_failed' },
    { id: 'yahoo-signature', words: ['au01'], means: 'authentication_failed' },
    {
      id: 'yahoo-not-now',
      permanent: false,
      words: ['permanently deferred', 'tss09', 'tss11', 'ts03'],
      means: 'blocked',
    },
    {
      id: 'yahoo-complaints',
      permanent: false,
      words: ['user complaints'],
      unless: ['unexpected volume'],
      means: 'blocked',
    },
    {
      id: 'yahoo-reputation',
      permanent: false,
      words: list(`
        tss01, tss02, tss03, tss04, tss05, tss06, tss07, tss08, tss12, ts01, ts02, ts03, ts04, unexpected volume
      `),
      means: 'rate_limited',
    },
    {
      id: 'yahoo-no-account',
      phases: AFTER_RCPT,
      permanent: true,
      words: ['not have ~ account', 'mailbox not found', 'no such user', 'no longer valid'],
      means: 'unknown_recipient',
    },
    {
      id: 'yahoo-disabled',
      phases: AFTER_RCPT,
      permanent: true,
      words: ['mailbox disabled', 'account disabled', '554 30'],
      means: 'mailbox_disabled',
    },
    { id: 'yahoo-phishing', words: ['ph01'], means: 'content_refused' },
    {
      id: 'yahoo-authentication',
      enhanced: ['5.7.9'],
      unless: ['content'],
      means: 'authentication_failed',
    },
    {
      id: 'yahoo-from-domain',
      words: ['unresolvable ~ from', 'unresolvable rfc', 'unresolvable'],
      means: 'sender_refused',
    },
    { id: 'yahoo-blocklist', words: ['bl21', 'bl23', 'bl22'], means: 'blocked' },
    {
      id: 'yahoo-later',
      permanent: false,
      words: ['resources temporarily unavailable', 'resources not available'],
      means: 'host_busy',
    },
    { id: 'yahoo-per-connection', words: ['max message per connection'], means: 'rate_limited' },
  ],
};
