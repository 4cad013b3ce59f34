/**
 * Verifies a server's certificate by DANE (RFC 7672). Pure.
 *
 * DANE-EE(3) is the server's own certificate or key, whose dates and names are ignored. DANE-TA(2) is an
 * authority above it: every certificate of the chain must be signed by the next, currently valid and allowed
 * to sign, and the server's own must match one of the names. Name constraints within a chain are not checked.
 */
import { createPublicKey, type KeyObject, X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import { DANE_EE, DANE_TA, matchesCertificate, type TlsaRecord } from '../dns/tlsa.ts';

/** The requirements for a server's certificate. */
export interface DaneTarget {
  /**
   * The usable records; if there are none, the connection must be encrypted but the certificate is not
   * checked.
   */
  readonly records: readonly TlsaRecord[];
  readonly serverName: string;
  /** With DANE-TA, the certificate must match one of these. */
  readonly names: readonly string[];
  /** Equal for targets with the same requirements. */
  readonly key: string;
}

const MAX_CHAIN = 10;

/** Null when the certificate is accepted; otherwise the reason. */
export function daneProblem(socket: TLSSocket, { records, names }: DaneTarget, nowMs: number): string | null {
  const chain = chainOf(socket);
  const [own] = chain;
  if (own === undefined) return 'the server showed no certificate';
  if (records.some((record) => record.usage === DANE_EE && matchesCertificate(record, own.raw))) return null;
  const authorities = records.filter(({ usage }) => usage === DANE_TA);
  if (authorities.length === 0) return 'the certificate is not the one in DNS (DANE)';
  return authorityProblem(chain, authorities, names, nowMs);
}

/** In the server's order, its own first. */
function chainOf(socket: TLSSocket): X509Certificate[] {
  const chain: X509Certificate[] = [];
  let certificate = socket.getPeerX509Certificate();
  while (certificate !== undefined && chain.length < MAX_CHAIN) {
    chain.push(certificate);
    certificate = certificate.issuerCertificate;
  }
  return chain;
}

function authorityProblem(
  chain: readonly X509Certificate[],
  records: readonly TlsaRecord[],
  names: readonly string[],
  nowMs: number,
): string | null {
  const anchors = anchorsIn(records);
  const above = [...chain.slice(1), ...anchors.certificates];
  let current = chain[0] as X509Certificate;
  for (let depth = 0; depth < MAX_CHAIN; depth += 1) {
    if (!isValidAt(current, nowMs)) return 'a certificate of the chain has expired, or is not valid yet';
    if (depth > 0 && records.some((record) => matchesCertificate(record, current.raw)))
      return nameProblem(chain[0] as X509Certificate, names);
    if (anchors.keys.some((key) => isSignedBy(current, key)))
      return nameProblem(chain[0] as X509Certificate, names);
    const issuer = above.find((one) => one !== current && isIssuedBy(current, one));
    if (issuer === undefined) break;
    current = issuer;
  }
  return 'no authority that DNS names (DANE) has signed the certificate';
}

function nameProblem(own: X509Certificate, names: readonly string[]): string | null {
  if (names.some((name) => own.checkHost(name) !== undefined)) return null;
  return `the certificate is not made out to ${names.join(' or ')}`;
}

function isValidAt(certificate: X509Certificate, nowMs: number): boolean {
  return Date.parse(certificate.validFrom) <= nowMs && nowMs <= Date.parse(certificate.validTo);
}

function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return issuer.ca && certificate.checkIssued(issuer) && isSignedBy(certificate, issuer.publicKey);
}

/** Throws when the key's type does not fit the signature. */
function isSignedBy(certificate: X509Certificate, key: KeyObject): boolean {
  try {
    return certificate.verify(key);
  } catch {
    return false;
  }
}

/** Authorities whose whole certificate is in DNS, so that the server need not send them. */
function anchorsIn(records: readonly TlsaRecord[]): {
  readonly certificates: readonly X509Certificate[];
  readonly keys: readonly KeyObject[];
} {
  const whole = records.filter(({ matching }) => matching === 0);
  return {
    certificates: whole
      .filter(({ selector }) => selector === 0)
      .flatMap(({ data }) => parsed(() => new X509Certificate(data))),
    keys: whole
      .filter(({ selector }) => selector === 1)
      .flatMap(({ data }) => parsed(() => createPublicKey({ key: data, format: 'der', type: 'spki' }))),
  };
}

/** Empty for an invalid one. */
function parsed<T>(parse: () => T): T[] {
  try {
    return [parse()];
  } catch {
    return [];
  }
}
