/** The facts about the sending host that other checks need. */
import { describeDnsFailure } from '../../domains/advice.ts';
import { isRelayed, sendingAddresses } from '../../domains/senders.ts';
import { isPublicAddress } from '../../protocols/dns/public-address.ts';
import type { Config } from '../../runtime/config.ts';
import { DOCTOR_LOOKUP, type DoctorContext } from '../doctor-context.ts';
import { CheckInconclusive } from '../finding.ts';

const ONLY_HERE = /(^|\.)(localhost|local|localdomain|internal|lan|home|home\.arpa|intranet)$/;

export function isPublicName(host: string): boolean {
  return host.includes('.') && !/(^|\.)\d+$/.test(host) && !ONLY_HERE.test(host);
}

export function publicHostName({ hostname }: Pick<Config, 'hostname'>): string {
  const host = hostname.toLowerCase();
  if (isPublicName(host)) return host;
  throw new CheckInconclusive(`The host name "${host}" cannot exist in public DNS.`);
}

interface KnownAddresses {
  readonly ofHost: readonly string[];
  readonly sending: readonly string[];
}

export async function knownAddresses(
  { config, resolver }: DoctorContext,
  host: string,
): Promise<KnownAddresses> {
  const [answer, ipv4, sending] = await Promise.all([
    resolver.addresses(host, DOCTOR_LOOKUP),
    resolver.a(host, DOCTOR_LOOKUP),
    sendingAddresses(resolver, config, DOCTOR_LOOKUP),
  ]);
  for (const one of [answer, ipv4])
    if (one.kind === 'unavailable') throw new CheckInconclusive(describeDnsFailure(host, one.code));
  return { ofHost: answer.kind === 'found' ? answer.records : [], sending };
}

/** Only public addresses have reverse names or appear on block lists. */
export async function publicSendingAddresses(context: DoctorContext): Promise<readonly string[]> {
  const { config } = context;
  if (isRelayed(config) && config.sendingAddresses === undefined)
    throw new CheckInconclusive(
      'All mail goes through a relay: receivers see the address of the relay, for which its operator is responsible.',
    );
  const { sending } = await knownAddresses(context, publicHostName(config));
  const addresses = sending.filter(isPublicAddress);
  if (addresses.length > 0) return addresses;
  throw new CheckInconclusive(
    `No public address is known that mail is sent from${sending.length === 0 ? '' : `, only ${sending.join(', ')}`}.`,
    'Set POSTRIDER_SENDING_ADDRESSES to the addresses that receivers see.',
  );
}
