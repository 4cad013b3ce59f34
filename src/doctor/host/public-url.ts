/** Links in mail, https, and the reverse proxy. */
import { describeDnsFailure } from '../../domains/advice.ts';
import type { Answer } from '../../protocols/dns/answer.ts';
import type { Config } from '../../runtime/config.ts';
import { isAddress, isLoopback } from '../../runtime/host-name.ts';
import { publicUrlFault, WITHOUT_PUBLIC_URL } from '../../runtime/public-url.ts';
import { doctorCheck } from '../doctor-check.ts';
import { DOCTOR_LOOKUP, type DoctorContext } from '../doctor-context.ts';
import { dnsRecordLine, type Observation } from '../finding.ts';

interface PublicUrlFacts {
  readonly publicUrl: string;
  readonly host: string;
  /** The addresses of the public name; null when DNS is not needed. */
  readonly answer: Answer<string> | null;
}

export const publicUrlCheck = doctorCheck({
  name: 'public_url',
  isQuick: true,
  needsDns: ({ publicUrl }) => needsLookup(publicUrl),
  matters: WITHOUT_PUBLIC_URL,
  gather: gatherPublicUrl,
  judge: judgePublicUrl,
});

async function gatherPublicUrl({ config, resolver }: DoctorContext): Promise<PublicUrlFacts> {
  const { publicUrl } = config;
  const host = new URL(publicUrl).hostname;
  const answer = needsLookup(publicUrl) ? await resolver.addresses(host, DOCTOR_LOOKUP) : null;
  return { publicUrl, host, answer };
}

/** An invalid URL, or one with an IP address, is not looked up. */
export function needsLookup(publicUrl: string): boolean {
  return (
    publicUrlFault(publicUrl) === null && !isAddress(new URL(publicUrl).hostname.replace(/^\[(.*)\]$/, '$1'))
  );
}

function judgePublicUrl({ publicUrl, host, answer }: PublicUrlFacts): Observation[] {
  const fault = publicUrlFault(publicUrl);
  if (fault !== null) {
    const fix =
      'Set POSTRIDER_PUBLIC_URL to the https address of this installation, such as https://mail.example.org.';
    return [{ level: 'warn', seen: fault, fix }];
  }
  if (answer === null || answer.kind === 'found')
    return [{ level: 'ok', seen: `Links in mail point to ${publicUrl}.` }];
  if (answer.kind === 'unavailable')
    return [{ level: 'unknown', seen: describeDnsFailure(host, answer.code) }];
  const what = answer.kind === 'nxdomain' ? 'does not exist in DNS' : 'has no address in DNS';
  return [
    {
      level: 'bad',
      seen: `POSTRIDER_PUBLIC_URL is ${publicUrl}, and ${host} ${what}.`,
      why: 'Links in mail, including unsubscribe links, do not work, and the dashboard cannot be reached.',
      fix: `Publish: ${dnsRecordLine(host, 'A', 'the address of the proxy')}, or set POSTRIDER_PUBLIC_URL to a name that resolves to this installation.`,
    },
  ];
}

interface ProxySettings extends Pick<Config, 'host' | 'publicUrl' | 'trustProxy'> {
  /** The API has its own TLS port. */
  readonly hasTls?: boolean;
}

export const proxyCheck = doctorCheck({
  name: 'proxy',
  isQuick: true,
  matters: 'Rate limits, the sign-in guard and the audit log use the address of the client.',
  gather: async ({ config: { host, publicUrl, trustProxy, https } }): Promise<ProxySettings> => ({
    host,
    publicUrl,
    trustProxy,
    hasTls: https.port !== undefined,
  }),
  judge: judgeProxy,
});

/** Without POSTRIDER_HTTPS_PORT Postrider serves plain HTTP, so an https address implies a proxy. */
export function judgeProxy({ host, publicUrl, trustProxy, hasTls }: ProxySettings): Observation[] {
  const isBehind = publicUrl.startsWith('https:') && hasTls !== true;
  const everyone = hasTls === true ? networkOfEveryone(trustProxy) : undefined;
  if (everyone !== undefined) {
    const seen = `POSTRIDER_TRUST_PROXY contains ${everyone}, and clients connect to POSTRIDER_HTTPS_PORT directly.`;
    const why = 'Every client can claim any address with X-Forwarded-For, and is never limited.';
    const fix = 'Set POSTRIDER_TRUST_PROXY to the networks of your proxies alone, such as 10.0.0.0/8.';
    return [{ level: 'warn', seen, why, fix }];
  }
  if (trustProxy === true && !isLoopback(host)) {
    const seen = `X-Forwarded-For is trusted from every client, and POSTRIDER_HOST is ${host}, so that every client that reaches the port can connect.`;
    const why = 'A client that connects without the proxy can claim any address, and is never limited.';
    const fix =
      'Set POSTRIDER_TRUST_PROXY to the network of the proxy, such as 10.0.0.0/8, or POSTRIDER_HOST=127.0.0.1.';
    return [{ level: 'warn', seen, why, fix }];
  }
  if (isBehind && trustProxy === false) {
    const seen = `${publicUrl} is served by a proxy, and POSTRIDER_TRUST_PROXY is not set: all clients have the proxy's address.`;
    const fix = `Set POSTRIDER_TRUST_PROXY to the proxy's address (${isLoopback(host) ? '127.0.0.1' : 'or its network, such as 10.0.0.0/8'}), and let the proxy send X-Forwarded-For.`;
    return [{ level: 'warn', seen, fix }];
  }
  return [
    {
      level: 'ok',
      seen: isBehind ? 'The proxy is trusted to report the addresses of clients.' : 'No proxy is configured.',
    },
  ];
}

/** `true` or a network that contains every address. */
function networkOfEveryone(trusted: ProxySettings['trustProxy']): string | undefined {
  if (typeof trusted === 'boolean') return trusted ? 'true' : undefined;
  return trusted.find((network) => /\/0+$/.test(network));
}
