/** Whether mail can be sent: to the MX hosts of three large receivers, or to the relay. */
import { adviceOn } from '../../delivery/policy/advice.ts';
import { judgeRefusal } from '../../delivery/policy/judge.ts';
import { isRelayed } from '../../domains/senders.ts';
import { lookupMailHosts } from '../../protocols/dns/mx.ts';
import { isPublicAddress } from '../../protocols/dns/public-address.ts';
import { doctorCheck } from '../doctor-check.ts';
import { DOCTOR_LOOKUP, type DoctorContext } from '../doctor-context.ts';
import { CheckInconclusive, type Observation, quoted } from '../finding.ts';
import type { BigReceiver } from '../reference-servers.ts';
import { probeSmtp, type SmtpProbe } from './smtp-probe.ts';

type Tried = { readonly receiver: BigReceiver } & (
  | { readonly kind: 'unresolved'; readonly detail: string }
  | { readonly kind: 'tried'; readonly host: string; readonly address: string; readonly probe: SmtpProbe }
);

interface OutboundFacts {
  readonly port: number;
  readonly tried: readonly Tried[];
  readonly blocker: Blocker | null;
}

export const outboundCheck = doctorCheck({
  name: 'outbound_smtp',
  needsDns: true,
  matters: 'Mail is sent over this port: while it is closed, all mail is queued and finally fails.',
  gather: gatherOutbound,
  judge: judgeOutbound,
});

async function gatherOutbound(context: DoctorContext): Promise<OutboundFacts> {
  const { config, outside } = context;
  if (isRelayed(config))
    throw new CheckInconclusive('All mail goes through the relay; mail hosts are not connected to.');
  if (config.allowPrivateDestinations)
    throw new CheckInconclusive('Mail stays in a private network (POSTRIDER_ALLOW_PRIVATE_DESTINATIONS).');
  const [tried, blocker] = await Promise.all([
    Promise.all(outside.receivers.map((receiver) => tryReceiver(context, receiver))),
    findBlocker(context),
  ]);
  return { port: config.mxPort, tried, blocker };
}

async function tryReceiver(context: DoctorContext, receiver: BigReceiver): Promise<Tried> {
  const { config, resolver, outside } = context;
  const found = await lookupMailHosts(resolver, receiver.domain, { random: Math.random });
  const first = found.kind === 'found' ? found.hosts[0] : undefined;
  const address = first?.addresses[0];
  if (first === undefined || address === undefined) {
    const detail =
      found.kind === 'none' ? found.detail : `No mail host of ${receiver.domain} has an address.`;
    return { receiver, kind: 'unresolved', detail };
  }
  const probe = await probeSmtp({ address, port: config.mxPort }, config.hostname, outside.timeoutMs);
  return { receiver, kind: 'tried', host: first.host, address, probe };
}

async function findBlocker({ resolver, outside }: DoctorContext): Promise<Blocker | null> {
  const [maker, address] = await Promise.all([outside.machineMaker(), outside.leavesFrom()]);
  const names =
    address !== null && isPublicAddress(address) ? await resolver.ptr(address, DOCTOR_LOOKUP) : null;
  return likelyBlocker(maker, names?.kind === 'found' ? names.records : []);
}

function judgeOutbound({ port, tried, blocker }: OutboundFacts): Observation[] {
  const asked = tried.filter((one) => one.kind === 'tried');
  const shut = asked.filter(isShut);
  if (shut.length > 0 && shut.length === asked.length)
    return [...unresolvedOf(tried), allShut(port, shut, blocker)];
  const observed = tried.map((one) => judgeOne(one, port));
  const wrong = observed.filter(({ level }) => level !== 'ok');
  if (wrong.length > 0) return wrong;
  const names = tried.map(({ receiver }) => receiver.name).join(', ');
  return [{ level: 'ok', seen: `Mail hosts of ${names} answer on port ${port}, and offer TLS.` }];
}

