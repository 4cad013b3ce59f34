/** The records that a domain's owner is asked to publish. */
import type { StsPolicy } from '../protocols/dns/mta-sts-policy.ts';
import { stsHostOf, stsRecordName, stsRecordValue } from '../protocols/dns/own-sts-policy.ts';
import { organizationalDomain } from './dmarc.ts';

export interface DnsRecord {
  readonly type: 'TXT' | 'MX' | 'CNAME';
  readonly name: string;
  readonly value: string;
}

export interface RecommendedRecord extends DnsRecord {
  /** What it is good for, and who publishes it. */
  readonly purpose: string;
}

/** What a registered domain is asked about. */
export interface PublishedDomain {
  readonly domain: string;
  readonly selector: string;
  /** SubjectPublicKeyInfo, DER. */
  readonly publicKey: Buffer;
  /** The address that its DMARC record should ask for reports to. */
  readonly reportsTo?: string | null;
}

/** Where reports about a domain are taken; null where nobody takes them. */
export interface ReportsTo {
  readonly dmarc: string | null;
  readonly tls: string | null;
}

export const NO_REPORTS: ReportsTo = { dmarc: null, tls: null };

/** The MTA-STS policy of the host, where it has one that means anything, and the host that serves it. */
export interface HostSts {
  readonly policy: StsPolicy;
  readonly servedBy: string;
}

const SELECTOR_MAX = 24;
const BELOW = '._domainkey.';
export const DKIM_NAME_OVERHEAD = SELECTOR_MAX + BELOW.length;

export function dkimName({ selector, domain }: Pick<PublishedDomain, 'selector' | 'domain'>): string {
  return `${selector}${BELOW}${domain}`;
}

export function dkimValue(publicKey: Buffer): string {
  return `v=DKIM1; k=rsa; p=${publicKey.toString('base64')}`;
}

/** A domain that is the sending host itself cannot include itself; there the host's own record does. */
export function spfValue(domain: string, host: string): string {
  return domain === host ? hostSpfValue() : `v=spf1 include:${host} ~all`;
}

/** The record of the sending host, which everyone else's includes. */
export function hostSpfValue(): string {
  return 'v=spf1 a mx -all';
}

export function dnsRecords(domain: PublishedDomain, host: string): DnsRecord[] {
  return [
    { type: 'TXT', name: dkimName(domain), value: dkimValue(domain.publicKey) },
    { type: 'TXT', name: domain.domain, value: spfValue(domain.domain, host) },
  ];
}

export function dmarcName(domain: string): string {
  return `_dmarc.${domain}`;
}

/** Asks for nothing but attention, so that nobody's mail is lost by publishing it. */
export function dmarcValue(reportsTo: string | null = null): string {
  return reportsTo === null ? 'v=DMARC1; p=none' : `v=DMARC1; p=none; rua=mailto:${reportsTo}`;
}

/** RFC 8460, 3. */
export function tlsRptName(domain: string): string {
  return `_smtp._tls.${domain}`;
}

export function tlsRptValue(reportsTo: string): string {
  return `v=TLSRPTv1; rua=mailto:${reportsTo}`;
}

/** RFC 7489, 7.1: below it stands, for each domain of others, that their reports are wanted at the host. */
export function reportPermissionName(domain: string, host: string): string {
  return `${domain}._report._dmarc.${host}`;
}

export const REPORT_PERMISSION = 'v=DMARC1';

/** Below a domain, the host that its bounces may come back to instead of ours. */
export function delegatedHost(domain: string): string {
  return `${DELEGATED}.${domain}`;
}

const DELEGATED = 'bounces';

export function recommendedRecords(
  domain: string,
  host: string,
  reportsTo: ReportsTo = NO_REPORTS,
  sts: HostSts | null = null,
): RecommendedRecord[] {
  return [
    {
      type: 'TXT',
      name: dmarcName(domain),
      value: dmarcValue(reportsTo.dmarc),
      purpose:
        'Tells receivers what to do with mail that claims to be from this domain and is not. Large providers require it; p=none only monitors. With rua they report who sends in its name; if there is a record already, add the address to its rua. Published by the owner of the domain.',
    },
    ...reportingRecords(domain, host, reportsTo),
    {
      type: 'MX',
      name: host,
      value: `10 ${host}`,
      purpose:
        'Bounces come back to this host, the return path of every mail. Published once, by the operator of this server.',
    },
    {
      type: 'TXT',
      name: host,
      value: hostSpfValue(),
      purpose:
        'Names the addresses this server sends from; the SPF records of all sending domains include it. Published once, by the operator of this server.',
    },
    ...(sts === null ? [] : stsRecords(host, sts)),
    ...delegatingRecords(domain, host),
  ];
}

function reportingRecords(domain: string, host: string, { dmarc, tls }: ReportsTo): RecommendedRecord[] {
  const records: RecommendedRecord[] = [];
  if (tls !== null) {
    records.push({
      type: 'TXT',
      name: tlsRptName(domain),
      value: tlsRptValue(tls),
      purpose:
        'Asks senders to report how mail to this domain was encrypted, wherever its mailboxes are. Published by the owner of the domain.',
    });
  }
  if (dmarc !== null && organizationalDomain(domain) !== organizationalDomain(host)) {
    records.push({
      type: 'TXT',
      name: reportPermissionName('*', host),
      value: REPORT_PERMISSION,
      purpose:
        'Says that this server wants the DMARC reports of other domains; without it receivers do not send them. Published once, by the operator of this server.',
    });
  }
  return records;
}

function stsRecords(host: string, { policy, servedBy }: HostSts): RecommendedRecord[] {
  return [
    {
      type: 'TXT',
      name: stsRecordName(host),
      value: stsRecordValue(policy),
      purpose: `Tells senders that bounces and reports to this host are encrypted (MTA-STS, ${policy.mode}); the id changes with the policy. Published by the operator of this server, after the next one.`,
    },
    {
      type: 'CNAME',
      name: stsHostOf(host),
      value: servedBy,
      purpose:
        'Where senders fetch that policy from; the proxy needs a certificate for the name. Published once, by the operator of this server.',
    },
  ];
}

function delegatingRecords(domain: string, host: string): RecommendedRecord[] {
  const name = delegatedHost(domain);
  return [
    {
      type: 'MX',
      name,
      value: `10 ${host}`,
      purpose:
        'With the next one: makes this name the return path of mail from the domain, so that SPF counts for DMARC too, not only DKIM. Published by the owner of the domain.',
    },
    {
      type: 'TXT',
      name,
      value: spfValue(name, host),
      purpose:
        'Lets this server send mail whose bounces come back there. Published by the owner of the domain.',
    },
  ];
}
