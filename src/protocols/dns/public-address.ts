/**
 * Decides which addresses are public. The author of a destination (an MX record, a webhook URL) must not be
 * able to make this service connect to its own machine or network.
 *
 * IPv4 is public except for the special ranges. IPv6 is the reverse: only 2000::/3 is allocated for global
 * use, so all other ranges are refused without a list (loopback, link-local, unique-local, multicast, mapped
 * IPv4, site-local, future ranges).
 */
import { isIPv4, isIPv6 } from 'node:net';

const IPV4_SPECIAL = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local, and the metadata service of every cloud
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays, withdrawn
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
].map(parsePrefix);

const IPV6_GLOBAL = parsePrefix('2000::/3');

const IPV6_SPECIAL = [
  '2001::/23', // protocol assignments: Teredo, benchmarks, ORCHID
  '2001:db8::/32', // documentation
  '3fff::/20', // documentation
].map(parsePrefix);

/** Ranges that embed an IPv4 address, which then decides. */
const IPV4_INSIDE = [
  { prefix: parsePrefix('64:ff9b::/96'), offset: 12 }, // NAT64: the answers of DNS64 on IPv6-only networks
  { prefix: parsePrefix('2002::/16'), offset: 2 }, // 6to4
];

/** False for anything that is not an address, including names and zone ids. */
export function isPublicAddress(ip: string): boolean {
  if (isIPv4(ip)) return isPublicIPv4(bytesOfIPv4(ip));
  if (!isIPv6(ip) || ip.includes('%')) return false;
  const bytes = bytesOfIPv6(ip);
  const inside = IPV4_INSIDE.find((one) => contains(one.prefix, bytes));
  if (inside) return isPublicIPv4(bytes.slice(inside.offset, inside.offset + 4));
  return contains(IPV6_GLOBAL, bytes) && !IPV6_SPECIAL.some((prefix) => contains(prefix, bytes));
}

function isPublicIPv4(bytes: readonly number[]): boolean {
  return !IPV4_SPECIAL.some((prefix) => contains(prefix, bytes));
}

interface Prefix {
  readonly bytes: readonly number[];
  readonly bits: number;
}

function parsePrefix(text: string): Prefix {
  const [address = '', bits = ''] = text.split('/');
  return { bytes: isIPv4(address) ? bytesOfIPv4(address) : bytesOfIPv6(address), bits: Number(bits) };
}

function contains(prefix: Prefix, bytes: readonly number[]): boolean {
  for (let at = 0, left = prefix.bits; left > 0; at += 1, left -= 8) {
    const mask = left >= 8 ? 0xff : (0xff << (8 - left)) & 0xff;
    if (((prefix.bytes[at] ?? 0) & mask) !== ((bytes[at] ?? 0) & mask)) return false;
  }
  return true;
}

function bytesOfIPv4(ip: string): number[] {
  return ip.split('.').map(Number);
}

/** Requires input that `isIPv6` accepts. */
function bytesOfIPv6(ip: string): number[] {
  const [head = '', tail] = ip.split('::');
  const front = bytesOfGroups(head);
  if (tail === undefined) return front;
  const back = bytesOfGroups(tail);
  return [...front, ...new Array<number>(16 - front.length - back.length).fill(0), ...back];
}

function bytesOfGroups(groups: string): number[] {
  if (groups === '') return [];
  return groups.split(':').flatMap((group) => {
    if (group.includes('.')) return bytesOfIPv4(group);
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}
