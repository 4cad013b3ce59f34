import { parseSpf } from '../protocols/dns/spf-record.ts';
import type { DkimVerdict } from './dkim-record.ts';
import type { DmarcRecord } from './dmarc.ts';
import { dmarcName, dmarcValue, hostSpfValue, spfValue } from './dns-records.ts';
import type { SpfVerdict } from './spf.ts';
import { type FittedSpf, networkOf } from './spf-fit.ts';

/** `name`: where the record belongs. */
export function adviseDkim(verdict: DkimVerdict, name: string): string {
  switch (verdict.kind) {
    case 'pass':
      return `The DKIM key at ${name} is the right one.`;
    case 'unavailable':
      return `${describeDnsFailure(name, verdict.code)} Nothing was changed; check again in a few minutes.`;
    case 'missing':
      return `There is no TXT record at ${name}. Publish one there with the expected value. Many DNS panels add the domain automatically: then leave it out of the name.`;
    case 'several':
      return `There are ${verdict.count} TXT records at ${name}, and receivers may use any of them. Keep only the one with the expected value.`;
    case 'malformed':
      return `The TXT record at ${name} is not a DKIM key: ${verdict.problem}. Replace it with the expected value.`;
    case 'revoked':
      return `The DKIM key at ${name} is revoked: p= is empty. Replace the record with the expected value.`;
    case 'wrong_type':
      return `The DKIM key at ${name} is of the type k=${verdict.type}, where k=rsa is needed. Replace the record with the expected value.`;
    case 'restricted':
      return `The DKIM key at ${name} is restricted by ${verdict.tag} and cannot be used for our signatures. Replace the record with the expected value.`;
    case 'other_key':
      return verdict.cutShort
        ? `The DKIM key at ${name} is cut off in the middle. Publish the whole value; DNS panels that limit the length take it in several quoted strings of up to 255 characters.`
        : `The DKIM key at ${name} is not ours. Replace the record with the expected value.`;
  }
}

interface DmarcAdvice {
  readonly status: 'pass' | 'warn' | 'unknown';
  /** The name of the found or missing record. */
  readonly name: string;
  readonly expected: string;
  readonly found: readonly string[];
  readonly message: string;
}

/**
 * Explains the result of the DMARC check and the change to make. Mail is sent without the record, but receivers trust
 * it less.
 */
export function adviseDmarc(
  record: DmarcRecord,
  domain: string,
  reportsTo: string | null = null,
): DmarcAdvice {
  const missing = { name: dmarcName(domain), expected: dmarcValue(reportsTo), found: [] };
  switch (record.kind) {
    case 'found':
      return {
        status: 'pass',
        name: record.at,
        expected: record.text,
        found: [record.text],
        message: `The DMARC record is right. ${POLICIES[record.policy]}`,
      };
    case 'missing':
      return {
        ...missing,
        status: 'warn',
        message: `${domain} has no DMARC record. Large providers require one; publish a TXT record at ${missing.name} with the value: ${missing.expected}`,
      };
    case 'several':
      return {
        ...missing,
        name: record.at,
        status: 'warn',
        message: `There are ${record.count} DMARC records at ${record.at}, and receivers use none of them then. Remove all but one.`,
      };
    case 'malformed':
      return {
        ...missing,
        name: record.at,
        found: [record.text],
        status: 'warn',
        message: `The DMARC record at ${record.at} has an error: ${record.problem}. Receivers ignore it.`,
      };
    case 'unavailable':
      return {
        ...missing,
        name: record.at,
        status: 'unknown',
        message: describeDnsFailure(record.at, record.code),
      };
  }
}

const POLICIES = {
  none: 'Mail that fails DMARC is still delivered (p=none).',
  quarantine: 'Mail that fails DMARC goes to the spam folder (p=quarantine).',
  reject: 'Mail that fails DMARC is refused (p=reject).',
} as const;

/** Explains the result of the SPF check and the change to make. */
interface SpfAdvice {
  /** The value to publish: an existing record is extended, because a domain may have only one. */
  readonly expected: string;
  readonly found: readonly string[];
  readonly message: string;
}

/** `fitted`: the proposed record, reduced to the number of lookups that receivers make. */
export function adviseSpf(
  verdict: SpfVerdict,
  domain: string,
  host: string,
  fitted: FittedSpf | null = null,
): SpfAdvice {
  const found = recordsOf(verdict);
  const expected = fitted?.record ?? proposedSpf(verdict, domain, host);
  const change = `${expected}${fittedWords(fitted, host)}`;
  return { expected, found, message: sentence(verdict, { domain, host, expected: change }) };
}

/** The proposal before its lookups are counted. */
export function proposedSpf(verdict: SpfVerdict, domain: string, host: string): string {
  return isRightSpf(verdict) ? verdict.record : repaired(recordsOf(verdict), domain, host);
}

type RightRecord = Extract<SpfVerdict, { kind: 'pass' | 'broken_host' | 'not_covered' }>;

/** Whether the domain's own record needs no change. */
export function isRightSpf(verdict: SpfVerdict): verdict is RightRecord {
  return ['pass', 'broken_host', 'not_covered'].includes(verdict.kind);
}

function fittedWords(fitted: FittedSpf | null, host: string): string {
  if (fitted === null) return '';
  const { leftOut, namesAddresses } = fitted;
  const named = namesAddresses
    ? ` (it names the addresses of ${host}, which cost no lookup; change them here when they change)`
    : '';
  if (leftOut.length === 0) return named;
  return `${named}. It leaves out ${leftOut.join(' ')}, for which there are not enough lookups: to keep one of them, remove others that are no longer used.`;
}

