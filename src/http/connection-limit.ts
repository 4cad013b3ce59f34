/**
 * Limits open API connections per address. Each connection costs a file descriptor and memory before the
 * client is authenticated. Trusted proxies carry the connections of all their clients, so they are not
 * counted; neither is this machine.
 *
 * Owns the connection count of each address (for IPv6, of each /64 network).
 */
import type { Server, Socket } from 'node:net';
import { isLoopbackPeer, remoteNetwork } from '../runtime/caller-address.ts';
import { createProxyTrust, type TrustedProxies } from './proxy-trust.ts';

interface ConnectionLimit {
  readonly perAddress: number;
  readonly isExempt: (address: string) => boolean;
  readonly onRefused: () => void;
}

export const CONNECTIONS_PER_ADDRESS = 1_000;

export function limitConnections(server: Server, { perAddress, isExempt, onRefused }: ConnectionLimit): void {
  const open = new Map<string, number>();
  server.prependListener('connection', (socket: Socket) => {
    const address = socket.remoteAddress;
    if (address === undefined || isExempt(address)) return;
    const network = remoteNetwork(address);
    const own = open.get(network) ?? 0;
    if (own >= perAddress) {
      socket.destroy();
      onRefused();
      return;
    }
    open.set(network, own + 1);
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left > 0) open.set(network, left);
      else open.delete(network);
    });
  });
}

export function isProxyOrThisMachine(trusted: TrustedProxies): (address: string) => boolean {
  const trusts = createProxyTrust(trusted);
  return (address) => isLoopbackPeer(address) || trusts(address, 0);
}
