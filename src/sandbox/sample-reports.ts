/**
 * Sample reports about a domain, in the formats of receivers (RFC 7489, RFC 8460) with made-up numbers, to
 * show how they are processed. Pure.
 */
import { gzipSync } from 'node:zlib';
import { DAY_MS } from '../runtime/durations.ts';
import { SANDBOX_MX_HOST } from './receiver.ts';

interface SampledDomain {
  readonly domain: string;
  /** The host of our return paths, whose SPF record allows our own mail. */
  readonly host: string;
  readonly dmarcTo: string;
  readonly tlsTo: string;
}

interface SampleMail {
  readonly to: string;
  readonly wire: Buffer;
}

const DAYS = 7;
/** Addresses reserved for documentation, from which no mail is sent. */
const OURS = '192.0.2.25';
const SERVICE = '198.51.100.17';
const STRANGER = '203.0.113.9';

/**
 * A DMARC report for each day of a week, and one TLS report. The same day yields the same report, which
 * counts once.
 */
export function sampleReports(domain: SampledDomain, nowMs: number): SampleMail[] {
  const today = Math.floor(nowMs / DAY_MS);
  const days = Array.from({ length: DAYS }, (_, back) => today - 1 - back);
  return [...days.map((day) => dmarcSample(domain, day)), tlsSample(domain, today - 1)];
}

function dmarcSample({ domain, host, dmarcTo }: SampledDomain, day: number): SampleMail {
  const begin = (day * DAY_MS) / 1000;
  const weekly = 1 + (day % DAYS);
  const records = [
    record(OURS, 300 + 20 * weekly, domain, { dkim: domain, spf: host, spfAligned: false }),
    record(SERVICE, 40 + weekly, domain, { dkim: domain, spf: `bounces.${domain}`, spfAligned: true }),
    record(STRANGER, 3 * weekly, domain, { dkim: null, spf: 'crm.example.net', spfAligned: false }),
  ];
  const xml = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<feedback>',
    `<report_metadata><org_name>${SANDBOX_MX_HOST}</org_name><email>reports@${SANDBOX_MX_HOST}</email>`,
    `<report_id>sample-${day}</report_id>`,
    `<date_range><begin>${begin}</begin><end>${begin + 86_399}</end></date_range></report_metadata>`,
    `<policy_published><domain>${domain}</domain><adkim>r</adkim><aspf>r</aspf><p>none</p><pct>100</pct></policy_published>`,
    ...records,
    '</feedback>',
  ].join('\n');
  const subject = `Report Domain: ${domain} Submitter: ${SANDBOX_MX_HOST} Report-ID: sample-${day}`;
  return mail(dmarcTo, subject, { type: 'application/gzip', name: `${domain}!${day}.xml.gz`, text: xml });
}

interface Passed {
  readonly dkim: string | null;
  readonly spf: string;
  readonly spfAligned: boolean;
}

function record(ip: string, count: number, domain: string, { dkim, spf, spfAligned }: Passed): string {
  const signature =
    dkim === null ? '' : `<dkim><domain>${dkim}</domain><selector>s1</selector><result>pass</result></dkim>`;
  return [
    `<record><row><source_ip>${ip}</source_ip><count>${count}</count>`,
    `<policy_evaluated><disposition>none</disposition><dkim>${dkim === null ? 'fail' : 'pass'}</dkim>`,
    `<spf>${spfAligned ? 'pass' : 'fail'}</spf></policy_evaluated></row>`,
    `<identifiers><header_from>${domain}</header_from></identifiers>`,
    `<auth_results>${signature}<spf><domain>${spf}</domain><result>pass</result></spf></auth_results></record>`,
  ].join('');
}

function tlsSample({ domain, tlsTo }: SampledDomain, day: number): SampleMail {
  const begin = new Date(day * DAY_MS).toISOString();
  const end = new Date((day + 1) * DAY_MS - 1000).toISOString();
  const report = {
    'organization-name': SANDBOX_MX_HOST,
    'date-range': { 'start-datetime': begin, 'end-datetime': end },
    'contact-info': `reports@${SANDBOX_MX_HOST}`,
    'report-id': `sample-${day}`,
    policies: [
      {
        policy: { 'policy-type': 'no-policy-found', 'policy-domain': domain },
        summary: { 'total-successful-session-count': 1_240, 'total-failure-session-count': 12 },
        'failure-details': [
          {
            'result-type': 'starttls-not-supported',
            'receiving-mx-hostname': `mx2.${domain}`,
            'failed-session-count': 12,
          },
        ],
      },
    ],
  };
  const subject = `Report Domain: ${domain} Submitter: ${SANDBOX_MX_HOST} Report-ID: <sample-${day}>`;
  const text = JSON.stringify(report);
  return mail(tlsTo, subject, { type: 'application/tlsrpt+gzip', name: `${domain}!${day}.json.gz`, text });
}

function mail(
  to: string,
  subject: string,
  { type, name, text }: { readonly type: string; readonly name: string; readonly text: string },
): SampleMail {
  const lines = [
    `From: reports@${SANDBOX_MX_HOST}`,
    `To: ${to}`,
    `Subject: ${subject}`,
    'MIME-Version: 1.0',
    `Content-Type: ${type}`,
    `Content-Disposition: attachment; filename="${name}"`,
    'Content-Transfer-Encoding: base64',
    '',
    gzipSync(text).toString('base64').replace(/.{76}/g, '$&\r\n'),
    '',
  ];
  return { to, wire: Buffer.from(lines.join('\r\n')) };
}