function recordsOf(verdict: SpfVerdict): readonly string[] {
  switch (verdict.kind) {
    case 'unavailable':
      return [];
    case 'missing':
      return verdict.lookalikes;
    case 'several':
      return verdict.records;
    default:
      return [verdict.record];
  }
}

interface Names {
  readonly domain: string;
  readonly host: string;
  readonly expected: string;
}

function sentence(verdict: SpfVerdict, { domain, host, expected }: Names): string {
  const ours = `include:${host}`;
  switch (verdict.kind) {
    case 'pass':
      return verdict.crowded === undefined
        ? `The SPF record of ${domain} lets ${host} send.`
        : `The SPF record of ${domain} lets ${host} send. In all it needs ${verdict.crowded} DNS lookups, and receivers stop at 10: mail from the last ones it names may fail.`;
    case 'unavailable':
      return `${describeDnsFailure(verdict.at, verdict.code)} Nothing was changed; check again in a few minutes.`;
    case 'missing':
      return verdict.lookalikes.length === 0
        ? `${domain} has no SPF record. Publish a TXT record at ${domain} with the value: ${expected}`
        : `${domain} has a TXT record that is meant as SPF but does not begin with v=spf1 and a space. Replace it with: ${expected}`;
    case 'several':
      return `${domain} has ${verdict.records.length} SPF records, and receivers then use none of them. Replace them with one: ${expected}`;
    case 'malformed':
      return `The SPF record of ${domain} has an error at "${verdict.term}": ${verdict.problem}. Receivers ignore the whole record until it is corrected.`;
    case 'not_included':
      return verdict.hiddenBehind === null
        ? `The SPF record of ${domain} does not include ${host}. Change it to: ${expected}`
        : `In the SPF record of ${domain}, "${verdict.hiddenBehind}" stands before ${ours}, and receivers stop reading there. Change it to: ${expected}`;
    case 'refused':
      return `The SPF record of ${verdict.at} has "${verdict.term}", and the sign in front keeps it from allowing anything. Remove the "${verdict.term.charAt(0)}".`;
    case 'too_many_lookups':
      return `The SPF record of ${domain} needs more than 10 DNS lookups, and receivers stop at 10. Change it to: ${expected}`;
    case 'too_many_voids':
      return `The SPF record of ${domain} asks for more than 2 names that have no such record, and receivers stop at 2. Remove what is no longer there, or put ${ours} first: ${expected}`;
    case 'crowded_by_host':
      return `With ${ours} the SPF record of ${domain} needs ${verdict.lookups} DNS lookups, and receivers stop at 10: mail from the others it names would fail. Change it to: ${expected}`;
    case 'broken_host':
      return `The SPF record of ${domain} includes ${host}, ${HOST_PROBLEMS[verdict.problem]}. Receivers ignore the whole record then. The operator of this server publishes a TXT record at ${host} with the value: ${hostSpfValue()}`;
    case 'not_covered':
      return `The SPF record of ${domain} includes ${host}, whose own record does not allow ${verdict.address}, from which this server sends: "${verdict.found}". The operator of this server adds ${networkOf(verdict.address)} to it.`;
    case 'broken_include':
      return `The SPF record of ${domain} leads to ${verdict.at}, ${BROKEN[verdict.problem]}. Receivers ignore the whole record then. Remove ${verdict.at}, or put ${ours} first: ${expected}`;
  }
}

const HOST_PROBLEMS = {
  missing: 'which has no SPF record',
  several: 'which has more than one SPF record',
  malformed: 'whose SPF record has an error',
  unusable: 'whose SPF record cannot be used: it needs too many DNS lookups, or leads to one that is broken',
} as const;

const BROKEN = {
  missing: 'which has no SPF record',
  several: 'which has more than one SPF record',
  malformed: 'whose SPF record has an error',
  loop: 'which leads back to where it came from',
} as const;

/**
 * Merges the records into one. Our include comes first, where no earlier term decides and it needs the fewest
 * lookups.
 */
function repaired(records: readonly string[], domain: string, host: string): string {
  const fresh = spfValue(domain, host);
  if (domain === host) return fresh;
  const parsed = records.map((text) => ({ text, ...parseSpf(text) }));
  if (parsed.length === 0 || parsed.some(({ ok, text }) => !ok || !/^v=spf1 /i.test(text))) return fresh;
  const terms = parsed.flatMap(({ text }) => text.slice('v=spf1'.length).split(' ').filter(Boolean));
  const isOurs = new RegExp(`^[-+~?]?include:${host.replaceAll('.', '\\.')}\\.?$`, 'i');
  const kept = unique(terms.filter((term) => !isOurs.test(term)));
  const all = kept.find((term) => IS_ALL.test(term));
  const redirects = kept.filter((term) => /^redirect=/i.test(term));
  const mechanisms = kept.filter((term) => !IS_ALL.test(term) && !redirects.includes(term));
  // One record can have only one redirect, and a redirect beside `all` is never used.
  const end = all ?? (redirects.length === 1 ? redirects[0] : '~all');
  return ['v=spf1', `include:${host}`, ...mechanisms, end].join(' ');
}

const IS_ALL = /^[-+~?]?all$/i;

function unique(terms: readonly string[]): string[] {
  return [...new Map(terms.map((term) => [term.toLowerCase(), term])).values()];
}

export function describeDnsFailure(name: string, code: string): string {
  switch (code) {
    case 'ETIMEOUT':
    case 'ETIMEDOUT':
      return `DNS did not answer in time for ${name}.`;
    case 'ESERVFAIL':
      return `DNS could not answer for ${name} (SERVFAIL): its name servers are failing or its DNSSEC is broken.`;
    case 'EREFUSED':
      return `DNS refused to answer for ${name}.`;
    default:
      return `DNS gave no usable answer for ${name} (${code}).`;
  }
}
