import { BlockList } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPublicAddress } from './public-address.ts';

const PUBLIC = [
  ['1.1.1.1', 'an ordinary address'],
  ['9.255.255.255', 'just below 10/8'],
  ['11.0.0.0', 'just above 10/8'],
  ['100.63.255.255', 'just below carrier-grade NAT'],
  ['100.128.0.0', 'just above carrier-grade NAT'],
  ['126.255.255.255', 'just below loopback'],
  ['128.0.0.0', 'just above loopback'],
  ['169.253.255.255', 'just below link-local'],
  ['172.15.255.255', 'just below 172.16/12'],
  ['172.32.0.0', 'just above 172.16/12'],
  ['192.0.1.0', 'between the 192.0 ranges'],
  ['192.167.255.255', 'just below 192.168/16'],
  ['198.17.255.255', 'just below the benchmark range'],
  ['198.20.0.0', 'just above the benchmark range'],
  ['223.255.255.255', 'just below multicast'],
  ['2001:4860:4860::8888', 'an ordinary IPv6 address'],
  ['2606:4700::1', 'an ordinary IPv6 address'],
  ['2001:200::', 'just above the protocol assignments'],
  ['2a00:1450:4001:80b::200e', 'an ordinary IPv6 address'],
  ['2002:0808:0808::1', '6to4 of a public address'],
  ['64:ff9b::8.8.8.8', 'NAT64 of a public address'],
  ['3ffe:ffff::', 'just below the second documentation range'],
] as const;

const NOT_PUBLIC = [
  ['0.0.0.0', 'unspecified'],
  ['0.1.2.3', 'this network'],
  ['10.0.0.1', 'private'],
  ['10.255.255.255', 'private'],
  ['100.64.0.1', 'carrier-grade NAT'],
  ['100.127.255.255', 'carrier-grade NAT'],
  ['127.0.0.1', 'loopback'],
  ['127.255.255.254', 'loopback'],
  ['169.254.169.254', 'cloud metadata'],
  ['172.16.0.1', 'private'],
  ['172.31.255.255', 'private'],
  ['192.0.0.8', 'protocol assignments'],
  ['192.0.2.1', 'documentation'],
  ['192.88.99.1', '6to4 relay'],
  ['192.168.1.1', 'private'],
  ['198.18.0.1', 'benchmarks'],
  ['198.19.255.255', 'benchmarks'],
  ['198.51.100.7', 'documentation'],
  ['203.0.113.7', 'documentation'],
  ['224.0.0.1', 'multicast'],
  ['239.255.255.255', 'multicast'],
  ['240.0.0.1', 'reserved'],
  ['255.255.255.255', 'broadcast'],
  ['::', 'unspecified'],
  ['::1', 'loopback'],
  ['0:0:0:0:0:0:0:1', 'loopback, written out'],
  ['::ffff:127.0.0.1', 'mapped loopback'],
  ['::ffff:7f00:1', 'mapped loopback in hex'],
  ['::ffff:8.8.8.8', 'mapped public: nobody publishes that in good faith'],
  ['::127.0.0.1', 'compatible loopback'],
  ['::ffff:0:10.0.0.1', 'translated private'],
  ['64:ff9b::10.0.0.1', 'NAT64 of private'],
  ['64:ff9b::7f00:1', 'NAT64 of loopback'],
  ['64:ff9b:1::1', 'local NAT64'],
  ['100::1', 'discard'],
  ['2001::1', 'Teredo'],
  ['2001:2::1', 'benchmarks'],
  ['2001:10::1', 'ORCHID'],
  ['2001:1ff:ffff::1', 'protocol assignments'],
  ['2001:db8::1', 'documentation'],
  ['2001:DB8:FFFF::1', 'documentation in capitals'],
  ['2002:7f00:1::', '6to4 of loopback'],
  ['2002:0a00:0001::1', '6to4 of private'],
  ['2002:c0a8:101::', '6to4 of private'],
  ['3fff:fff::1', 'documentation'],
  ['4000::1', 'never handed out'],
  ['5f00::1', 'segment routing'],
  ['fc00::1', 'unique-local'],
  ['fd12:3456::1', 'unique-local'],
  ['fe80::1', 'link-local'],
  ['fe80::1%lo', 'link-local with a zone'],
  ['2606:4700::1%eth0', 'a zone is never public'],
  ['fec0::1', 'site-local'],
  ['ff02::1', 'multicast'],
  ['', 'nothing'],
  ['localhost', 'a name'],
  ['1.1.1', 'too short'],
  ['1.1.1.1.1', 'too long'],
  ['01.1.1.1', 'a leading zero'],
  ['0x7f.0.0.1', 'hexadecimal'],
  ['2130706433', 'a number'],
  ['[::1]', 'brackets'],
  ['1.1.1.1:25', 'a port'],
  [' 1.1.1.1', 'a space'],
] as const;

describe('a public address', () => {
  it.each(PUBLIC)('%s is one (%s)', (ip) => {
    expect(isPublicAddress(ip)).toBe(true);
  });

  it.each(NOT_PUBLIC)('%s is not (%s)', (ip) => {
    expect(isPublicAddress(ip)).toBe(false);
  });

  it('agrees with the block list of Node on every IPv4 address', () => {
    const special = new BlockList();
    for (const [net, bits] of [
      ['0.0.0.0', 8],
      ['10.0.0.0', 8],
      ['100.64.0.0', 10],
      ['127.0.0.0', 8],
      ['169.254.0.0', 16],
      ['172.16.0.0', 12],
      ['192.0.0.0', 24],
      ['192.0.2.0', 24],
      ['192.88.99.0', 24],
      ['192.168.0.0', 16],
      ['198.18.0.0', 15],
      ['198.51.100.0', 24],
      ['203.0.113.0', 24],
      ['224.0.0.0', 3],
    ] as const) {
      special.addSubnet(net, bits, 'ipv4');
    }
    fc.assert(
      fc.property(fc.ipV4(), (ip) => {
        expect(isPublicAddress(ip)).toBe(!special.check(ip, 'ipv4'));
      }),
      { numRuns: 500 },
    );
  });

  it('judges an IPv4 address the same inside 6to4 and NAT64', () => {
    fc.assert(
      fc.property(fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255)), (bytes) => {
        const plain = isPublicAddress(bytes.join('.'));
        const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0'));
        const groups = `${hex[0]}${hex[1]}:${hex[2]}${hex[3]}`;
        expect(isPublicAddress(`2002:${groups}::1`)).toBe(plain);
        expect(isPublicAddress(`64:ff9b::${groups}`)).toBe(plain);
        expect(isPublicAddress(`::ffff:${groups}`)).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  it('never throws and never takes an IPv6 address outside 2000::/3 that is not NAT64', () => {
    fc.assert(
      fc.property(fc.ipV6(), (ip) => {
        const first = Number.parseInt(ip.split(':')[0] || '0', 16);
        if (first >> 13 !== 1 && first !== 0x64) expect(isPublicAddress(ip)).toBe(false);
        else isPublicAddress(ip);
      }),
      { numRuns: 500 },
    );
  });
});
