/** Host names and addresses in a Host header or a setting, normalized to one spelling. */
import { isIP, isIPv4 } from 'node:net';

/**
 * A name, an IPv4 address or an IPv6 address in brackets, with an optional port and no other part of a URL.
 */
const HOST_AND_PORT = /^(?:[^\s:/?#@[\]\\%]+|\[[0-9a-f:.]+\])(?::\d{0,5})?$/i;

/** Lower case, without port, brackets and trailing dot; null when the text is not a host. */
export function hostNameOf(text: string): string | null {
  if (!HOST_AND_PORT.test(text) || !URL.canParse(`http://${text}`)) return null;
  const name = new URL(`http://${text}`).hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  return name === '' ? null : name;
}

/** Whether a listener on this address is only reachable from this machine. */
export function isLoopback(name: string): boolean {
  return name === 'localhost' || name === '::1' || (isIPv4(name) && name.startsWith('127.'));
}

/** Whether a listen address means all addresses of the machine. */
export function isEveryAddress(name: string): boolean {
  return name === '0.0.0.0' || name === '::';
}

/**
 * The address under which this machine reaches a listener on `host`. A listener on `::` accepts IPv4 as well,
 * and a machine may lack IPv6.
 */
export function localAddress(host: string): string {
  return isEveryAddress(host) ? '127.0.0.1' : host;
}

/** The error codes for a listen address that this machine lacks, or whose address family it lacks. */
export const ABSENT_ADDRESS: readonly string[] = ['EADDRNOTAVAIL', 'EAFNOSUPPORT'];

/**
 * The address to use instead of `host` after `code`: `::` covers both families, or IPv4 alone where there is
 * no IPv6.
 */
export function withoutIpv6(host: string, code: string | undefined): string | undefined {
  return host === '::' && code !== undefined && ABSENT_ADDRESS.includes(code) ? '0.0.0.0' : undefined;
}

export function isAddress(name: string): boolean {
  return isIP(name) !== 0;
}
