/** The DNS records that the owner of a domain should publish. */
import type { StsPolicy } from '../protocols/dns/mta-sts-policy.ts';
import { stsHostOf, stsRecordName, stsRecordValue } from '../protocols/dns/own-sts-policy.ts';
import { organizationalDomain } from './dmarc.ts';

export interface DnsRecord {
  readonly type: 'TXT' | 'MX' | 'CNAME';
  readonly name: string;
  readonly value: string;
}

/** The zone of the domain belongs to its owner, that of the sending host to the operator of the installation. */
export const PUBLISHERS = ['domain_owner', 'operator'] as const;

interface RecommendedRecord extends DnsRecord {
  readonly purpose: string;
  readonly published_by: (typeof PUBLISHERS)[number];
}

/** The parts of a domain that its records depend on. */
export interface PublishedDomain {
  readonly domain: string;
  readonly selector: string;
  /** SubjectPublicKeyInfo, DER. */
  readonly publicKey: Buffer;
  /** The address that the DMARC record should name for reports. */
  readonly reportsTo?: string | null;
}

/** The address for reports about a domain; null when reports are not processed. */
export interface ReportsTo {
  readonly dmarc: string | null;
  readonly tls: string | null;
}

export const NO_REPORTS: ReportsTo = { dmarc: null, tls: null };

/** The host's MTA-STS policy, if it has an effect, and the host that serves the policy. */
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

/** The sending host cannot include itself, so it publishes its own record. */
export function spfValue(domain: string, host: string): string {
  return domain === host ? hostSpfValue() : `v=spf1 include:${host} ~all`;
}

/** The record of the sending host, which the records of all domains include. */
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

/** Requests no enforcement, so that publishing the record loses no mail. */
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

/** RFC 7489, 7.1: the name of the record by which the host accepts reports about another domain. */
export function reportPermissionName(domain: string, host: string): string {
  return `${domain}._report._dmarc.${host}`;
}

export const REPORT_PERMISSION = 'v=DMARC1';

/** The subdomain that may receive the domain's bounces instead of the installation's host. */
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
      published_by: 'domain_owner',
    },
    ...reportingRecords(domain, host, reportsTo),
    {
      type: 'MX',
      name: host,
      value: `10 ${host}`,
      purpose:
        'Bounces come back to this host, the return path of every mail. Published once, by the operator of this server.',
      published_by: 'operator',
    },
    {
      type: 'TXT',
      name: host,
      value: hostSpfValue(),
      purpose:
        'Names the addresses this server sends from; the SPF records of all sending domains include it. Published once, by the operator of this server.',
      published_by: 'operator',
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
      published_by: 'domain_owner',
    });
  }
  if (dmarc !== null && organizationalDomain(domain) !== organizationalDomain(host)) {
    records.push({
      type: 'TXT',
      name: reportPermissionName('*', host),
      value: REPORT_PERMISSION,
      purpose:
        'Says that this server wants the DMARC reports of other domains; without it receivers do not send them. Published once, by the operator of this server.',
      published_by: 'operator',
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
      published_by: 'operator',
    },
    {
      type: 'CNAME',
      name: stsHostOf(host),
      value: servedBy,
      purpose:
        'Where senders fetch that policy from; the proxy needs a certificate for the name. Published once, by the operator of this server.',
      published_by: 'operator',
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
      published_by: 'domain_owner',
    },
    {
      type: 'TXT',
      name,
      value: spfValue(name, host),
      purpose:
        'Lets this server send mail whose bounces come back there. Published by the owner of the domain.',
      published_by: 'domain_owner',
    },
  ];
}
