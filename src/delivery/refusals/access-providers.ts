/** What access providers and hosters say; many of them put a code of their own at the end. */
import { AFTER_RCPT, type Speaker } from './table.ts';
import { list } from './words.ts';

const WRITTEN = '2026-11';

export const ACCESS_PROVIDERS: readonly Speaker[] = [
  {
    name: 'cox',
    source: 'cox.com/residential/support/email-error-codes.html',
    written: WRITTEN,
    hosts: ['cox.net', 'cloudfilter.net'],
    says: [
      {
        id: 'cox-blocked',
        words: list(`
          cxbl, cdrbl, ipbl0001, ipbl0010, ipbl0011, ipbl0100, ipbl0101, ipbl0110, ipbl0111, ipbl1000,
          ipbl1001, ipbl1010, ipbl1011, ipbl1100, ipbl1101, ipbl1110, ipbl1111, ipbl00001
        `),
        means: 'blocked',
      },
      {
        id: 'cox-link',
        words: ['urlbl011', 'urlbl101', 'urlbl110', 'urlbl1001'],
        means: 'content_refused',
      },
      { id: 'cox-reverse-dns', words: ['cxdns'], means: 'reverse_dns_missing' },
      { id: 'cox-rate', words: ['cxcnct', 'cxmxrt', 'cxthrt'], means: 'rate_limited' },
    ],
  },
  {
    name: 'godaddy',
    source: 'godaddy.com/help: Fix rejected email with a bounce error',
    written: WRITTEN,
    hosts: ['secureserver.net'],
    says: [
      {
        id: 'godaddy-blocked',
        words: list(`
          ib103, ib104, ib105, ib106, ib110, ib111, ib112, ib113
        `),
        means: 'blocked',
      },
      { id: 'godaddy-reverse-dns', words: ['ib108'], means: 'reverse_dns_missing' },
      { id: 'godaddy-rate', words: ['ib007', 'ib504', 'ib510', 'ib607'], means: 'rate_limited' },
      { id: 'godaddy-content', words: ['ib212', 'ib705', 'ib501', 'ib502'], means: 'content_refused' },
      { id: 'godaddy-sender', words: ['ib506'], means: 'sender_refused' },
      { id: 'godaddy-authentication', words: ['ib508'], means: 'authentication_failed' },
    ],
  },
  {
    name: 'sina',
    source: 'replies in two languages as collected at blog.sina.com.cn (2013)',
    written: WRITTEN,
    hosts: ['sina.com.cn', 'sina.com', 'sina.cn'],
    says: [
      {
        id: 'sina-unknown',
        phases: AFTER_RCPT,
        permanent: true,
        words: ['mailbox unavailable'],
        means: 'unknown_recipient',
      },
      {
        id: 'sina-address',
        words: ['black ip', 'openrelay check', 'smtpport check', 'rbl deny'],
        means: 'blocked',
      },
      { id: 'sina-hostname', words: ['helohost error'], means: 'hostname_refused' },
      { id: 'sina-spf', words: ['remote ip check error'], means: 'authentication_failed' },
      {
        id: 'sina-sender',
        words: ['host denies sender', 'mail from invalid', 'sender unvalidated'],
        means: 'sender_refused',
      },
      { id: 'sina-pace', words: ['too many same size'], means: 'rate_limited' },
    ],
  },
  {
    name: 'at&t',
    source: 'rbl.att.net: error message summary',
    written: WRITTEN,
    hosts: ['att.net', 'bellsouth.net', 'prodigy.net'],
    says: [
      {
        id: 'att-blocked',
        words: ['unauthorized interface', 'attrbl', 'blocked ~ abuse', '# block', 'blocked by ldap'],
        means: 'blocked',
      },
      { id: 'att-reverse-dns', words: ['failure dns lookup'], means: 'reverse_dns_missing' },
      { id: 'att-sender', words: ['requires valid sender domain'], means: 'sender_refused' },
    ],
  },
];
