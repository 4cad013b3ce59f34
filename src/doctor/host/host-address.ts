/** The host's addresses, and whether mail leaves from them. */
import { describeDnsFailure } from '../../domains/advice.ts';
import { sendingAddresses } from '../../domains/senders.ts';
import type { Answer } from '../../protocols/dns/answer.ts';
import { isPublicAddress } from '../../protocols/dns/public-address.ts';
import { doctorCheck } from '../doctor-check.ts';
import { DOCTOR_LOOKUP, type DoctorContext } from '../doctor-context.ts';
import { dnsRecordLine, type Observation } from '../finding.ts';
import { publicHostName } from './known-host.ts';

interface HostAddressFacts {
  readonly host: string;
  readonly answer: Answer<string>;
  readonly sending: readonly string[];
  /** The source address of this machine's packets. */
  readonly leavesFrom: string | null;
}

export const hostAddressCheck = doctorCheck({
  name: 'host_address',
  isQuick: true,
  needsDns: true,
  matters:
    'Receivers refuse senders whose name has no address, and bounces cannot be delivered to this host.',
  gather: gatherHostAddress,
  judge: judgeHostAddress,
});

async function gatherHostAddress({ config, resolver, outside }: DoctorContext): Promise<HostAddressFacts> {
  const host = publicHostName(config);
  const [answer, sending, leavesFrom] = await Promise.all([
    resolver.addresses(host, DOCTOR_LOOKUP),
    sendingAddresses(resolver, config, DOCTOR_LOOKUP),
    outside.leavesFrom(),
  ]);
  return { host, answer, sending, leavesFrom };
}

function judgeHostAddress({ host, answer, sending, leavesFrom }: HostAddressFacts): Observation[] {
  if (answer.kind === 'unavailable')
    return [{ level: 'unknown', seen: describeDnsFailure(host, answer.code) }];
  if (answer.kind !== 'found') return [{ level: 'bad', ...noAddress(host, leavesFrom) }];
  const isElsewhere =
    leavesFrom !== null && isPublicAddress(leavesFrom) && sending.length > 0 && !sending.includes(leavesFrom);
  if (!isElsewhere) return [{ level: 'ok', seen: `${host} has the address ${answer.records.join(', ')}.` }];
  return [
    {
      level: 'warn',
      seen: `This machine sends from ${leavesFrom}, and its mail is expected from ${sending.join(', ')}.`,
      why: 'SPF and reverse DNS are examined for the wrong address: receivers check the other address.',
      fix: `Publish: ${dnsRecordLine(host, 'A', leavesFrom)}, or list all addresses in POSTRIDER_SENDING_ADDRESSES.`,
    },
  ];
}

function noAddress(host: string, leavesFrom: string | null) {
  const address =
    leavesFrom !== null && isPublicAddress(leavesFrom) ? leavesFrom : 'the address of this machine';
  return {
    seen: `The host name ${host} has no address in DNS.`,
    fix: `Publish: ${dnsRecordLine(host, 'A', address)}, or set POSTRIDER_HOSTNAME to the name of this machine.`,
  };
}
