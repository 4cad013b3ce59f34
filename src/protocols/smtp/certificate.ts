/** Facts about a server's certificate. Whether it is acceptable was decided earlier. */
import type { PeerCertificate, TLSSocket } from 'node:tls';
import type { CertificateFacts, SmtpTarget } from './facts.ts';

const MAX_ISSUER_CHARS = 200;

/** With DANE, the connection only continues with a matching certificate, so it is verified. */
export function certificateOf(socket: TLSSocket, { dane, tlsPolicy }: SmtpTarget): CertificateFacts {
  const isInDns = dane !== undefined && dane.records.length > 0;
  return {
    verified: isInDns || socket.authorized,
    policy: tlsPolicy ?? 'opportunistic',
    ...namesOf(socket.getPeerCertificate()),
    problem: isInDns ? null : certificateProblem(socket),
  };
}

/** Why it is not verified; null when it is. */
export function certificateProblem(socket: TLSSocket): string | null {
  return socket.authorized ? null : inWords(String(socket.authorizationError ?? 'unknown'));
}

/** Without a certificate the object is empty. */
function namesOf({ issuer, fingerprint256 }: Partial<PeerCertificate>) {
  return {
    issuer: issuer === undefined ? null : issuerOf(issuer),
    sha256: fingerprint256?.replaceAll(':', '').toLowerCase() ?? null,
  };
}

/**
 * Third-party text: one line of limited length. Truncated first, because half a surrogate pair cannot be
 * stored.
 */
function issuerOf(issuer: PeerCertificate['issuer']): string | null {
  const parts = [issuer.O, issuer.CN].flat().filter((one) => one !== undefined && one !== '');
  const text = parts
    .join(', ')
    .slice(0, MAX_ISSUER_CHARS)
    .replace(/[\p{Cc}\p{Cs}]+/gu, ' ')
    .trim();
  return text === '' ? null : text;
}

const WORDS: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'signed by an authority that is not trusted',
  UNABLE_TO_GET_ISSUER_CERT: 'signed by an authority that is not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'signed by an authority that is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'signed by an authority that is not trusted, or sent without its chain',
  CERT_HAS_EXPIRED: 'expired',
  CERT_NOT_YET_VALID: 'not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'made out to another name',
};

function inWords(code: string): string {
  return WORDS[code] ?? code.toLowerCase().replaceAll('_', ' ').slice(0, 100);
}