type Asked = Extract<Tried, { kind: 'tried' }>;

/** No server answered, possibly because a network in between blocks the port. */
function isShut({ probe }: Asked): boolean {
  return probe.kind === 'failed' && (probe.phase === 'connect' || probe.phase === 'banner');
}

function unresolvedOf(tried: readonly Tried[]): Observation[] {
  return tried.filter(({ kind }) => kind === 'unresolved').map((one) => judgeOne(one, 0));
}

function allShut(port: number, shut: readonly Asked[], blocker: Blocker | null): Observation {
  const each = shut.map((one) => `${one.receiver.name} (${one.address}): ${detailOf(one.probe)}`).join('; ');
  const who =
    blocker === null
      ? ''
      : ` This looks like a machine at ${blocker.name}, a provider that is known to block the port.`;
  return {
    level: 'bad',
    seen: `No mail host answers on port ${port}. ${each}.${whose(shut)}${who}`,
    fix: blocker?.ask ?? ASK_PROVIDER,
  };
}

/** The kind of failure shows who blocks the port. */
function whose(shut: readonly Asked[]): string {
  const failures = new Set(shut.map(({ probe }) => (probe.kind === 'failed' ? probe.failure : '')));
  if (failures.size !== 1) return '';
  if (failures.has('timeout'))
    return ' Packets are dropped without an answer, which is typical of a block by a hosting provider or an ISP.';
  if (failures.has('refused'))
    return ' Connections are rejected at once, which is typical of a firewall: check the firewall of this machine first (`nft list ruleset`, `iptables -L OUTPUT`).';
  if (failures.has('unreachable'))
    return ' There is no route to them: check the routes and the firewall of this machine (`ip route`, `nft list ruleset`).';
  return '';
}

function judgeOne(one: Tried, port: number): Observation {
  const { receiver } = one;
  if (one.kind === 'unresolved')
    return { level: 'unknown', seen: `${receiver.name} was not tried: ${one.detail}` };
  const { host, address, probe } = one;
  const where = `${receiver.name} (${host}, ${address})`;
  if (probe.kind === 'failed') {
    const fix =
      'If this continues while other receivers answer, the receiver blocks this address or has a network problem: try again in an hour.';
    return { level: 'warn', seen: `${where} does not answer on port ${port}: ${detailOf(probe)}.`, fix };
  }
  if (probe.kind === 'refused') return refusedBy(where, host, probe);
  if (!probe.banner.toLowerCase().includes(receiver.greetsWith) || !probe.offersStartTls)
    return intercepted(where, probe);
  return { level: 'ok', seen: `${where} answers on port ${port}.` };
}

function refusedBy(
  where: string,
  host: string,
  { phase, reply }: Extract<SmtpProbe, { kind: 'refused' }>,
): Observation {
  const { reason } = judgeRefusal({ phase, reply, host });
  const told = adviceOn(reason);
  return {
    level: reply.code >= 500 ? 'bad' : 'warn',
    seen: `${where} refuses this machine: ${quoted(`${reply.code} ${reply.text}`)}.`,
    ...(told === null ? {} : { why: told.meaning, fix: told.advice }),
  };
}

/** A network answers in place of the receivers: mail would go to that network, without TLS. */
function intercepted(
  where: string,
  { banner, offersStartTls }: Extract<SmtpProbe, { kind: 'greeted' }>,
): Observation {
  return {
    level: 'bad',
    seen: `Another server answers in place of ${where}: ${quoted(banner)}${offersStartTls ? '' : ', without offering TLS'}.`,
    why: 'The network redirects port 25, or removes TLS. The operator of the network can read, hold or refuse the mail.',
    fix: ASK_PROVIDER,
  };
}

function detailOf(probe: SmtpProbe): string {
  return probe.kind === 'failed' ? probe.detail : '';
}

