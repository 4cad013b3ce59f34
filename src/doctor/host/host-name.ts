/** The host name in EHLO. */
import { isRelayed } from '../../domains/senders.ts';
import { doctorCheck } from '../doctor-check.ts';
import type { DoctorContext } from '../doctor-context.ts';
import { dnsRecordLine, type Observation } from '../finding.ts';
import { isPublicName, knownAddresses, publicHostName } from './known-host.ts';

export const hostNameCheck = doctorCheck({
  name: 'host_name',
  isQuick: true,
  matters:
    'Mail servers refuse senders with a name that is not public, and the SPF record of every domain has to include the name.',
  gather: async ({ config }) => config.hostname.toLowerCase(),
  judge: judgeHostName,
});

function judgeHostName(host: string): Observation[] {
  if (isPublicName(host)) return [{ level: 'ok', seen: `${host} is a public host name.` }];
  return [
    {
      level: 'bad',
      seen: `The host name "${host}" is not fully qualified.`,
      fix: 'Set POSTRIDER_HOSTNAME to the public name of this machine, such as mail.example.org.',
    },
  ];
}

interface EhloFacts {
  readonly host: string;
  readonly hostAddresses: readonly string[];
  /** Null behind a relay, which uses its own name. */
  readonly sending: readonly string[] | null;
}

export const ehloNameCheck = doctorCheck({
  name: 'ehlo_name',
  isQuick: true,
  needsDns: true,
  matters:
    'Receivers compare the name in EHLO with the address of the connection, and trust mail less if they differ.',
  gather: gatherEhlo,
  judge: judgeEhlo,
});

async function gatherEhlo(context: DoctorContext): Promise<EhloFacts> {
  const { config } = context;
  const host = publicHostName(config);
  const { ofHost, sending } = await knownAddresses(context, host);
  return { host, hostAddresses: ofHost, sending: isRelayed(config) ? null : sending };
}

function judgeEhlo({ host, hostAddresses, sending }: EhloFacts): Observation[] {
  if (sending === null)
    return [{ level: 'ok', seen: `EHLO to the relay says ${host}; receivers see the name of the relay.` }];
  if (sending.length === 0)
    return [{ level: 'unknown', seen: `The sending address of mail is not known: ${host} has none in DNS.` }];
  const others = sending.filter((one) => !hostAddresses.includes(one));
  if (others.length === 0)
    return [{ level: 'ok', seen: `EHLO says ${host}, which has the address that mail is sent from.` }];
  return [
    {
      level: 'warn',
      seen: `EHLO says ${host}, which does not have the address ${others.join(', ')} that mail is sent from.`,
      fix: `Publish: ${others.map((one) => dnsRecordLine(host, one.includes(':') ? 'AAAA' : 'A', one)).join(' and ')}`,
    },
  ];
}
