import { describe, expect, it } from 'vitest';
import { callerOfAddress, isLoopbackPeer, remoteNetwork } from './caller-address.ts';

describe('the network of a client', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['192.0.2.1:51234', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['not an address: at all', 'not an address: at all'],
  ])('of %s is %s', (address, network) => {
    expect(remoteNetwork(address)).toBe(network);
    expect(callerOfAddress(address)).toBe(`ip:${network}`);
  });

  it('is this machine for loopback addresses only', () => {
    expect(['127.0.0.1', '127.9.9.9', '::ffff:127.0.0.1', '::1'].map(isLoopbackPeer)).toEqual([
      ...[true, true, true, true],
    ]);
    expect(['1.127.0.1', '::2', '10.0.0.1'].map(isLoopbackPeer)).toEqual([false, false, false]);
  });
});
