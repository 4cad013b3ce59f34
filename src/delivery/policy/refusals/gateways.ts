/** Refusals of filtering gateways. */
import { AFTER_MESSAGE, AFTER_RCPT, BEFORE_MESSAGE, type ReplySource } from './table.ts';
import { list } from './words.ts';

const WRITTEN = '2026-11';

export const GATEWAYS: readonly ReplySource[] = [
  {
    name: 'mimecast',
    source: 'community.mimecast.com: Mimecast SMTP Error Codes',
    written: WRITTEN,
    links: ['community.mimecast', 'mimecast.org'],
    hosts: ['mimecast.com', 'mimecast.co.za', 'mimecast-offshore.com'],
    says: [
      {
        id: 'mimecast-greylisting',
        permanent: false,
        words: ['internal resources temporarily unavailable', 'internal resources ~ unavailable'],
        means: 'greylisted',
      },
      {
        id: 'mimecast-authentication',
        words: ['spf sender invalid', 'dkim sender invalid', 'dmarc sender invalid'],
        means: 'authentication_failed',
      },
      {
        id: 'mimecast-reputation',
        words: list(`
          ip reputation, poor reputation sender, host network not allowed, ip temporarily blacklisted
        `),
        means: 'blocked',
      },
      {
        id: 'mimecast-sender-blocked',
        words: list(`
          envelope block, sender address block, administrative lockout, user entry,
          header based blocked senders
        `),
        means: 'blocked',
        about: 'sender_domain',
      },
      {
        id: 'mimecast-recipient',
        phases: AFTER_RCPT,
        permanent: true,
        words: ['invalid recipient', 'recipient validation', 'rejected by recipient validation'],
        means: 'unknown_recipient',
      },
      { id: 'mimecast-anti-spoofing', words: ['anti spoofing'], means: 'authentication_failed' },
      {
        id: 'mimecast-spam',
        words: list(`
          spam signature, malware, message content, url protect, spam score, security policies
        `),
        means: 'content_refused',
      },
      {
        id: 'mimecast-loop',
        words: ['journal messages'],
        means: 'blocked',
        about: 'sender_domain',
      },
      {
        id: 'mimecast-not-open',
        permanent: false,
        words: ['account inbounds disabled'],
        means: 'host_not_accepting',
      },
      { id: 'mimecast-submitter', words: ['submitter fail'], means: 'domain_not_served' },
      {
        id: 'mimecast-tls',
        words: ['requires encryption', 'requires tls'],
        means: 'authentication_failed',
        about: 'our_address',
      },
      {
        id: 'mimecast-recipient-later',
        permanent: false,
        words: ['recipient temporarily unavailable'],
        means: 'mailbox_unavailable',
      },
    ],
  },
  {
    name: 'proofpoint',
    source: 'ipcheck.proofpoint.com; help.proofpoint.com and replies as collected in public bounce corpora',
    written: WRITTEN,
    hosts: ['pphosted.com', 'ppe-hosted.com', 'ppops.net'],
    says: [
      {
        id: 'proofpoint-blocked',
        links: ['proofpoint.com/?ip', 'ipcheck.proofpoint', 'dnsbl-lookup', 'cloudmark.com/reset'],
        means: 'blocked',
      },
      {
        id: 'proofpoint-rate',
        permanent: false,
        words: ['try again later', 'deferred'],
        links: ['proofpoint'],
        means: 'policy_deferral',
      },
      {
        id: 'proofpoint-spam',
        phases: AFTER_MESSAGE,
        words: ['spam', 'ppe', 'message content'],
        means: 'content_refused',
      },
    ],
  },
  {
    name: 'barracuda',
    source: 'barracudacentral.org; campus.barracuda.com, Email Gateway Defense: reasons for blocking',
    written: WRITTEN,
    hosts: ['barracudanetworks.com', 'ess.barracuda.com'],
    marks: ['barracuda'],
    says: [
      { id: 'barracuda-reputation', links: ['barracudacentral.org'], means: 'blocked' },
      {
        id: 'barracuda-invalid-recipient',
        phases: AFTER_RCPT,
        permanent: true,
        words: ['no such recipient', 'recipient ~ invalid'],
        unless: ['no such domain'],
        means: 'unknown_recipient',
      },
      {
        id: 'barracuda-sender',
        permanent: true,
        words: ['@ block'],
        also: ['permanent failure one or more recipients'],
        means: 'blocked',
        about: 'sender_domain',
      },
      {
        id: 'barracuda-not-served',
        phases: AFTER_RCPT,
        words: ['no such domain'],
        means: 'domain_not_served',
      },
      { id: 'barracuda-rate', words: ['rate control', 'rate limited'], means: 'rate_limited' },
    ],
  },
  {
    name: 'cisco',
    source:
      'cisco.com: Email Security Appliance (AsyncOS) user guide, host access table; talosintelligence.com',
    written: WRITTEN,
    hosts: ['iphmx.com', 'cisco.com'],
    marks: ['ironport', 'senderbase', 'talos', 'address reject'],
    says: [
      {
        id: 'cisco-reputation-of-domain',
        words: ['reputation ~ domain', 'domain ~ reputation'],
        means: 'blocked',
        about: 'sender_domain',
      },
      {
        id: 'cisco-reputation',
        words: list(`
          senderbase, poor reputation, access to this system ~ reject ~ reputation, sending mta poor reputation,
          ip reputation, sbrs
        `),
        means: 'blocked',
      },
      {
        id: 'cisco-address',
        phases: AFTER_RCPT,
        enhanced: ['x.1.0'],
        words: ['address reject'],
        unless: ['sender', 'rcptrejected'],
        means: 'mailbox_unavailable',
      },
      {
        id: 'cisco-too-many',
        words: ['too many recipients received from', 'too many recipients this hour', 'recipients this hour'],
        means: 'rate_limited',
      },
      {
        id: 'cisco-connections',
        words: ['too many concurrent', 'exceed ~ connections'],
        unless: ['connection time'],
        means: 'rate_limited',
      },
    ],
  },
  {
    name: 'messagelabs',
    source: 'Symantec Email Security.cloud: SMTP bounces and what they mean (knowledge.broadcom.com)',
    written: WRITTEN,
    hosts: ['messagelabs.com', 'symanteccloud.com'],
    says: [
      {
        id: 'messagelabs-recipient',
        phases: AFTER_RCPT,
        permanent: true,
        words: ['invalid recipient', 'no such user'],
        unless: ['recipient domain'],
        means: 'unknown_recipient',
      },
      {
        id: 'messagelabs-relay',
        words: ['smtp authentication ~ mail client', 'not permitted relay', 'no relaying'],
        means: 'domain_not_served',
      },
      {
        id: 'messagelabs-traffic',
        permanent: false,
        words: ['system resources', '451 4 0 0'],
        means: 'rate_limited',
      },
      {
        id: 'messagelabs-refused',
        phases: BEFORE_MESSAGE,
        permanent: true,
        words: list(`
          service not available, connection refused, requested action not taken, requested action aborted,
          message filtered
        `),
        means: 'blocked',
      },
    ],
  },
  {
    name: 'postini',
    source: 'Postini message security: SMTP error codes, as kept by Google Apps documentation of 2012',
    written: WRITTEN,
    hosts: ['psmtp.com'],
    marks: ['psmtp'],
    says: [
      {
        id: 'postini-unavailable',
        phases: AFTER_RCPT,
        permanent: true,
        words: ['invalid recipient', 'no such user'],
        means: 'unknown_recipient',
      },
      {
        id: 'postini-full',
        words: ['mailserver ~ unavailable', 'mailserver temporarily'],
        means: 'host_not_accepting',
      },
      {
        id: 'postini-refused',
        permanent: true,
        words: ['mail refused'],
        links: ['postini'],
        means: 'blocked',
      },
    ],
  },
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
