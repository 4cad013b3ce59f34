/** Creates the ECDSA certificates and certificate requests that Postrider needs. */
import { createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

interface CertificateContent {
  readonly subject: string;
  readonly issuer: string;
  readonly publicKey: KeyObject;
  readonly validFromMs: number;
  readonly validToMs: number;
  readonly extensions: readonly Buffer[];
}

const MAX_COMMON_NAME = 64;

export function newKey(): KeyObject {
  return generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey;
}

export function keyPem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }) as string;
}

/** The certificate in PEM. `signer` is the issuer's key. */
export function signCertificate(content: CertificateContent, signer: KeyObject): string {
  const unsigned = sequence(
    tagged(0xa0, integer(Buffer.of(2))),
    integer(Buffer.concat([Buffer.of(1), randomBytes(15)])),
    ECDSA_WITH_SHA256,
    nameOf(content.issuer),
    sequence(time(content.validFromMs), time(content.validToMs)),
    nameOf(content.subject),
    content.publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(...content.extensions)),
  );
  return pemOf('CERTIFICATE', signed(unsigned, signer));
}

/** A PKCS #10 request for one name, in DER. */
export function certificateRequest(host: string, key: KeyObject): Buffer {
  const extensions = sequence(EXTENSION_REQUEST, setOf(sequence(alternativeName(host))));
  const unsigned = sequence(
    integer(Buffer.of(0)),
    sequence(),
    createPublicKey(key).export({ type: 'spki', format: 'der' }),
    tagged(0xa0, extensions),
  );
  return signed(unsigned, key);
}

export function alternativeName(host: string): Buffer {
  return sequence(SUBJECT_ALTERNATIVE_NAME, octetString(sequence(tagged(0x82, Buffer.from(host)))));
}

/** RFC 8737: proves that the server knows the key authorization with this SHA-256 hash. */
export function acmeIdentifier(hash: Buffer): Buffer {
  return sequence(ACME_IDENTIFIER, CRITICAL, octetString(octetString(hash)));
}

function signed(unsigned: Buffer, key: KeyObject): Buffer {
  return sequence(unsigned, ECDSA_WITH_SHA256, bitString(sign('sha256', unsigned, key)));
}

function nameOf(text: string): Buffer {
  const commonName = text.length > MAX_COMMON_NAME ? 'postrider' : text;
  return sequence(setOf(sequence(COMMON_NAME, tagged(0x0c, Buffer.from(commonName)))));
}

/** Encoded object identifiers. */
const COMMON_NAME = Buffer.from('0603550403', 'hex');
const SUBJECT_ALTERNATIVE_NAME = Buffer.from('0603551d11', 'hex');
const EXTENSION_REQUEST = Buffer.from('06092a864886f70d01090e', 'hex');
const ACME_IDENTIFIER = Buffer.from('06082b0601050507011f', 'hex');
const ECDSA_WITH_SHA256 = sequence(Buffer.from('06082a8648ce3d040302', 'hex'));
const CRITICAL = Buffer.from('0101ff', 'hex');

/** Writes DER, the encoding of certificates and certificate requests. */
function integer(bytes: Buffer): Buffer {
  return tagged(0x02, bytes);
}

function bitString(bytes: Buffer): Buffer {
  return tagged(0x03, Buffer.of(0), bytes);
}

export function octetString(bytes: Buffer): Buffer {
  return tagged(0x04, bytes);
}

export function sequence(...parts: readonly Buffer[]): Buffer {
  return tagged(0x30, ...parts);
}

function setOf(...parts: readonly Buffer[]): Buffer {
  return tagged(0x31, ...parts);
}

/** RFC 5280: two-digit years until 2049, four digits after that. */
function time(ms: number): Buffer {
  const text = new Date(ms).toISOString().replace(/[-:T]|\.\d+/g, '');
  const isUtcTime = Number(text.slice(0, 4)) < 2050;
  return isUtcTime ? tagged(0x17, Buffer.from(text.slice(2))) : tagged(0x18, Buffer.from(text));
}

function tagged(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function pemOf(label: 'CERTIFICATE', der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}
