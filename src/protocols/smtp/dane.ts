/**
 * Whether the server that answered is the one that DNS vouches for (RFC 7672). Pure: certificates in, a verdict out.
 *
 * DANE-EE(3) is the server's own certificate or key, and neither its dates nor its names count. DANE-TA(2) is an authority
 * somewhere above it: then every certificate on the way must be signed by the next, valid now and allowed to sign, and the
 * server's own must be made out to one of the names. Constraints on names within a chain are not looked at.
 */
import { createPublicKey, type KeyObject, X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import { DANE_EE, DANE_TA, matchesCertificate, type TlsaRecord } from '../dns/tlsa.ts';

/** What a server has to show. */
export interface DaneTarget {
  /** Those that can be used; with none of them the connection must be encrypted, by whomever. */
  readonly records: readonly TlsaRecord[];
  /** Asked for in the handshake. */
  readonly serverName: string;
  /** A certificate of an authority that the domain trusts must be made out to one of these. */
  readonly names: readonly string[];
  /** The same where the same is demanded. */
  readonly key: string;
}

const MAX_CHAIN = 10;

/** Null when it is; otherwise why not, in words. */
export function daneProblem(socket: TLSSocket, { records, names }: DaneTarget, nowMs: number): string | null {
  const chain = chainOf(socket);
  const [own] = chain;
  if (own === undefined) return 'the server showed no certificate';
  if (records.some((record) => record.usage === DANE_EE && matchesCertificate(record, own.raw))) return null;
  const authorities = records.filter(({ usage }) => usage === DANE_TA);
  if (authorities.length === 0) return 'the certificate is not the one in DNS (DANE)';
  return authorityProblem(chain, authorities, names, nowMs);
}

/** As the server sent it, its own first. */
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

/** A key of a kind that the signature cannot be of throws. */
function isSignedBy(certificate: X509Certificate, key: KeyObject): boolean {
  try {
    return certificate.verify(key);
  } catch {
    return false;
  }
}

/** Authorities that stand whole in DNS: the server need not send them. */
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

/** Nothing where it is none. */
function parsed<T>(parse: () => T): T[] {
  try {
    return [parse()];
  } catch {
    return [];
  }
}
