/**
 * Whether the DNS servers answer at all. If none does, this finding replaces those of all checks that need
 * DNS.
 */
import { getServers } from 'node:dns';
import { createResolver } from '../../protocols/dns/resolver.ts';
import { doctorCheck } from '../doctor-check.ts';
import { DOCTOR_LOOKUP, type DoctorContext } from '../doctor-context.ts';
import type { Observation } from '../finding.ts';

interface DnsServersFacts {
  /** Set by POSTRIDER_DNS_SERVERS; otherwise the machine's own servers. */
  readonly isGiven: boolean;
  readonly servers: readonly QueriedServer[];
}

interface QueriedServer {
  readonly server: string;
  /** The error code; null when the server answers. */
  readonly failure: string | null;
}

export const dnsServersCheck = doctorCheck({
  name: 'dns',
  isQuick: true,
  matters:
    'Without DNS, Postrider finds no mail host and verifies no domain: all mail is queued, and fails when its lifetime ends.',
  gather: gatherDnsServers,
  judge: judgeDnsServers,
});

async function gatherDnsServers(context: DoctorContext): Promise<DnsServersFacts> {
  const { dnsServers } = context.config;
  const servers = [...new Set(dnsServers ?? getServers())];
  const asked = servers.map(async (server) => ({ server, failure: await failureOf(context, server) }));
  return { isGiven: dnsServers !== undefined, servers: await Promise.all(asked) };
}

/** One answer is enough, because a private network's server may know only its own names. */
async function failureOf({ config, clock, outside }: DoctorContext, server: string): Promise<string | null> {
  const resolver = createResolver({ clock, servers: [server] });
  try {
    const names = [outside.signedZone, config.hostname];
    const answers = await Promise.all(names.map((name) => resolver.a(name, DOCTOR_LOOKUP)));
    const [failed] = answers.flatMap((one) => (one.kind === 'unavailable' ? [one.code] : []));
    return answers.every(({ kind }) => kind === 'unavailable') ? (failed ?? null) : null;
  } finally {
    resolver.close();
  }
}

function judgeDnsServers({ isGiven, servers }: DnsServersFacts): Observation[] {
  const silent = servers.filter(({ failure }) => failure !== null);
  const answering = servers.filter(({ failure }) => failure === null).map(({ server }) => server);
  if (silent.length === 0) return [{ level: 'ok', seen: `DNS answers (${answering.join(', ')}).` }];
  const failures = silent.map(({ server, failure }) => `${server} ${failureWords(failure ?? '')}`).join('; ');
  const whose = isGiven ? 'POSTRIDER_DNS_SERVERS' : 'the servers of this machine';
  if (answering.length === 0)
    return [{ level: 'bad', seen: `No DNS server answers (${whose}): ${failures}.`, fix: fixFor(isGiven) }];
  return [
    {
      level: 'warn',
      seen: `A DNS server fails (${whose}): ${failures}. ${answering.join(', ')} ${answering.length === 1 ? 'answers' : 'answer'}.`,
      why: 'Every lookup that begins with the failed server takes seconds longer, and one more failure leaves no DNS.',
      fix: fixFor(isGiven),
    },
  ];
}

function failureWords(code: string): string {
  switch (code) {
    case 'ECONNREFUSED':
      return 'refuses connections';
    case 'ETIMEOUT':
    case 'ETIMEDOUT':
      return 'does not answer in time';
    case 'ESERVFAIL':
      return 'answers SERVFAIL to every question';
    case 'EREFUSED':
      return 'refuses to answer this machine';
    default:
      return `fails (${code})`;
  }
}

function fixFor(isGiven: boolean): string {
  return isGiven
    ? 'Start that resolver (such as: systemctl restart unbound), or set POSTRIDER_DNS_SERVERS to one that answers. To try one: dig @127.0.0.1 org SOA'
    : 'Correct the name servers of this machine (/etc/resolv.conf, or: resolvectl status), or set POSTRIDER_DNS_SERVERS to a resolver that answers.';
}
