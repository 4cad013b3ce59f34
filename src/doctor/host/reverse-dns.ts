/** Reverse names of the sending addresses, and whether they resolve back. */
import { isIPv4 } from 'node:net';
import { describeDnsFailure } from '../../domains/advice.ts';
import type { Answer } from '../../protocols/dns/answer.ts';
import { reverseName } from '../../protocols/dns/reverse-name.ts';
import { doctorCheck } from '../doctor-check.ts';
import { DOCTOR_LOOKUP, type DoctorContext } from '../doctor-context.ts';
import { dnsRecordLine, type Observation } from '../finding.ts';
import { publicHostName, publicSendingAddresses } from './known-host.ts';

interface ReverseFacts {
  readonly host: string;
  readonly address: string;
  readonly names: Answer<string>;
  /** For each name, in the same order. */
  readonly forward: readonly Answer<string>[];
}

export const reverseDnsCheck = doctorCheck({
  name: 'reverse_dns',
  isQuick: true,
  needsDns: true,
  matters:
    'Large providers refuse mail from addresses without a host name that resolves back to the address.',
  gather: gatherReverse,
  judge: (all: readonly ReverseFacts[]) => all.map(judgeReverse),
});

async function gatherReverse(context: DoctorContext): Promise<readonly ReverseFacts[]> {
  const addresses = await publicSendingAddresses(context);
  const host = publicHostName(context.config);
  return Promise.all(addresses.map((address) => factsOf(context, host, address)));
}

async function factsOf({ resolver }: DoctorContext, host: string, address: string): Promise<ReverseFacts> {
  const names = await resolver.ptr(address, DOCTOR_LOOKUP);
  const ask = isIPv4(address) ? resolver.a : resolver.aaaa;
  const forward = names.kind === 'found' ? names.records.map((name) => ask(name, DOCTOR_LOOKUP)) : [];
  return { host, address, names, forward: await Promise.all(forward) };
}

function judgeReverse({ host, address, names, forward }: ReverseFacts): Observation {
  if (names.kind === 'unavailable')
    return { level: 'unknown', seen: describeDnsFailure(address, names.code) };
  const record = dnsRecordLine(reverseName(address), 'PTR', `${host}.`);
  const fix = `Ask the provider of the address to set its reverse DNS: ${record}`;
  if (names.kind !== 'found') return { level: 'bad', seen: `${address} has no reverse DNS (PTR).`, fix };
  const back = names.records.find((_name, at) => leadsTo(forward[at], address));
  if (back !== undefined) return { level: 'ok', seen: `${address} and ${back} point to each other.` };
  const said = `The reverse DNS of ${address} says ${names.records.join(', ')}`;
  const silent = forward.findIndex((answer) => answer.kind === 'unavailable');
  if (silent >= 0)
    return {
      level: 'unknown',
      seen: `${said}, but DNS did not answer whether this name resolves to the address.`,
    };
  return { level: 'bad', seen: `${said}, but this name does not resolve to the address.`, fix };
}

function leadsTo(answer: Answer<string> | undefined, address: string): boolean {
  return answer?.kind === 'found' && answer.records.includes(address);
}
