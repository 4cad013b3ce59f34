/** Examines with the doctor on loopback, against a DNS zone and servers that the test controls. */
import type { DoctorCheck } from '../../src/doctor/doctor-check.ts';
import type { DoctorContext } from '../../src/doctor/doctor-context.ts';
import { examine } from '../../src/doctor/examine.ts';
import type { DoctorFinding } from '../../src/doctor/finding.ts';
import { OUTSIDE, type Outside } from '../../src/doctor/reference-servers.ts';
import { createResolver } from '../../src/protocols/dns/resolver.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { parseConfig } from '../../src/runtime/config.ts';
import { type DnsZoneServer, dnsTimeoutMs, startDnsZone } from '../support/dns-zone.ts';

export const HOST = 'mail.host.example';
/** Nobody talks to it: the only DNS that is asked is on loopback. */
export const ADDRESS = '8.8.4.4';
export const REVERSE = '4.4.8.8.in-addr.arpa';

/** Everything that differs from a healthy installation. */
export interface RoomOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly outside?: Partial<Outside>;
  readonly context?: Partial<DoctorContext>;
}

export interface DoctorRoom {
  readonly zone: DnsZoneServer;
  config(env?: Readonly<Record<string, string>>): ReturnType<typeof parseConfig>;
  find(check: DoctorCheck, surroundings?: RoomOptions): Promise<DoctorFinding[]>;
  stop(): Promise<void>;
}

export async function openDoctorRoom(): Promise<DoctorRoom> {
  const zone = await startDnsZone();
  const config = (env: Readonly<Record<string, string>> = {}) =>
    parseConfig({
      POSTRIDER_MODE: 'live',
      POSTRIDER_HOSTNAME: HOST,
      POSTRIDER_PUBLIC_URL: 'https://mail.host.example',
      POSTRIDER_DNS_SERVERS: zone.address,
      ...env,
    });
  return {
    zone,
    config,
    async find(check, { env = {}, outside = {}, context = {} } = {}) {
      const resolver = createResolver({
        clock: systemClock,
        servers: [zone.address],
        timeoutMs: dnsTimeoutMs({}),
        tries: 1,
      });
      const nobody = { leavesFrom: async () => null, machineMaker: async () => null };
      try {
        return await examine(
          {
            config: config(env),
            clock: systemClock,
            resolver,
            db: 'there is none.',
            folders: [],
            outside: { ...OUTSIDE, ...nobody, ...outside },
            ...context,
          },
          [check],
        );
      } finally {
        resolver.close();
      }
    },
    stop: () => zone.stop(),
  };
}

/** As `level: seen`, which is what most tests are about. */
export const summaryOf = (findings: readonly DoctorFinding[]): string[] =>
  findings.map(({ level, seen }) => `${level}: ${seen}`);
