/** The records of each sending domain, and their DMARC result. */

import { describeDnsFailure } from '../../domains/advice.ts';
import { type DmarcRecord, isAligned } from '../../domains/dmarc.ts';
import {
  delegatedHost,
  REPORT_PERMISSION,
  reportPermissionName,
  spfValue,
} from '../../domains/dns-records.ts';
import { SANDBOX_DOMAIN } from '../../domains/sandbox-domain.ts';
import { createSenders } from '../../domains/senders.ts';
import { countDomains, listDomainsOfAll } from '../../domains/store.ts';
import type { DnsCheck } from '../../domains/verify.ts';
import { doctorCheck } from '../doctor-check.ts';
import { type DoctorContext, ofAnswering } from '../doctor-context.ts';
import { counted, dnsRecordLine, type Level, type Observation, quoted } from '../finding.ts';
import { publicHostName } from '../host/known-host.ts';
import { gatherDomain, type SendingDomainFacts } from './domain-facts.ts';

interface AllDomains {
  readonly examined: readonly SendingDomainFacts[];
  readonly count: number;
}

/** Workers check all domains daily. */
const MAX_EXAMINED = 50;

export const domainsCheck = doctorCheck({
  name: 'domains',
  needsDatabase: true,
  needsDns: true,
  matters: 'Receivers refuse mail, or classify it as spam, unless the domain in From authorizes it.',
  gather: gatherDomains,
  judge: judgeDomains,
});

async function gatherDomains({ config, clock, resolver, ...context }: DoctorContext): Promise<AllDomains> {
  const host = publicHostName(config);
  const [found, counts, senders] = await Promise.all([
    ofAnswering(context, (cell) => listDomainsOfAll(cell, SANDBOX_DOMAIN, MAX_EXAMINED)),
    ofAnswering(context, (cell) => countDomains(cell, SANDBOX_DOMAIN)),
    createSenders(resolver, config, clock)(),
  ]);
  const rows = found.flat().slice(0, MAX_EXAMINED);
  return {
    examined: await Promise.all(rows.map((row) => gatherDomain(resolver, row, host, senders))),
    count: counts.reduce((sum, one) => sum + one, 0),
  };
}

function judgeDomains({ examined, count }: AllDomains): Observation[] {
  if (count === 0) {
    const fix = 'npx postrider domain add DOMAIN --org ID';
    return [{ level: 'unknown', seen: 'No sending domain is registered yet.', fix }];
  }
  const left = count - examined.length;
  const rest = `${counted(left, 'further domain')} not examined; workers check each of them once a day.`;
  return [
    ...examined.flatMap(judgeDomain),
    ...(left === 0 ? [] : [{ level: 'unknown', seen: rest } as const]),
  ];
}

/** One line when everything is correct. */
function judgeDomain(facts: SendingDomainFacts): Observation[] {
  const { domain, checked } = facts;
  if (checked === null)
    return [{ level: 'unknown', seen: `${domain} has no DKIM key yet; a worker creates the key.` }];
  // Separate checks cover the host's own record and DMARC.
  const records = checked.checks.filter(({ record }) => record === 'dkim' || record === 'spf');
  const wrong = [
    ...records.filter(({ status }) => status !== 'pass').map((one) => judgeRecord(one, facts)),
    ...judgeDmarc(facts),
    ...judgeDelegation(facts),
    ...judgePermission(facts),
  ];
  return wrong.length > 0 ? wrong : [{ level: 'ok', seen: wellWords(facts) }];
}

/** Problems of a domain that cannot send yet cause no refusals. */
function graver({ isVerified }: SendingDomainFacts): Level {
  return isVerified ? 'bad' : 'warn';
}

function judgeRecord(
  { record, status, name, expected, found, message }: DnsCheck,
  facts: SendingDomainFacts,
): Observation {
  if (status === 'unknown') return { level: 'unknown', seen: message };
  const seen = record === 'dkim' ? `${facts.domain}: ${message}` : message;
  const fix = found.includes(expected)
    ? `This record is right; fix that of ${facts.host}, which it includes: \`host_spf\` says how.`
    : `Publish: ${dnsRecordLine(name, 'TXT', expected)}`;
  return { level: graver(facts), seen, fix };
}

function judgeDmarc(facts: SendingDomainFacts): Observation[] {
  const { domain, dmarc } = facts;
  const publish = `Publish: ${dnsRecordLine(`_dmarc.${domain}`, 'TXT', 'v=DMARC1; p=none')}`;
  switch (dmarc.kind) {
    case 'unavailable':
      return [{ level: 'unknown', seen: describeDnsFailure(dmarc.at, dmarc.code) }];
    case 'missing':
      return [{ level: 'warn', seen: `${domain} has no DMARC record.`, why: REQUIRED, fix: publish }];
    case 'several':
      return [
        {
          level: 'warn',
          seen: `There are ${dmarc.count} DMARC records at ${dmarc.at}, and receivers then use none of them.`,
          why: REQUIRED,
          fix: `Remove all but one of the TXT records at ${dmarc.at} that begin with v=DMARC1.`,
        },
      ];
    case 'malformed': {
      const seen = `The DMARC record at ${dmarc.at} has an error, ${dmarc.problem}: ${quoted(dmarc.text)}.`;
      return [{ level: 'warn', seen, why: REQUIRED, fix: publish }];
    }
    case 'found':
      return unlessAligned(facts, dmarc);
  }
}

