/**
 * The client behind a network address: for IPv6 the /64 network, because one customer usually owns that many
 * addresses.
 */
import { isIPv6 } from 'node:net';

export const ADDRESS = 'ip:';

export function callerOfAddress(address: string | undefined): string {
  return ADDRESS + (address === undefined ? 'unknown' : remoteNetwork(address));
}

const IPV4 = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)(?::\d+)?$/i;

export function remoteNetwork(address: string): string {
  if (!address.includes(':')) return address;
  const v4 = IPV4.exec(address)?.[1];
  if (v4 !== undefined) return v4;
  if (!isIPv6(address)) return address;
  const [head = '', tail] = (address.split('%')[0] as string).toLowerCase().split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  const groups = [...left, ...Array<string>(zeros).fill('0'), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

export function isLoopbackPeer(address: string): boolean {
  return /^(?:::ffff:)?127\.|^::1$/i.test(address);
}
