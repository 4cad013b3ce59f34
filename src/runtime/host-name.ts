/** Names and addresses of hosts in a Host header or a setting, normalized to one spelling. */
import { isIP, isIPv4 } from 'node:net';

/** A name, an IPv4 address or an IPv6 address in brackets, with or without a port, and nothing else of a URL. */
const HOST_AND_PORT = /^(?:[^\s:/?#@[\]\\%]+|\[[0-9a-f:.]+\])(?::\d{0,5})?$/i;

/** In lower case, without port, brackets and the dot at the end; null when it is no host. */
export function hostNameOf(text: string): string | null {
  if (!HOST_AND_PORT.test(text) || !URL.canParse(`http://${text}`)) return null;
  const name = new URL(`http://${text}`).hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  return name === '' ? null : name;
}

/** Whether only this machine reaches what listens there. */
export function isLoopback(name: string): boolean {
  return name === 'localhost' || name === '::1' || (isIPv4(name) && name.startsWith('127.'));
}

/** An address to listen on that means every address of the machine. */
export function isEveryAddress(name: string): boolean {
  return name === '0.0.0.0' || name === '::';
}

/** Where this machine reaches what listens on `host`. Whatever listens on `::` takes IPv4 as well, and a machine may lack IPv6. */
export function localAddress(host: string): string {
  return isEveryAddress(host) ? '127.0.0.1' : host;
}

/** What listening on an address fails with that this machine does not have, or of a family that it does not have. */
export const ABSENT_ADDRESS: readonly string[] = ['EADDRNOTAVAIL', 'EAFNOSUPPORT'];

/** Where to listen instead of `host` after `code`: `::` is every address of both families, or of IPv4 where there is no IPv6. */
export function withoutIpv6(host: string, code: string | undefined): string | undefined {
  return host === '::' && code !== undefined && ABSENT_ADDRESS.includes(code) ? '0.0.0.0' : undefined;
}

export function isAddress(name: string): boolean {
  return isIP(name) !== 0;
}
