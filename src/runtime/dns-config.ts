/** Who is asked for names, and what the answers are worth. */
import type { Reader } from './config-reader.ts';
import { hostNameOf, isLoopback } from './host-name.ts';

export interface DnsConfig {
  /** Undefined: the system's. */
  readonly dnsServers: readonly string[] | undefined;
  /** Those servers validate DNSSEC, and nobody stands between them and this machine: certificates in DNS count. */
  readonly dane: boolean;
}

/** Whoever names a resolver of this machine runs it. The system's list may lead to a forwarder of whatever the network says. */
export function dnsConfig(read: Reader): DnsConfig {
  const dnsServers = read.addresses('POSTRIDER_DNS_SERVERS');
  const isOwn = dnsServers?.every((one) => isLoopback(hostNameOf(one) ?? one)) ?? false;
  return { dnsServers, dane: read.boolean('POSTRIDER_DANE', isOwn) };
}
