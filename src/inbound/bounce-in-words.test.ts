/** Bounces without a machine-readable part, classified by the rules of delivery. */
import { describe, expect, it } from 'vitest';
import { judgeRefusal } from '../delivery/policy/judge.ts';
import type { SmtpPhase } from '../protocols/smtp/facts.ts';
import { interpret } from './interpret.ts';
import { readReport } from './report/read-report.ts';

const delivery = {
  organizationId: 'org_0000000000000',
  emailId: '01a1dd1c-a335-709a-867c-8b135d323161',
  position: 0,
};

/** In the format of GMX and IONOS. */
function gmxBounce(command: string, host: string, reply: string): Buffer {
  return Buffer.from(
    [
      'From: GMX Mailer Daemon <mailer-daemon@gmx.example.net>',
      'Subject: Mail delivery failed: returning message to sender',
      '',
      'This message was created automatically by mail delivery software.',
      '',
      'A message that you sent could not be delivered to one or more of',
      'its recipients. This is a permanent error. The following address',
      'failed:',
      '',
      'nobody@example.net:',
      `SMTP error from remote server for ${command} command, host: ${host} (192.0.2.10) reason: ${reply}`,
      '',
    ].join('\r\n'),
  );
}

function reasonOf(raw: Buffer): unknown {
  const interpretation = interpret(readReport(raw), delivery, () => null, judgeRefusal);
  return interpretation.kind === 'failed' ? interpretation.finding.reason : interpretation;
}

function reasonOverSmtp(phase: SmtpPhase, host: string, reply: string): string {
  const [code = '', ...words] = reply.split(' ');
  return judgeRefusal({ phase, host, reply: { code: Number(code), enhanced: null, text: words.join(' ') } })
    .reason;
}

describe('a text bounce of GMX', () => {
  it.each([
    [
      'RCPT TO',
      'rcpt',
      'mx00.gmx.net',
      '550 Requested action not taken: mailbox unavailable',
      'unknown_recipient',
    ],
    [
      'TEXT',
      'dot',
      'mx-ha02.web.de',
      '554 Transaction failed, reject due to policy restrictions',
      'content_refused',
    ],
    ['MAIL FROM', 'mail', 'mx.example.org', '550 Requested action not taken', 'sender_refused'],
    [
      'RCPT TO',
      'rcpt',
      'mx.example.org',
      '550 Requested action not taken: mailbox unavailable',
      'mailbox_unavailable',
    ],
  ] as const)(
    'is judged like the reply to %s over SMTP (%s at %s: %s)',
    (command, phase, host, reply, reason) => {
      expect(reasonOf(gmxBounce(command, host, reply))).toBe(reason);
      expect(reasonOverSmtp(phase, host, reply)).toBe(reason);
    },
  );
});

describe('other text bounces', () => {
  it('takes the host and the refused command from the text of Exim', () => {
    const text = [
      'From: Mailer-Daemon@relay.example.net',
      'Subject: Mail delivery failed',
      '',
      'This message was created automatically by mail delivery software.',
      '',
      '  nobody@example.net',
      '    SMTP error from remote mail server after end of data:',
      '    host mx00.gmx.net [192.0.2.10]: 554 Transaction failed',
      '',
    ].join('\r\n');
    expect(readReport(Buffer.from(text))).toMatchObject({ remoteHost: 'mx00.gmx.net', phase: 'dot' });
  });

  it('does not mistake the host that wrote the report for the host that refused', () => {
    const text = [
      'From: MAILER-DAEMON@relay.example.net',
      'Subject: Undelivered Mail Returned to Sender',
      '',
      'This is the mail system at host relay.example.net.',
      '',
      '<nobody@example.net>: host mx00.gmx.net[192.0.2.10] said: 550 no (in reply to RCPT TO command)',
      '',
    ].join('\r\n');
    expect(readReport(Buffer.from(text))).toMatchObject({ remoteHost: 'mx00.gmx.net', phase: 'rcpt' });
  });
});
