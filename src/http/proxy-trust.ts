/** Decides which callers are trusted proxies, whose forwarding headers are believed. */
import { BlockList, isIPv6 } from 'node:net';

/**
 * `true` trusts exactly one proxy at any address; a list trusts any number of proxies within its networks.
 */
export type TrustedProxies = boolean | readonly string[];

/** `hop` is 0 for the direct peer and increases by one for every proxy. */
export type Trusts = (address: string, hop: number) => boolean;

export function createProxyTrust(trusted: TrustedProxies): Trusts {
  // Entries before the one that the proxy appended are written by the client.
  if (typeof trusted === 'boolean') return (_address, hop) => trusted && hop === 0;
  const networks = new BlockList();
  for (const network of trusted) {
    const [address = '', bits] = network.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    networks.addSubnet(address, Number(bits ?? (family === 'ipv6' ? 128 : 32)), family);
  }
  return (address) => networks.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
