/** The records that a domain's owner is asked to publish. */

export interface DnsRecord {
  readonly type: 'TXT' | 'MX';
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
export function dmarcValue(): string {
  return 'v=DMARC1; p=none';
}

/** Below a domain, the host that its bounces may come back to instead of ours. */
export function delegatedHost(domain: string): string {
  return `${DELEGATED}.${domain}`;
}

const DELEGATED = 'bounces';

export function recommendedRecords(domain: string, host: string): RecommendedRecord[] {
  return [
    {
      type: 'TXT',
      name: dmarcName(domain),
      value: dmarcValue(),
      purpose:
        'Tells receivers what to do with mail that claims to be from this domain and is not. Large providers require it; p=none only monitors. Published by the owner of the domain.',
    },
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
    ...delegatingRecords(domain, host),
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
