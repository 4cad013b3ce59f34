/** Refusals of access providers and hosting providers. Many end with a code of the provider's own. */
import { AFTER_RCPT, type ReplySource } from './table.ts';
import { list } from './words.ts';

const WRITTEN = '2026-11';

export const ACCESS_PROVIDERS: readonly ReplySource[] = [
  {
    name: 'cox',
    source: 'cox.com/residential/support/email-error-codes.html',
    written: WRITTEN,
    links: ['cox.com/residential'],
    hosts: ['cox.net', 'cloudfilter.net'],
    says: [
      {
        id: 'cox-blocked',
        words: list(`
          cxbl, cdrbl, ipbl0001, ipbl0010, ipbl0011, ipbl0100, ipbl0101, ipbl0110, ipbl0111, ipbl1000, ipbl1001,
          ipbl1010, ipbl1011, ipbl1100, ipbl1101, ipbl1110, ipbl1111, ipbl00001
        `),
        means: 'blocked',
      },
      {
        id: 'cox-link',
        words: ['urlbl011', 'urlbl101', 'urlbl110', 'urlbl1001'],
        means: 'content_refused',
      },
      { id: 'cox-reverse-dns', words: ['cxdns', 'dns check failure'], means: 'reverse_dns_missing' },
      { id: 'cox-sender', words: ['cxsndr'], means: 'sender_refused' },
      { id: 'cox-rate', words: ['cxcnct', 'cxmxrt', 'cxthrt'], means: 'rate_limited' },
    ],
  },
  {
    name: 'charter',
    source: 'spectrum.net/support/internet/understanding-email-error-codes',
    written: WRITTEN,
    links: ['spectrum.net/support'],
    hosts: ['charter.net', 'spectrum.net', 'rr.com', 'twc.com', 'brighthouse.com'],
    says: [
      {
        id: 'charter-blocked',
        words: list(`
          aup 1000, aup 1200, aup 1210, aup 1220, aup 1230, aup 1240, aup 1250, aup 1260, aup 1560
        `),
        means: 'blocked',
      },
      {
        id: 'charter-reverse-dns',
        words: list(`
          aup 1100, aup 1110, aup 1120, aup 1130, aup 1140, aup 1150
        `),
        means: 'reverse_dns_missing',
      },
      {
        id: 'charter-rate',
        words: list(`
          aup 1300, aup 1320, aup 1330, aup 1340, aup 1350, aup 1360, aup 1370, aup 1380, aup 1390, aup 1400,
          aup 1410, aup 1420, aup 1430, aup 1440, aup 1450, aup 1460, aup 1470, aup 1480, aup 1490, aup 1540, aup 1580
        `),
        means: 'rate_limited',
      },
      { id: 'charter-size', words: ['aup 1530'], means: 'message_too_large' },
      { id: 'charter-recipients', words: ['aup 1550'], means: 'too_many_recipients' },
    ],
  },
  {
    name: 't-online',
    source: 'postmaster.t-online.de; replies as collected in public bounce corpora',
    written: WRITTEN,
    hosts: ['t-online.de'],
    links: ['t-online.de'],
    marks: ['ask your postmaster ~ help'],
    says: [
      {
        id: 't-online-address',
        permanent: true,
        words: ['problem occur', 'bad reputation', 'bl', 'nowl', 'dial'],
        means: 'blocked',
      },
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
