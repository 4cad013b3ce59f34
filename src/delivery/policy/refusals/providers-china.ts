/** Refusals of providers in China, in two languages and with codes of their own. */
import { AFTER_RCPT, type ReplySource } from './table.ts';
import { list } from './words.ts';

const WRITTEN = '2026-11';

export const CHINESE_PROVIDERS: readonly ReplySource[] = [
  {
    name: 'tencent',
    source: 'service.mail.qq.com/detail/122',
    written: WRITTEN,
    links: ['service.mail.qq.com'],
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
    links: ['mail.163.com'],
    hosts: ['163.com', '126.com', 'netease.com', 'yeah.net'],
    marks: ['dt spm', 'hl rep', 'dt rbl', 'mi spb', 'rp dys'],
    says: [
      {
        id: 'netease-content',
        words: ['dt spm', 'dt sum', 'rp tru', 'dt spt'],
        means: 'content_refused',
      },
      {
        id: 'netease-rate-of-sender',
        words: ['mi sfq', 'rp qrc', 'mi sfc', 'rp trc', 'mi stc'],
        means: 'rate_limited',
        about: 'sender_domain',
      },
      { id: 'netease-dmarc', permanent: true, words: ['mi dmc'], means: 'authentication_failed' },
      { id: 'netease-relay', phases: AFTER_RCPT, words: ['rp frl'], means: 'domain_not_served' },
      { id: 'netease-recipients', words: ['rp rcl'], means: 'too_many_recipients' },
      { id: 'netease-hostname', words: ['mi nhd'], means: 'hostname_refused' },
      {
        id: 'netease-rate',
        words: list(`
          rp cel, mi cel, rp ccl, mi ccl, rp drc, rp dys, rp qul, mi dmc, mi icc, dmc, hl icc, hl ifc
        `),
        means: 'rate_limited',
      },
      {
        id: 'netease-reputation',
        words: list('hl rep, hl mep, hl ihu, dt rbl, dt spb, hl iff, hl itc, wm bli, mi dam, hl ipb'),
        means: 'blocked',
      },
      { id: 'netease-spf', words: ['mi spf'], means: 'authentication_failed' },
      { id: 'netease-sender', words: ['wm blu', 'mi nmx', 'mi spb', 'mi imf'], means: 'sender_refused' },
    ],
  },
];
