/** Return mail as real servers and people write it: RFC 3464, RFC 5965 and RFC 3834. Pure. */

import { halvesOf } from '../protocols/message/address.ts';
import { unstructuredField } from '../protocols/message/header-text.ts';
import type { ParsedMessage } from '../protocols/message/reading/parsed-message.ts';
import { answerSubject } from '../protocols/message/subject.ts';
import { SANDBOX_MX_HOST } from './receiver.ts';
import type { DeliveredMessage } from './simulated-events.ts';

/** A complete message for the receiver. */
export interface ReturnMail {
  readonly to: string;
  /** Envelope sender; empty by default. */
  readonly from?: string;
  readonly wire: Buffer;
}

const MAX_HEADER_BYTES = 64 * 1024;

/** The server accepted and forwarded the message, then learned that the mailbox does not exist. */
export function lateBounce({ returnPath, recipient, raw }: DeliveredMessage, nowMs: number): ReturnMail {
  const status = [
    `Reporting-MTA: dns; ${SANDBOX_MX_HOST}`,
    `Arrival-Date: ${dateText(nowMs)}`,
    '',
    `Final-Recipient: rfc822; ${recipient}`,
    `Original-Recipient: rfc822; ${recipient}`,
    'Action: failed',
    'Status: 5.1.1',
    `Remote-MTA: dns; mailbox.${SANDBOX_MX_HOST}`,
    `Diagnostic-Code: smtp; 550 5.1.1 <${recipient}>: Recipient address rejected: User unknown`,
    '',
  ];
  const words = [
    `This is the mail system at host ${SANDBOX_MX_HOST}.`,
    '',
    'Your message could not be delivered to one of its recipients. It is attached below.',
    '',
    `<${recipient}>: 550 5.1.1 Recipient address rejected: User unknown`,
    '',
  ];
  const report = multipart('delivery-status', nowMs, [
    ['text/plain; charset=us-ascii', words.join('\r\n')],
    ['message/delivery-status', status.join('\r\n')],
    ['text/rfc822-headers', `${headersOf(raw)}\r\n`],
  ]);
  const from = `MAILER-DAEMON@${SANDBOX_MX_HOST} (Mail Delivery System)`;
  const head = { from, to: returnPath, subject: 'Undelivered Mail Returned to Sender', nowMs };
  return {
    to: returnPath,
    wire: messageOf(head, ['Auto-Submitted: auto-replied', ...report.fields], report.body),
  };
}

/** The recipient reported the mail as spam. As with most providers, the recipient is redacted. */
export function complaint({ returnPath, recipient, raw }: DeliveredMessage, nowMs: number): ReturnMail {
  const to = `fbl@${halvesOf(returnPath).domain}`;
  const feedback = [
    'Feedback-Type: abuse',
    'User-Agent: Postrider-Sandbox/1',
    'Version: 1',
    `Arrival-Date: ${dateText(nowMs)}`,
    'Source-IP: 127.0.0.1',
    `Reporting-MTA: dns; ${SANDBOX_MX_HOST}`,
    '',
  ];
  const redacted = headersOf(raw).replaceAll(recipient, 'redacted');
  const report = multipart('feedback-report', nowMs, [
    ['text/plain; charset=us-ascii', 'This is an abuse report about a message that you sent.\r\n'],
    ['message/feedback-report', feedback.join('\r\n')],
    ['message/rfc822', `${redacted}\r\n\r\n`],
  ]);
  const head = { from: `feedback@${SANDBOX_MX_HOST}`, to, subject: 'Abuse report', nowMs };
  return { to, wire: messageOf(head, report.fields, report.body) };
}

/** The automatic reply of a recipient on holiday. */
export function autoReply({ returnPath, recipient }: DeliveredMessage, nowMs: number): ReturnMail {
  const head = { from: recipient, to: returnPath, subject: 'Automatic reply: away until Monday', nowMs };
  const fields = [
    'Auto-Submitted: auto-replied',
    'Precedence: bulk',
    'Content-Type: text/plain; charset=us-ascii',
  ];
  return { to: returnPath, wire: messageOf(head, fields, 'I am away until Monday and read no mail.\r\n') };
}

interface RecipientsAnswer {
  readonly to: string;
  readonly from: string;
  readonly parsed: ParsedMessage;
  readonly text: string;
}

/** A recipient's reply above the quoted mail. */
export function recipientReply({ to, from, parsed, text }: RecipientsAnswer, nowMs: number): ReturnMail {
  const field = (wanted: string) => parsed.headers.find(({ name }) => name.toLowerCase() === wanted)?.value;
  const id = /<[\x21-\x3b\x3d\x3f-\x7e]{1,250}>/.exec(field('message-id') ?? '')?.[0];
  const subject = answerSubject(parsed.subject);
  const quoted = (parsed.text ?? '').slice(0, MAX_QUOTED_CHARS).split(/\r?\n/);
  const body = [
    ...text.split(/\r?\n/),
    '',
    `On ${dateText(nowMs)}, ${parsed.addresses.from[0]?.email ?? 'somebody'} wrote:`,
    ...quoted.map((line) => `> ${line}`),
  ];
  const fields = [
    ...(id === undefined ? [] : [`In-Reply-To: ${id}`, `References: ${id}`]),
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: base64',
  ];
  const lines =
    Buffer.from(body.join('\r\n'))
      .toString('base64')
      .match(/.{1,76}/g) ?? [];
  const head = { from, to, subject, nowMs };
  return { to, from, wire: messageOf(head, fields, `${lines.join('\r\n')}\r\n`) };
}

const MAX_QUOTED_CHARS = 20_000;

interface Head {
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly nowMs: number;
}

function messageOf({ from, to, subject, nowMs }: Head, fields: readonly string[], body: string): Buffer {
  const head = [
    `From: ${from}`,
    `To: ${to}`,
    unstructuredField('Subject', subject),
    `Date: ${dateText(nowMs)}`,
    `Message-ID: <${nowMs}.${to.slice(2, 60).replace(/[^a-z0-9]/gi, '')}@${SANDBOX_MX_HOST}>`,
    'MIME-Version: 1.0',
    ...fields,
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
}

function multipart(
  reportType: string,
  nowMs: number,
  parts: readonly (readonly [contentType: string, content: string])[],
): { readonly fields: string[]; readonly body: string } {
  const boundary = `=_sandbox_${nowMs}`;
  const entities = parts.map(
    ([type, content]) => `--${boundary}\r\nContent-Type: ${type}\r\n\r\n${content}\r\n`,
  );
  return {
    fields: [`Content-Type: multipart/report; report-type=${reportType};\r\n boundary="${boundary}"`],
    body: `${entities.join('')}--${boundary}--\r\n`,
  };
}

function headersOf(raw: Buffer): string {
  const end = raw.subarray(0, MAX_HEADER_BYTES).indexOf('\r\n\r\n');
  return raw.toString('utf8', 0, end < 0 ? MAX_HEADER_BYTES : end);
}

function dateText(ms: number): string {
  return new Date(ms).toUTCString().replace('GMT', '+0000');
}
