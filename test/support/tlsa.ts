/** TLSA records of certificates, as the owner of a zone publishes them. */
import { createHash, X509Certificate } from 'node:crypto';
import type { TlsaRecord } from '../../src/protocols/dns/tlsa.ts';
import type { TlsaData } from './dns-zone.ts';

/** `tlsaOf(pem, '3 1 1')`: the TLSA record of the first certificate in the text. */
export function tlsaOf(pem: string, parameters: string): TlsaRecord {
  const [usage = 0, selector = 0, matching = 0] = parameters.split(' ').map(Number);
  const certificate = new X509Certificate(pem);
  const selected =
    selector === 0 ? certificate.raw : certificate.publicKey.export({ type: 'spki', format: 'der' });
  const hashes: Readonly<Record<number, string>> = { 1: 'sha256', 2: 'sha512' };
  const hash = hashes[matching];
  const data = hash === undefined ? selected : createHash(hash).update(selected).digest();
  return { usage, selector, matching, data };
}

export function inZone({ usage, selector, matching, data }: TlsaRecord): TlsaData {
  return { usage, selector, matchingType: matching, certificate: data };
}
