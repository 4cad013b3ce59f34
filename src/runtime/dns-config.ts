/** DNS resolvers, and how far their answers are trusted. */
import type { Reader } from './config-reader.ts';
import { hostNameOf, isLoopback } from './host-name.ts';

export interface DnsConfig {
  /** Undefined means the system's resolvers. */
  readonly dnsServers: readonly string[] | undefined;
  /** The resolvers validate DNSSEC over a trusted path, so certificates in DNS (DANE) are used. */
  readonly dane: boolean;
}

/**
 * An explicit resolver on this machine belongs to the operator. The system's list may contain any forwarder
 * that the network announces.
 */
export function dnsConfig(read: Reader): DnsConfig {
  const dnsServers = read.addresses('POSTRIDER_DNS_SERVERS');
  const isOwn = dnsServers?.every((one) => isLoopback(hostNameOf(one) ?? one)) ?? false;
  return { dnsServers, dane: read.boolean('POSTRIDER_DANE', isOwn) };
}
