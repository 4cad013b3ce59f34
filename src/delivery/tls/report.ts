/** Makes the JSON of a TLS report (RFC 8460) and the mail that carries it. Pure. */
import { gzipSync } from 'node:zlib';
import type { Address } from '../../protocols/message/address.ts';
import type { DueReport, TlsSessionRow } from './report-store.ts';

export interface TlsReporter {
  /** The contact for questions about reports, and the sender of their mail. */
  readonly contact: Address;
}

interface PolicyReport {
  readonly policy: Record<string, unknown>;
  readonly summary: Record<string, number>;
  readonly 'failure-details'?: readonly Record<string, unknown>[];
}

function reportId({ day, domain }: DueReport, { contact }: TlsReporter): string {
  return `${day}.${domain}@${contact.domain}`;
}

export function reportJson(due: DueReport, reporter: TlsReporter, rows: readonly TlsSessionRow[]): string {
  const { contact } = reporter;
  return JSON.stringify({
    'organization-name': contact.domain,
    'date-range': {
      'start-datetime': `${due.day}T00:00:00Z`,
      'end-datetime': `${due.day}T23:59:59Z`,
    },
    'contact-info': contact.email,
    'report-id': reportId(due, reporter),
    policies: policiesOf(due.domain, rows),
  });
}

function policiesOf(domain: string, rows: readonly TlsSessionRow[]): PolicyReport[] {
  const byPolicy = new Map<string, TlsSessionRow[]>();
  for (const row of rows) {
    const isByHost = row.policy_type === 'tlsa';
    const key = JSON.stringify([row.policy_type, row.policy, isByHost ? row.mx_host : '']);
    byPolicy.set(key, [...(byPolicy.get(key) ?? []), row]);
  }
  return [...byPolicy.values()].map((own) => policyReport(domain, own));
}

function policyReport(domain: string, rows: readonly TlsSessionRow[]): PolicyReport {
  const [{ policy_type: type, policy, mx_host } = NOTHING] = rows;
  const hosts = type === 'sts' ? hostsIn(policy) : type === 'tlsa' && mx_host !== '' ? [mx_host] : [];
  const failed = rows.filter(({ failure }) => failure !== '');
  return {
    policy: {
      'policy-type': type,
      ...(policy.length === 0 ? {} : { 'policy-string': policy }),
      'policy-domain': domain,
      ...(hosts.length === 0 ? {} : { 'mx-host': hosts }),
    },
    summary: {
      'total-successful-session-count': sum(rows) - sum(failed),
      'total-failure-session-count': sum(failed),
    },
    ...(failed.length === 0 ? {} : { 'failure-details': failed.map(failureDetail) }),
  };
}

const NOTHING: TlsSessionRow = {
  policy_type: 'no-policy-found',
  policy: [],
  mx_host: '',
  failure: '',
  mx_address: null,
  reason: null,
  sessions: 0,
};

function failureDetail({ failure, mx_host, mx_address, reason, sessions }: TlsSessionRow) {
  return {
    'result-type': failure,
    ...(mx_host === '' ? {} : { 'receiving-mx-hostname': mx_host }),
    ...(mx_address === null ? {} : { 'receiving-ip': mx_address }),
    'failed-session-count': sessions,
    ...(reason === null ? {} : { 'failure-reason-code': reason }),
  };
}

function hostsIn(lines: readonly string[]): string[] {
  return lines.filter((line) => line.startsWith('mx: ')).map((line) => line.slice('mx: '.length));
}

function sum(rows: readonly TlsSessionRow[]): number {
  return rows.reduce((total, { sessions }) => total + sessions, 0);
}

interface ReportMail {
  readonly subject: string;
  readonly mime: Buffer;
}

/** The mail of a report (RFC 8460 section 5.3). TLS is optional for it, because it may report that TLS does not work. */
export function reportMail(
  due: DueReport,
  reporter: TlsReporter,
  to: readonly Address[],
  json: string,
): ReportMail {
  const { contact } = reporter;
  const id = reportId(due, reporter);
  const subject = `Report Domain: ${due.domain} Submitter: ${contact.domain} Report-ID: <${id}>`;
  const boundary = `tlsrpt-${due.day}`;
  const name = fileName(due, reporter);
  const lines = [
    `From: <${contact.email}>`,
    `To: ${to.map(({ email }) => `<${email}>`).join(',\r\n ')}`,
    `Subject: ${folded(subject)}`,
    `TLS-Report-Domain: ${due.domain}`,
    `TLS-Report-Submitter: ${contact.domain}`,
    'TLS-Required: No',
    'Auto-Submitted: auto-generated',
    'MIME-Version: 1.0',
    `Content-Type: multipart/report; report-type="tlsrpt";\r\n boundary="${boundary}"`,
    '',
    `--${boundary}`,
    'Content-Type: text/plain; charset="us-ascii"',
    'Content-Transfer-Encoding: 7bit',
    '',
    `This is an aggregate TLS report from ${contact.domain}`,
    `about mail to ${due.domain} on ${due.day} (UTC).`,
    '',
    `--${boundary}`,
    `Content-Type: application/tlsrpt+gzip;\r\n name="${name}"`,
    'Content-Transfer-Encoding: base64',
    `Content-Disposition: attachment;\r\n filename="${name}"`,
    '',
    base64Lines(gzipSync(json)),
    `--${boundary}--`,
    '',
  ];
  return { subject, mime: Buffer.from(lines.join('\r\n')) };
}

function fileName({ day, domain }: DueReport, { contact }: TlsReporter): string {
  const start = Date.parse(`${day}T00:00:00Z`) / 1000;
  return `${contact.domain}!${domain}!${start}!${start + 86_399}.json.gz`;
}

/** Folds the text into lines of at most 998 characters, most of them of at most 78. */
function folded(text: string): string {
  return text.replaceAll(' ', '\r\n ').replace('Report\r\n Domain:', 'Report Domain:');
}

function base64Lines(bytes: Buffer): string {
  return (bytes.toString('base64').match(/.{1,76}/g) ?? []).join('\r\n');
}
