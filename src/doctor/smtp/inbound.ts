/** Whether bounces arrive: the MX hosts of our own name, and which servers answer there. */
import { describeDnsFailure } from '../../domains/advice.ts';
import type { Answer, MxRecord } from '../../protocols/dns/answer.ts';
import { doctorCheck } from '../doctor-check.ts';
import { DOCTOR_LOOKUP, type DoctorContext } from '../doctor-context.ts';
import { CheckInconclusive, dnsRecordLine, type Observation, quoted } from '../finding.ts';
import { publicHostName } from '../host/known-host.ts';
import { probeSmtp, type SmtpProbe } from './smtp-probe.ts';

interface InboundFacts {
  readonly host: string;
  readonly mx: Answer<MxRecord>;
  /** MX hosts whose addresses DNS did not return. */
  readonly unresolved: readonly { readonly name: string; readonly code: string }[];
  /** Every address of every MX host. */
  readonly mailHosts: readonly {
    readonly name: string;
    readonly address: string;
    readonly probe: SmtpProbe;
  }[];
  readonly port: number;
  /** The inbound receiver's listen address on this machine. */
  readonly listensAt: string;
}

export const inboundCheck = doctorCheck({
  name: 'inbound_smtp',
  needsDns: true,
  matters:
    'Late bounces and complaints arrive over this port. Without them, Postrider keeps sending to addresses that no longer exist.',
  gather: gatherInbound,
  judge: judgeInbound,
});

const MAX_MAIL_HOSTS = 8;

async function gatherInbound({ config, resolver, outside }: DoctorContext): Promise<InboundFacts> {
  if (config.mode !== 'live')
    throw new CheckInconclusive(
      'In sandbox mode, Postrider does not listen for other mail servers.',
      'Run the doctor again after live mode is started.',
    );
  const host = publicHostName(config);
  const mx = await resolver.mx(host, DOCTOR_LOOKUP);
  const names =
    mx.kind === 'found' ? mx.records.map(({ exchange }) => exchange).filter((name) => name !== '') : [host];
  const answers = await Promise.all(names.map((name) => resolver.addresses(name, DOCTOR_LOOKUP)));
  const places = names.flatMap((name, at) => addressesOf(answers[at]).map((address) => ({ name, address })));
  const port = outside.inboundPort;
  const mailHosts = await Promise.all(
    places.slice(0, MAX_MAIL_HOSTS).map(async ({ name, address }) => ({
      name,
      address,
      probe: await probeSmtp({ address, port }, host, outside.timeoutMs),
    })),
  );
  const unresolved = names.flatMap((name, at) => {
    const answer = answers[at];
    return answer?.kind === 'unavailable' ? [{ name, code: answer.code }] : [];
  });
  return {
    host,
    mx,
    unresolved,
    mailHosts,
    port,
    listensAt: `${config.inbound.host}:${config.inbound.port}`,
  };
}

function addressesOf(answer: Answer<string> | undefined): readonly string[] {
  return answer?.kind === 'found' ? answer.records : [];
}

function judgeInbound(facts: InboundFacts): Observation[] {
  const { host, mx, unresolved, mailHosts } = facts;
  if (mx.kind === 'unavailable') return [{ level: 'unknown', seen: describeDnsFailure(host, mx.code) }];
  const publish = `Publish: ${dnsRecordLine(host, 'MX', `10 ${host}.`)}`;
  if (mx.kind === 'found' && mx.records.every(({ exchange }) => exchange === ''))
    return [
      { level: 'bad', seen: `${host} declares in DNS that it accepts no mail (null MX).`, fix: publish },
    ];
  const silent = unresolved.map(
    ({ name, code }): Observation => ({ level: 'unknown', seen: describeDnsFailure(name, code) }),
  );
  if (mailHosts.length === 0 && silent.length > 0) return silent;
  if (mailHosts.length === 0)
    return [{ level: 'bad', seen: `The mail hosts of ${host} have no address.`, fix: publish }];
  const implicit: Observation[] =
    mx.kind === 'found'
      ? []
      : [{ level: 'warn', seen: `${host} has no MX record.`, why: NO_MX, fix: publish }];
  const observed = mailHosts.map((door) => judgeDoor(door, facts, publish));
  const wrong = observed.filter(({ level }) => level !== 'ok');
  return [...implicit, ...silent, ...(wrong.length > 0 ? wrong : observed.slice(0, 1))];
}

const NO_MX = 'Mail servers use its address instead, but some refuse senders whose domain has no MX record.';

type ProbedHost = InboundFacts['mailHosts'][number];

function judgeDoor({ name, address, probe }: ProbedHost, facts: InboundFacts, publish: string): Observation {
  const { host, port, listensAt } = facts;
  const where = `${name} (${address}) on port ${port}`;
  const direct = `Direct port ${port} of ${address} to ${listensAt}, where bounces are received, and open it in the firewall.`;
  if (probe.kind === 'greeted') {
    // Our receiver's greeting begins with its own name.
    if (probe.banner.toLowerCase().startsWith(host))
      return { level: 'ok', seen: `Bounces are received at ${where}.` };
    const seen = `Another server answers at ${where}: ${quoted(probe.banner)}.`;
    return { level: 'bad', seen, fix: name === host ? direct : publish };
  }
  if (probe.kind === 'refused') {
    const seen = `${where} answers with ${quoted(`${probe.reply.code} ${probe.reply.text}`)}.`;
    return { level: 'bad', seen, fix: direct };
  }
  if (probe.failure === 'refused') return { level: 'bad', seen: `Nothing listens at ${where}.`, fix: direct };
  return {
    level: 'unknown',
    seen: `${where} cannot be reached from this machine: ${probe.detail}. Many networks do not let a machine reach its own public address, so other machines may still reach it.`,
    fix: `Try it from another machine: nc -vz ${name} ${port}. If that fails: ${direct}`,
  };
}
