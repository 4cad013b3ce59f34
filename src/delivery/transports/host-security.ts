/**
 * The TLS requirements of each mail host of a domain, from DNS and the domain's MTA-STS policy. Pure.
 *
 * TLSA records (DANE) take precedence over MTA-STS: they are protected by DNSSEC, while MTA-STS trusts every certificate
 * authority. A host whose TLSA records could not be looked up is left out.
 */
import { allowsHost, type StsPolicy } from '../../protocols/dns/mta-sts-policy.ts';
import type { MailHost, MailHosts } from '../../protocols/dns/mx.ts';
import { fingerprintOf, isUsable } from '../../protocols/dns/tlsa.ts';
import type { HostTlsa } from '../../protocols/dns/tlsa-lookup.ts';
import type { DaneTarget } from '../../protocols/smtp/dane.ts';
import type { NameProof, SmtpTarget } from '../../protocols/smtp/facts.ts';
import { type RouteProblem, unroutable } from '../facts.ts';

/** The TLS settings of a connection to the host; null for opportunistic TLS. */
type HostSecurity = Pick<SmtpTarget, 'tls' | 'tlsPolicy' | 'verifyCertificate' | 'dane'>;

interface SecuredHost extends MailHost {
  readonly security: HostSecurity | null;
  readonly nameProof: NameProof | null;
}

export interface SecuredHosts {
  readonly kind: 'secured';
  readonly hosts: readonly SecuredHost[];
  /** Hosts that would be refused if the policy were not in testing. */
  readonly tolerated: readonly string[];
}

type Found = Extract<MailHosts, { readonly kind: 'found' }>;

/** `isSure`: it is known whether the domain has an MTA-STS policy. */
export function secureHosts(
  domain: string,
  found: Found,
  policy: StsPolicy | null,
  isSure = true,
): SecuredHosts | RouteProblem {
  const hosts = found.hosts.flatMap((one) => {
    const security = securityOf(one, found.names, policy);
    if (security === 'refused') return [];
    const nameProof = proofOf(one, found, policy) ?? (isSure ? null : 'unknown');
    return [{ security, nameProof, ...one }];
  });
  if (hosts.length === 0) return whyNone(domain, found.hosts, policy);
  const isTesting = policy?.mode === 'testing';
  const unnamed = isTesting ? found.hosts.filter(({ host }) => !allowsHost(policy, host)) : [];
  return { kind: 'secured', hosts, tolerated: unnamed.map(({ host }) => host) };
}

function securityOf(
  { host, tlsa }: MailHost,
  names: readonly string[],
  policy: StsPolicy | null,
): HostSecurity | 'refused' | null {
  if (tlsa?.kind === 'failed') return 'refused';
  const dane = tlsa?.kind === 'found' ? daneTarget(tlsa, names) : null;
  if (dane !== null && dane.records.length > 0) return { tls: 'required', tlsPolicy: 'dane', dane };
  if (policy?.mode === 'enforce') {
    if (!allowsHost(policy, host)) return 'refused';
    return { tls: 'required', tlsPolicy: 'mta_sts', verifyCertificate: true };
  }
  // Unusable TLSA records still prove that the host offers TLS.
  return dane === null ? null : { tls: 'required', tlsPolicy: 'dane', dane };
}

/** The proof that the host is a mail host of the domain. A host with the domain's own name needs no proof. */
function proofOf({ host }: MailHost, found: Found, policy: StsPolicy | null): NameProof | null {
  if (found.names[0] === host) return 'domain';
  if (found.secure) return 'dnssec';
  return policy !== null && policy.mode !== 'none' && allowsHost(policy, host) ? 'mta_sts' : null;
}

/** The hosts without the requirements of the domain. */
export function unsecuredHosts({ hosts }: Found): SecuredHosts {
  const undemanding = hosts.map((one) => ({ security: null, nameProof: null, ...one }));
  return { kind: 'secured', hosts: undemanding, tolerated: [] };
}

function daneTarget(
  { base, records }: Extract<HostTlsa, { readonly kind: 'found' }>,
  names: readonly string[],
): DaneTarget {
  const usable = records.filter(isUsable);
  return {
    records: usable,
    serverName: base,
    names: [...new Set([base, ...names])],
    key: `${base} ${fingerprintOf(usable)} ${names.join(' ')}`,
  };
}

/** A failed lookup may work in a minute. A host that the policy forbids stays forbidden until the domain's owner changes the policy. */
function whyNone(domain: string, hosts: readonly MailHost[], policy: StsPolicy | null): RouteProblem {
  for (const { tlsa } of hosts) {
    if (tlsa?.kind !== 'failed') continue;
    const tls = { policyType: 'tlsa', failure: 'dnssec-invalid', reason: tlsa.detail } as const;
    return { ...unroutable('dns_unavailable', tlsa.detail), tls };
  }
  const named = policy?.mx.join(', ');
  const others = hosts.map(({ host }) => host).join(', ');
  const reason = `The MTA-STS policy of ${domain} names ${named}, and its mail hosts are ${others}.`;
  const tls = { policyType: 'sts', failure: 'validation-failure', reason } as const;
  return { ...unroutable('mta_sts_failed', reason), tls };
}
