/** The reverse DNS name of an address (RFC 1035, 3.5; RFC 3596, 2.5). Pure. */
import { isIPv4 } from 'node:net';

export function reverseName(address: string): string {
  if (isIPv4(address)) return `${address.split('.').reverse().join('.')}.in-addr.arpa`;
  return `${[...hexDigits(address)].reverse().join('.')}.ip6.arpa`;
}

/** All 32 digits of an IPv6 address. */
export function hexDigits(address: string): string {
  const [head = '', tail = ''] = withoutDots(address).split('::');
  const left = head.split(':').filter(Boolean);
  const right = tail.split(':').filter(Boolean);
  const middle = address.includes('::') ? Array(8 - left.length - right.length).fill('0') : [];
  return [...left, ...middle, ...right].map((group: string) => group.toLowerCase().padStart(4, '0')).join('');
}

/** Rewrites `::ffff:192.0.2.1` with hexadecimal groups only. */
function withoutDots(address: string): string {
  return address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_whole, ...bytes: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.slice(0, 4).map(Number);
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  });
}
