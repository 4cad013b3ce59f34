/** Links in mail, https, and the proxy that stands before us. */
import type { Config } from '../../kit/runtime/config.ts';
import { isLoopback } from '../../kit/runtime/host-name.ts';
import { publicUrlFault, WITHOUT_PUBLIC_URL } from '../../kit/runtime/public-url.ts';
import { doctorCheck } from '../doctor-check.ts';
import type { Observation } from '../finding.ts';

export const publicUrlCheck = doctorCheck({
  name: 'public_url',
  isQuick: true,
  matters: WITHOUT_PUBLIC_URL,
  gather: async ({ config }) => config.publicUrl,
  judge: judgePublicUrl,
});

export function judgePublicUrl(publicUrl: string): Observation[] {
  const seen = publicUrlFault(publicUrl);
  if (seen === null) return [{ level: 'ok', seen: `Links in mail point to ${publicUrl}.` }];
  const fix =
    'Set POSTRIDER_PUBLIC_URL to the https address of this installation, such as https://mail.example.org.';
  return [{ level: 'warn', seen, fix }];
}

export type ProxySettings = Pick<Config, 'host' | 'publicUrl' | 'trustProxy'>;

export const proxyCheck = doctorCheck({
  name: 'proxy',
  isQuick: true,
  matters: 'Rate limits, the guard of the sign-in and the audit log go by the address of whoever calls.',
  gather: async ({ config: { host, publicUrl, trustProxy } }): Promise<ProxySettings> => ({
    host,
    publicUrl,
    trustProxy,
  }),
  judge: judgeProxy,
});

/** Postrider itself speaks plain HTTP, so an https address means that a proxy stands before it. */
export function judgeProxy({ host, publicUrl, trustProxy }: ProxySettings): Observation[] {
  const isBehind = publicUrl.startsWith('https:');
  if (trustProxy === true && !isLoopback(host)) {
    const seen = `X-Forwarded-For is believed from whoever connects, and POSTRIDER_HOST is ${host}, where anybody may who reaches the port.`;
    const why = 'Who connects without the proxy can claim any address, and is never limited.';
    const fix =
      'Set POSTRIDER_TRUST_PROXY to the network of the proxy, such as 10.0.0.0/8, or POSTRIDER_HOST=127.0.0.1.';
    return [{ level: 'warn', seen, why, fix }];
  }
  if (isBehind && trustProxy === false) {
    const seen = `${publicUrl} is served by a proxy, and POSTRIDER_TRUST_PROXY is not set: all callers have the proxy's address.`;
    const fix = `Set POSTRIDER_TRUST_PROXY to the proxy's address (${isLoopback(host) ? '127.0.0.1' : 'or its network, such as 10.0.0.0/8'}), and let the proxy send X-Forwarded-For.`;
    return [{ level: 'warn', seen, fix }];
  }
  return [
    { level: 'ok', seen: isBehind ? 'The proxy is believed about who calls.' : 'No proxy is configured.' },
  ];
}
