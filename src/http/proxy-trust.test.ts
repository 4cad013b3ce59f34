import { describe, expect, it } from 'vitest';
import { createProxyTrust } from './proxy-trust.ts';

describe('a trusted proxy', () => {
  it('does not exist by default', () => {
    expect(createProxyTrust(false)('127.0.0.1', 0)).toBe(false);
  });

  it('is exactly the direct peer when the setting is true', () => {
    const trusts = createProxyTrust(true);
    expect([trusts('203.0.113.9', 0), trusts('203.0.113.9', 1)]).toEqual([true, false]);
  });

  it.each([
    ['10.1.2.3', true],
    ['::ffff:10.1.2.3', true],
    ['11.0.0.1', false],
    ['192.0.2.7', true],
    ['192.0.2.8', false],
    ['fd00::5', true],
    ['fe80::5', false],
    ['not an address', false],
    ['', false],
  ])('%s in a list of networks: %s, however many stand before it', (address, expected) => {
    const trusts = createProxyTrust(['10.0.0.0/8', '192.0.2.7', 'fd00::/8']);
    expect([trusts(address, 0), trusts(address, 3)]).toEqual([expected, expected]);
  });
});
