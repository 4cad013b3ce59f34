/** Bounces and other returned mail, and a client that sends it to the receiver. */

import type { Database } from '../../src/database/database.ts';
import { adHoc, type Sql } from '../../src/database/sql.ts';
import { applyOutcomes } from '../../src/emails/outcomes.ts';
import { appendEvents } from '../../src/events/append.ts';
import type { SmtpFacts } from '../../src/protocols/smtp/facts.ts';
import { SmtpPool } from '../../src/protocols/smtp/pool.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { INBOUND_HOST } from './inbound.ts';

export interface ReportFields {
  readonly action?: string;
  readonly status?: string;
  readonly diagnostic?: string;
}

export function deliveryReport({
  action = 'failed',
  status = '5.1.1',
  diagnostic = '550 5.1.1 User unknown',
}: ReportFields = {}): string {
  return multipart('delivery-status', [
    ['text/plain', 'Something about your message.\r\n'],
    [
      'message/delivery-status',
      lines(
        'Reporting-MTA: dns; relay.example.net',
        '',
        'Final-Recipient: rfc822; somebody-else@example.net',
        `Action: ${action}`,
        `Status: ${status}`,
        'Remote-MTA: dns; mx.example.net',
        `Diagnostic-Code: smtp; ${diagnostic}`,
      ),
    ],
    ['text/rfc822-headers', lines('Subject: Hello')],
  ]);
}

export function complaintReport(reference: string | null, feedbackType = 'abuse'): string {
  const header = reference === null ? [] : [`X-Postrider-Ref: ${reference}`];
  return multipart('feedback-report', [
    ['text/plain', 'Somebody complained.\r\n'],
    ['message/feedback-report', lines(`Feedback-Type: ${feedbackType}`, 'User-Agent: Test/1', 'Version: 1')],
    ['message/rfc822', lines('From: news@example.org', 'To: redacted', ...header, '', 'Hello')],
  ]);
}

function multipart(type: string, parts: readonly (readonly [string, string])[]): string {
  const entities = parts.map(([kind, content]) => `--=_b\r\nContent-Type: ${kind}\r\n\r\n${content}\r\n`);
  return [
    'From: MAILER-DAEMON@relay.example.net\r\nSubject: Report\r\nMIME-Version: 1.0\r\n',
    `Content-Type: multipart/report; report-type=${type}; boundary="=_b"\r\n\r\n`,
    ...entities,
    '--=_b--\r\n',
  ].join('');
}

function lines(...text: readonly string[]): string {
  return `${text.join('\r\n')}\r\n`;
}

/** A foreign mail server. */
export class ReportSender {
  readonly #pool = new SmtpPool({ clock: systemClock });

  async send(port: number, to: string, message: string): Promise<SmtpFacts> {
    const target = { host: INBOUND_HOST, address: '127.0.0.1', port, tls: 'opportunistic' } as const;
    return this.#pool.send(
      { ...target, ehloName: 'relay.example.net' },
      { from: '', to, smtpUtf8: false },
      Buffer.from(message),
    );
  }

  stop(): Promise<void> {
    return this.#pool.stop();
  }
}

interface RecipientRow {
  readonly position: number;
  readonly address: string;
}

/** Settles an accepted email as delivered. */
export async function markDelivered(db: Database, organizationId: string, emailId: string): Promise<void> {
  await db.transaction(async (tx) => {
    const rows = await recipientsOf(tx, emailId);
    const atMs = Date.now();
    const each = rows.map(({ position }) => ({ organizationId, emailId, position, atMs }));
    await tx.exec(adHoc('DELETE FROM outbox WHERE email_id = $1'), [emailId]);
    await applyOutcomes(
      tx,
      each.map((one) => ({ ...one, state: 'delivered', attempts: 1 })),
      atMs,
    );
    await appendEvents(
      tx,
      each.map((one, i) => ({ ...one, recipient: rows[i]?.address ?? '', type: 'delivered', attempt: 1 })),
    );
  });
}

function recipientsOf(tx: Sql, emailId: string): Promise<RecipientRow[]> {
  return tx.many(
    adHoc<RecipientRow>('SELECT position, address FROM recipients WHERE email_id = $1 ORDER BY position'),
    [emailId],
  );
}
