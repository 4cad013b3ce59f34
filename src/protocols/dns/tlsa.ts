/** TLSA records (RFC 6698, and RFC 7672 for SMTP): usability and matching. Pure. */
import { createHash } from 'node:crypto';

export interface TlsaRecord {
  /**
   * 2: a trust anchor of the domain (DANE-TA); 3: the server's own certificate (DANE-EE). Other values do not
   * apply to SMTP.
   */
  readonly usage: number;
  /** 0: the whole certificate; 1: its public key. */
  readonly selector: number;
  /** 0: the full data; 1: its SHA-256; 2: its SHA-512. */
  readonly matching: number;
  readonly data: Buffer;
}

export const DANE_TA = 2;
export const DANE_EE = 3;
const WHOLE = 0;
const SHA_256 = 1;
const SHA_512 = 2;
const DIGEST_BYTES: Readonly<Record<number, number>> = { [SHA_256]: 32, [SHA_512]: 64 };

/** Usages 0 and 1 (public authorities) cannot be checked between mail servers, so they are unusable. */
export function isUsable({ usage, selector, matching, data }: TlsaRecord): boolean {
  if ((usage !== DANE_TA && usage !== DANE_EE) || selector < 0 || selector > 1) return false;
  return matching === WHOLE ? data.length > 0 : DIGEST_BYTES[matching] === data.length;
}

/** Whether the record matches this certificate (DER), regardless of its usage. */
export function matchesCertificate({ selector, matching, data }: TlsaRecord, certificate: Buffer): boolean {
  const selected = selector === 0 ? certificate : publicKeyIn(certificate);
  if (selected === null) return false;
  if (matching === WHOLE) return selected.equals(data);
  return digest(matching === SHA_256 ? 'sha256' : 'sha512', selected).equals(data);
}

/** Equal for sets with the same requirements. */
export function fingerprintOf(records: readonly TlsaRecord[]): string {
  const each = records.map(
    ({ usage, selector, matching, data }) => `${usage} ${selector} ${matching} ${data.toString('hex')}`,
  );
  return digest('sha256', Buffer.from(each.toSorted().join('\n'))).toString('base64url');
}

function digest(algorithm: 'sha256' | 'sha512', bytes: Buffer): Buffer {
  return createHash(algorithm).update(bytes).digest();
}

const SEQUENCE = 0x30;
const VERSION = 0xa0;
/** Fields of a certificate before the key: serial number, algorithm, issuer, validity and subject. */
const FIELDS_BEFORE_KEY = 5;

/**
 * The public key with its algorithm (SubjectPublicKeyInfo), copied from the certificate: re-encoding could
 * change the bytes. Null for an invalid certificate.
 */
export function publicKeyIn(certificate: Buffer): Buffer | null {
  const whole = elementAt(certificate, 0);
  const own = whole?.tag === SEQUENCE ? elementAt(certificate, whole.start) : null;
  if (own?.tag !== SEQUENCE) return null;
  let element = elementAt(certificate, own.start);
  if (element?.tag === VERSION) element = elementAt(certificate, element.end);
  for (let field = 0; field < FIELDS_BEFORE_KEY && element !== null; field += 1)
    element = elementAt(certificate, element.end);
  if (element?.tag !== SEQUENCE || element.end > own.end) return null;
  return certificate.subarray(element.begin, element.end);
}

interface Element {
  readonly tag: number;
  readonly begin: number;
  /** Offset of its content. */
  readonly start: number;
  readonly end: number;
}

/** Null when it is missing or truncated. */
function elementAt(der: Buffer, begin: number): Element | null {
  const [tag, first] = [der[begin], der[begin + 1]];
  if (tag === undefined || first === undefined) return null;
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
  if (lengthBytes > 4 || first === 0x80 || begin + 2 + lengthBytes > der.length) return null;
  const start = begin + 2 + lengthBytes;
  const length = lengthBytes === 0 ? first : der.readUIntBE(begin + 2, lengthBytes);
  return start + length > der.length ? null : { tag, begin, start, end: start + length };
}
