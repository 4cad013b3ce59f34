import { X509Certificate } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  AUTHORITY_CERTIFICATE,
  ROOT_CERTIFICATE,
  SIGNED_CERTIFICATE,
} from '../../../test/support/dane-certificates.ts';
import { runs } from '../../../test/support/property-runs.ts';
import { EXPIRED_CERTIFICATE, STRICT_CERTIFICATE } from '../../../test/support/strict-certificates.ts';
import { TEST_CERTIFICATE } from '../../../test/support/test-certificate.ts';
import { tlsaOf } from '../../../test/support/tlsa.ts';
import { fingerprintOf, isUsable, matchesCertificate, publicKeyIn } from './tlsa.ts';

const PEMS = [
  ...[ROOT_CERTIFICATE, AUTHORITY_CERTIFICATE, SIGNED_CERTIFICATE.cert],
  ...[EXPIRED_CERTIFICATE.cert, STRICT_CERTIFICATE.cert, TEST_CERTIFICATE],
];
const aPem = fc.constantFrom(...PEMS);
const parameters = fc
  .tuple(fc.constantFrom(2, 3), fc.constantFrom(0, 1), fc.constantFrom(0, 1, 2))
  .map((all) => all.join(' '));
const der = (pem: string): Buffer => new X509Certificate(pem).raw;

describe('a TLSA record', () => {
  it('matches the certificate it was made of, and no other', () => {
    fc.assert(
      fc.property(aPem, aPem, parameters, (one, other, how) => {
        const record = tlsaOf(one, how);
        expect(isUsable(record)).toBe(true);
        expect(matchesCertificate(record, der(one))).toBe(true);
        expect(matchesCertificate(record, der(other))).toBe(one === other);
      }),
      runs(100),
    );
  });

  it('matches nothing once a bit of it is another', () => {
    fc.assert(
      fc.property(aPem, parameters, fc.nat(), fc.nat(7), (pem, how, at, bit) => {
        const { data, ...rest } = tlsaOf(pem, how);
        const changed = Buffer.from(data);
        changed[at % data.length] = (data[at % data.length] as number) ^ (1 << bit);
        expect(matchesCertificate({ ...rest, data: changed }, der(pem))).toBe(false);
      }),
      runs(100),
    );
  });

  it.each([
    ['names a public authority (0)', { usage: 0 }],
    ['names a certificate of a public authority (1)', { usage: 1 }],
    ['has a usage of its own', { usage: 255 }],
    ['selects what nobody knows', { selector: 2 }],
    ['is matched in a way that nobody knows', { matching: 3 }],
    ['has half a digest', { data: Buffer.alloc(16) }],
    ['has nothing', { matching: 0, data: Buffer.alloc(0) }],
  ])('cannot be used that %s', (_, change) => {
    expect(isUsable({ ...tlsaOf(TEST_CERTIFICATE, '3 1 1'), ...change })).toBe(false);
  });

  it('reads the same in any order of a set', () => {
    const [one, other] = [tlsaOf(TEST_CERTIFICATE, '3 1 1'), tlsaOf(ROOT_CERTIFICATE, '2 0 1')];
    expect(fingerprintOf([one, other])).toBe(fingerprintOf([other, one]));
    expect(fingerprintOf([one])).not.toBe(fingerprintOf([one, other]));
  });
});

describe('the public key in a certificate', () => {
  it.each(PEMS)('is found as it stands there', (pem) => {
    const expected = new X509Certificate(pem).publicKey.export({ type: 'spki', format: 'der' });
    expect(publicKeyIn(der(pem))).toEqual(expected);
  });

  it('is none in bytes that are no certificate, or only a part of one', () => {
    const part = fc.tuple(aPem, fc.nat(200)).map(([pem, length]) => der(pem).subarray(0, length));
    const any = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes));
    fc.assert(
      fc.property(part, (bytes) => publicKeyIn(bytes) === null),
      runs(200),
    );
    fc.assert(
      fc.property(any, (bytes) => {
        const key = publicKeyIn(bytes);
        expect(key === null || key.length < bytes.length).toBe(true);
      }),
      runs(1_000),
    );
  });
});
