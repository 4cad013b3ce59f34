/**
 * Self-signed certificates with keys that are generated at startup and not stored.
 *
 * `selfSigned` is for servers without a certificate from a public authority. Mail servers encrypt without
 * checking the certificate, so it only protects against eavesdropping. Clients that check certificates
 * (MTA-STS, DANE, applications) need a public one.
 */
import { createHash, createPublicKey } from 'node:crypto';
import { DAY_MS } from '../runtime/durations.ts';
import {
  acmeIdentifier,
  alternativeName,
  type Certificate,
  keyPem,
  newKey,
  signCertificate,
} from './x509.ts';

export type { Certificate } from './x509.ts';

/** Longer than any process runs. */
const VALID_MS = 10 * 365 * DAY_MS;

export function selfSigned(host: string, nowMs: number): Certificate {
  return make(host, nowMs, []);
}

/** The certificate for a TLS-ALPN-01 challenge (RFC 8737). */
export function challengeCertificate(host: string, keyAuthorization: string, nowMs: number): Certificate {
  const hash = createHash('sha256').update(keyAuthorization).digest();
  return make(host, nowMs, [acmeIdentifier(hash)]);
}

function make(host: string, nowMs: number, extensions: readonly Buffer[]): Certificate {
  const key = newKey();
  const content = {
    subject: host,
    issuer: host,
    publicKey: createPublicKey(key),
    validFromMs: nowMs - DAY_MS,
    validToMs: nowMs + VALID_MS,
    extensions: [alternativeName(host), ...extensions],
  };
  return { cert: signCertificate(content, key), key: keyPem(key) };
}
