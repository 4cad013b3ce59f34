/** More filters in front of other servers. */
import { AFTER_RCPT, type Speaker } from './table.ts';
import { list } from './words.ts';

const WRITTEN = '2026-11';

export const MORE_GATEWAYS: readonly Speaker[] = [
  {
    name: 'trend micro',
    source: 'success.trendmicro.com: Email Reputation Services, QIL, RBL and DUL',
    written: WRITTEN,
    hosts: ['trendmicro.com', 'trendmicro.eu', 'trendmicro.co.jp'],
    marks: ['ers qil', 'ers rbl', 'ers dul', 'trend micro rbl', 'trend micro email reputation'],
    says: [
      {
        id: 'trend-reputation',
        words: list(`
          ers qil, ers rbl, ers dul, ers kss, trend micro rbl, trend micro email reputation
        `),
        means: 'blocked',
      },
    ],
  },
  {
    name: 'sophos',
    source: 'docs.sophos.com/central, Email Security: SMTP error codes',
    written: WRITTEN,
    hosts: ['sophos.com'],
    marks: ['xgemail'],
    says: [
      {
        id: 'sophos-authentication',
        words: ['xgemail 0001', 'xgemail 0002', 'xgemail 0003'],
        means: 'authentication_failed',
      },
      { id: 'sophos-address-listed', words: ['xgemail 0004'], means: 'blocked' },
      {
        id: 'sophos-sender-listed',
        words: ['xgemail 0005', 'xgemail 0008', 'xgemail 0009'],
        means: 'blocked',
        about: 'sender_domain',
      },
      {
        id: 'sophos-tls',
        words: ['xgemail 0006'],
        means: 'authentication_failed',
        about: 'our_address',
      },
      { id: 'sophos-not-served', words: ['xgemail 0007', 'xgemail 0010'], means: 'domain_not_served' },
      {
        id: 'sophos-unknown',
        phases: AFTER_RCPT,
        words: ['xgemail 0011'],
        means: 'unknown_recipient',
      },
      { id: 'sophos-size', words: ['xgemail 0012'], means: 'message_too_large' },
      { id: 'sophos-recipients', words: ['xgemail 0013'], means: 'too_many_recipients' },
      {
        id: 'sophos-pace',
        phases: AFTER_RCPT,
        words: ['xgemail 0014', 'xgemail 0015'],
        means: 'recipient_receives_too_fast',
      },
    ],
  },
];
