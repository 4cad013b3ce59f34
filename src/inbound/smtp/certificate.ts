/**
 * A certificate for STARTTLS where the operator gave none: self-signed, of a key made at the start and kept nowhere.
 * Mail servers encrypt without checking whom to, so it protects against everyone who only listens; those who do check
 * (MTA-STS, DANE) need a certificate of the operator's.
 */
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { DAY_MS } from '../../kit/runtime/durations.ts';

export interface Certificate {
  /** PEM. */
  readonly cert: string;
  readonly key: string;
}

/** Longer than any process runs. */
const VALID_MS = 10 * 365 * DAY_MS;
const MAX_COMMON_NAME = 64;

export function selfSigned(host: string, nowMs: number): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const name = nameOf(host.length > MAX_COMMON_NAME ? 'postrider' : host);
  const unsigned = sequence(
    tagged(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    ECDSA_WITH_SHA256,
    name,
    sequence(time(nowMs - DAY_MS), time(nowMs + VALID_MS)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(alternativeName(host))),
  );
  const signature = sign('sha256', unsigned, privateKey);
  const der = sequence(unsigned, ECDSA_WITH_SHA256, tagged(0x03, Buffer.from([0]), signature));
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return {
    cert: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  };
}

function nameOf(commonName: string): Buffer {
  const attribute = sequence(COMMON_NAME, tagged(0x0c, Buffer.from(commonName)));
  return sequence(tagged(0x31, attribute));
}

function alternativeName(host: string): Buffer {
  return sequence(SUBJECT_ALTERNATIVE_NAME, tagged(0x04, sequence(tagged(0x82, Buffer.from(host)))));
}

/** RFC 5280: a year of two digits until 2049, of four from then on. */
function time(ms: number): Buffer {
  const text = new Date(ms).toISOString().replace(/[-:T]|\.\d+/g, '');
  const utc = Number(text.slice(0, 4)) < 2050;
  return utc ? tagged(0x17, Buffer.from(text.slice(2))) : tagged(0x18, Buffer.from(text));
}

function integer(bytes: Buffer): Buffer {
  return tagged(0x02, bytes);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return tagged(0x30, ...parts);
}

/** DER: tag, length, content. */
function tagged(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

/** Object identifiers, encoded. */
const COMMON_NAME = Buffer.from('0603550403', 'hex');
const SUBJECT_ALTERNATIVE_NAME = Buffer.from('0603551d11', 'hex');
const ECDSA_WITH_SHA256 = sequence(Buffer.from('06082a8648ce3d040302', 'hex'));
