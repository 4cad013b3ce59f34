/** The certificate authority of the ACME server for tests: parses requests, and signs certificates with its own root. */
import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import {
  alternativeName,
  newKey,
  octetString,
  sequence,
  signCertificate,
} from '../../src/certificates/x509.ts';
import { DAY_MS } from '../../src/runtime/durations.ts';

export interface AcmeAuthority {
  /** The root certificate that clients must trust, as PEM. */
  readonly root: string;
  /** The chain, leaf first; null where the request is not for the name, or not signed by its key. */
  issue(
    request: Buffer,
    name: string,
    validity: { readonly validFromMs: number; readonly validToMs: number },
  ): string | null;
}

const ISSUER = 'Stand-in for Pebble';
const IS_AUTHORITY = sequence(
  Buffer.from('0603551d13', 'hex'),
  Buffer.from('0101ff', 'hex'),
  octetString(sequence(Buffer.from('0101ff', 'hex'))),
);

export function createAuthority(): AcmeAuthority {
  const key = newKey();
  const validFromMs = Date.now() - 1_000 * DAY_MS;
  const validToMs = Date.now() + 10_000 * DAY_MS;
  const names = { subject: ISSUER, issuer: ISSUER };
  const publicKey = createPublicKey(key);
  const root = signCertificate(
    { ...names, publicKey, validFromMs, validToMs, extensions: [IS_AUTHORITY] },
    key,
  );
  return {
    root,
    issue(request, name, validity) {
      const requested = readRequest(request);
      if (requested === null || !requested.content.includes(alternativeName(name))) return null;
      const about = { subject: name, issuer: ISSUER, publicKey: requested.publicKey, ...validity };
      return signCertificate({ ...about, extensions: [alternativeName(name)] }, key) + root;
    },
  };
}

/** Parses a certificate request (PKCS #10). */
function readRequest(der: Buffer): { readonly content: Buffer; readonly publicKey: KeyObject } | null {
  const [content, , signature] = partsOf(bodyOf(der));
  if (content === undefined || signature === undefined) return null;
  const [, , spki] = partsOf(bodyOf(content));
  if (spki === undefined) return null;
  const publicKey = createPublicKey({ key: spki, format: 'der', type: 'spki' });
  return verify('sha256', content, publicKey, bodyOf(signature).subarray(1)) ? { content, publicKey } : null;
}

/** Splits consecutive DER values, each with its tag and length. */
function partsOf(bytes: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + headOf(bytes.subarray(at)) + lengthOf(bytes.subarray(at));
    parts.push(bytes.subarray(at, end));
    at = end;
  }
  return parts;
}

function bodyOf(value: Buffer): Buffer {
  return value.subarray(headOf(value), headOf(value) + lengthOf(value));
}

function headOf(value: Buffer): number {
  const [, size = 0] = value;
  return size < 0x80 ? 2 : 2 + (size & 0x7f);
}

function lengthOf(value: Buffer): number {
  const [, size = 0] = value;
  return size < 0x80 ? size : value.readUIntBE(2, size & 0x7f);
}