const REQUIRED = 'Google, Yahoo and Microsoft require DMARC from senders of 5,000 messages a day or more.';

const DONE_WITH = {
  none: 'Receivers trust the mail less; the record (p=none) requests no action.',
  quarantine: 'Receivers put all mail of the domain into the spam folder, as the record requests.',
  reject: 'Receivers refuse all mail of the domain, as the record requests.',
} as const;

type FoundDmarc = Extract<DmarcRecord, { kind: 'found' }>;

/** DMARC needs one of DKIM and SPF to pass and align with From. Missing DNS answers are not failures. */
function unlessAligned(facts: SendingDomainFacts, dmarc: FoundDmarc): Observation[] {
  const { domain, checked, returnPath } = facts;
  if (checked?.dkim !== 'fail' || countsSpf(facts, dmarc) || returnPath.spf === 'unknown') return [];
  return [
    {
      level: dmarc.policy === 'none' ? 'warn' : graver(facts),
      seen: `Mail from ${domain} fails DMARC (${quoted(dmarc.text)} at ${dmarc.at}): its DKIM signature does not pass, and ${whyNotSpf(facts, dmarc)}.`,
      why: DONE_WITH[dmarc.policy],
      fix: 'Publish the DKIM record: a signature of the domain in From is enough for DMARC.',
    },
  ];
}

function countsSpf({ domain, returnPath }: SendingDomainFacts, { isSpfStrict }: FoundDmarc): boolean {
  return returnPath.spf === 'pass' && isAligned(domain, returnPath.host, isSpfStrict);
}

function whyNotSpf({ domain, returnPath }: SendingDomainFacts, { isSpfStrict }: FoundDmarc): string {
  if (isAligned(domain, returnPath.host, isSpfStrict))
    return `SPF does not pass for the return path ${returnPath.host}`;
  const other = isSpfStrict ? 'is another name (aspf=s)' : 'does not belong to it';
  return `SPF counts for the return path ${returnPath.host}, which ${other}`;
}

/** SPF counts for DMARC only with both parts of the delegation. */
function judgeDelegation({ domain, host, returnPath, delegated }: SendingDomainFacts): Observation[] {
  const name = delegatedHost(domain);
  if (returnPath.host === name || delegated.kind !== 'found') return [];
  const elsewhere = delegated.records.some(({ exchange }) => exchange !== host);
  const records = [
    dnsRecordLine(name, 'MX', `10 ${host}.`),
    dnsRecordLine(name, 'TXT', spfValue(name, host)),
  ];
  return [
    {
      level: 'warn',
      seen: elsewhere
        ? `${name} has MX records, and not only to ${host}.`
        : `${name} has an MX record to ${host}, and no SPF record that lets it send.`,
      why: `It is not used as the return path of mail from ${domain}, so SPF does not count for DMARC; DKIM alone does.`,
      fix: `Publish: ${records.join(' and ')}, or remove the present records.`,
    },
  ];
}

/** Names the domain's record, although a wildcard record would do as well. */
function judgePermission({ domain, host, permission }: SendingDomainFacts): Observation[] {
  if (permission === null) return [];
  const name = reportPermissionName(domain, host);
  if (permission.kind === 'unavailable')
    return [{ level: 'unknown', seen: describeDnsFailure(name, permission.code) }];
  const isThere =
    permission.kind === 'found' && permission.records.some((text) => /^v\s*=\s*DMARC1/.test(text));
  if (isThere) return [];
  return [
    {
      level: 'warn',
      seen: `The DMARC record of ${domain} sends its reports to ${host}, and no record at ${name} permits it.`,
      why: 'Receivers send the reports of a domain to another domain only with this permission.',
      fix: `Publish: ${dnsRecordLine(reportPermissionName('*', host), 'TXT', REPORT_PERMISSION)}`,
    },
  ];
}

function wellWords(facts: SendingDomainFacts): string {
  const { domain, dmarc, returnPath } = facts;
  if (dmarc.kind !== 'found') return `The records of ${domain} are right.`;
  const by = countsSpf(facts, dmarc)
    ? `by DKIM and by SPF (return path ${returnPath.host})`
    : returnPath.spf === 'unknown'
      ? `by DKIM; DNS did not say whether SPF passes for the return path ${returnPath.host}`
      : `by DKIM alone: ${whyNotSpf(facts, dmarc)}`;
  return `The records of ${domain} are right. DMARC (p=${dmarc.policy}) passes ${by}.`;
}
