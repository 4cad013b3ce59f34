/** Receiving servers on loopback: each site `name` accepts the mail for `name.test` on its own address. */
import type { DnsRecords } from './dns-zone.ts';
import { type SinkOptions, type SmtpSink, startSmtpSink } from './smtp-sink.ts';

export type SiteOptions = Omit<SinkOptions, 'address' | 'port'>;

/** All servers use one port, because live mode has one. By default it is a free port. */
export async function startSites(
  sites: Readonly<Record<string, SiteOptions>>,
  port = 0,
): Promise<Record<string, SmtpSink>> {
  const sinks: Record<string, SmtpSink> = {};
  let shared = port;
  for (const [index, [name, site]] of Object.entries(sites).entries()) {
    const sink = await startSmtpSink({ ...site, address: `127.0.1.${index + 1}`, port: shared });
    shared = sink.port;
    sinks[name] = sink;
  }
  return sinks;
}

export function zoneOf(sinks: Readonly<Record<string, SmtpSink>>): Record<string, DnsRecords> {
  const zone: Record<string, DnsRecords> = {};
  for (const [name, sink] of Object.entries(sinks)) {
    zone[`${name}.test`] = { MX: [[10, `mx.${name}.test`]] };
    zone[`mx.${name}.test`] = { A: [sink.address] };
  }
  return zone;
}