interface Blocker {
  readonly name: string;
  /** Matches the firmware of its machines. */
  readonly maker?: RegExp;
  /** Matches the reverse names of its addresses. */
  readonly reverse?: RegExp;
  readonly ask: string;
}

const RELAY =
  'send through a relay on another port: POSTRIDER_RELAY_URL=smtp://user:password@relay.example.org:587';

/**
 * Networks known to block port 25, how to recognise each, and what to request from them. Providers change
 * this; their support decides.
 */
const BLOCKERS: readonly Blocker[] = [
  {
    name: 'Amazon EC2',
    maker: /amazon/i,
    reverse: /\.amazonaws\.com$/,
    ask: 'In AWS Support, send a "Request to remove email sending limitations" for the region and the Elastic IP; it asks for the reverse DNS as well.',
  },
  {
    name: 'Google Cloud',
    maker: /google/i,
    reverse: /\.bc\.googleusercontent\.com$/,
    ask: `Google Cloud never opens port 25 to the outside: ${RELAY}.`,
  },
  {
    name: 'Microsoft Azure',
    maker: /microsoft corporation/i,
    reverse: /\.cloudapp\.(azure\.com|net)$/,
    ask: `Azure opens port 25 for Enterprise Agreement and MCA-E subscriptions only (portal: "Diagnose and solve problems", "Cannot send email (SMTP-Port 25)"). For others: ${RELAY}.`,
  },
  {
    name: 'DigitalOcean',
    maker: /digitalocean/i,
    ask: 'DigitalOcean blocks ports 25, 465 and 587 on Droplets: send through a relay on port 2525, such as POSTRIDER_RELAY_URL=smtp://user:password@relay.example.org:2525.',
  },
  {
    name: 'Hetzner',
    maker: /hetzner/i,
    reverse: /\.your-server\.de$/,
    ask: 'In the Hetzner Console, request to unblock ports 25 and 465 under "Limits"; that is possible a month after the first paid invoice.',
  },
  {
    name: 'Vultr',
    maker: /vultr/i,
    reverse: /\.vultrusercontent\.com$/,
    ask: 'Open a ticket with Vultr that asks to remove the SMTP block, and say what kind of mail you send.',
  },
  {
    name: 'Akamai (Linode)',
    maker: /akamai|linode/i,
    reverse: /\.(linodeusercontent\.com|members\.linode\.com)$/,
    ask: 'Open a ticket with Akamai Cloud (Linode) that asks to remove the SMTP restrictions; the host name must have its A record and reverse DNS before.',
  },
  {
    name: 'Oracle Cloud',
    maker: /oracle/i,
    reverse: /\.oraclecloud\.com$/,
    ask: 'Open a service request with Oracle that asks for an exemption from the block of outbound port 25.',
  },
  {
    name: 'Scaleway',
    maker: /scaleway/i,
    reverse: /\.(scw\.cloud|scaleway\.com|poneytelecom\.eu)$/,
    ask: 'In the Scaleway console, turn on "Enable SMTP" in the security group of the instance, after verifying the account.',
  },
  {
    name: 'OVHcloud',
    maker: /ovh/i,
    reverse: /\.(ovh\.net|ovh\.ca|ovh\.us|vps\.ovh\.[a-z]+)$/,
    ask: 'OVHcloud blocks port 25 of an address after it saw spam from it: look under "IP", "AntiSpam" in the control panel, stop the cause, and unblock it there.',
  },
];

/** The most likely one: by the machine's manufacturer, or else by the reverse names of its addresses. */
function likelyBlocker(maker: string | null, names: readonly string[]): Blocker | null {
  return (
    BLOCKERS.find((one) => maker !== null && one.maker?.test(maker)) ??
    BLOCKERS.find((one) => names.some((name) => one.reverse?.test(name))) ??
    null
  );
}

const ASK_PROVIDER = `Ask your hosting or network provider to open outbound TCP port 25 (most hosting providers block it until you request access; nearly all home connections block it permanently), or ${RELAY}.`;
