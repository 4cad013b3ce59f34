import type { TLSSocket } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { certificateOf } from './certificate.ts';

const TARGET = {
  host: 'mx.there.test',
  address: '127.0.0.1',
  port: 25,
  tls: 'opportunistic',
  ehloName: 'us.test',
} as const;

function issuerOf(issuer: Record<string, unknown>): string | null {
  const socket = { authorized: true, getPeerCertificate: () => ({ issuer }) } as unknown as TLSSocket;
  return certificateOf(socket, TARGET).issuer;
}

describe('the issuer of a certificate, which strangers write', () => {
  it('is its organization and its name, in one line', () => {
    expect(issuerOf({ O: 'Some\r\nCA\0', CN: 'R3' })).toBe('Some CA , R3');
    expect(issuerOf({})).toBeNull();
  });

  it('can be stored wherever it is cut', () => {
    for (const before of [198, 199, 200]) {
      const issuer = issuerOf({ CN: `${'x'.repeat(before)}😀` });
      expect(issuer?.isWellFormed()).toBe(true);
    }
  });
});
