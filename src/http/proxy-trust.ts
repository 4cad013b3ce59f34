/** Which callers are proxies of ours, whose word about the caller behind them is believed. */
import { BlockList, isIPv6 } from 'node:net';

/** True is one proxy, whoever calls; networks are any number of them, and only from there. */
export type TrustedProxies = boolean | readonly string[];

/** `hop` is 0 for whoever is connected to us, and goes up with every proxy before it. */
export type Trusts = (address: string, hop: number) => boolean;

export function createProxyTrust(trusted: TrustedProxies): Trusts {
  // What stands before the entry that the proxy appended is the client's word.
  if (typeof trusted === 'boolean') return (_address, hop) => trusted && hop === 0;
  const networks = new BlockList();
  for (const network of trusted) {
    const [address = '', bits] = network.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    networks.addSubnet(address, Number(bits ?? (family === 'ipv6' ? 128 : 32)), family);
  }
  return (address) => networks.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
