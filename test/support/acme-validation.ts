/** Validates challenges for the ACME server of the tests, over HTTP and in a TLS handshake, at 127.0.0.1. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { request } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { connect } from 'node:tls';

export interface Target {
  readonly name: string;
  readonly token: string;
  readonly authorization: string;
  readonly port: number;
}

/** Null if the challenge is valid. */
export type Validated = Promise<{ readonly type: string; readonly detail: string } | null>;

/** Certificate authorities use either version. */
const VERSIONS = ['TLSv1.2', 'TLSv1.3'] as const;
let validations = 0;

const TIMEOUT_MS = 10_000;
const ACME_TLS = 'acme-tls/1';
/** The DER bytes of the acmeIdentifier extension, marked critical, up to its hash. */
const EXTENSION = Buffer.from('06082b0601050507011f0101ff0422' + '0420', 'hex');

export function validateHttp({ name, token, authorization, port }: Target): Validated {
  return new Promise((resolve) => {
    const path = `/.well-known/acme-challenge/${token}`;
    const asked = request({ host: '127.0.0.1', port, path, headers: { host: name }, timeout: TIMEOUT_MS });
    asked.on('error', (error) => resolve({ type: 'connection', detail: `${name}: ${error.message}` }));
    asked.on('response', async (response) => {
      const body = (await readText(response)).trimEnd();
      if (response.statusCode === 200 && body === authorization) resolve(null);
      else
        resolve({
          type: 'unauthorized',
          detail: `${name}${path} answered ${response.statusCode}: ${body.slice(0, 60)}`,
        });
    });
    asked.end();
  });
}

export function validateTls({ name, authorization, port }: Target): Validated {
  const version = VERSIONS[validations++ % VERSIONS.length];
  return new Promise((resolve) => {
    const socket = connect({
      ...{ host: '127.0.0.1', port, servername: name, timeout: TIMEOUT_MS },
      ...{ ALPNProtocols: [ACME_TLS], rejectUnauthorized: false },
      ...{ minVersion: version, maxVersion: version },
    });
    socket.on('error', (error) => resolve({ type: 'tls', detail: `${name}: ${error.message}` }));
    socket.on('secureConnect', () => {
      const certificate = socket.getPeerX509Certificate();
      const hash = createHash('sha256').update(authorization).digest();
      const isProof =
        socket.alpnProtocol === ACME_TLS &&
        certificate?.subjectAltName === `DNS:${name}` &&
        holdsHash(certificate.raw, hash);
      socket.destroy();
      resolve(isProof ? null : { type: 'unauthorized', detail: `${name} showed another certificate` });
    });
  });
}

function holdsHash(der: Buffer, hash: Buffer): boolean {
  const at = der.indexOf(EXTENSION);
  if (at < 0) return false;
  const found = der.subarray(at + EXTENSION.length, at + EXTENSION.length + hash.length);
  return found.length === hash.length && timingSafeEqual(found, hash);
}
