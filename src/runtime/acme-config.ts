/** Certificates by ACME, and the ports on which the API listens with TLS. */
import type { Reader } from './config-reader.ts';
import { isAddress, isLoopback } from './host-name.ts';

export interface HttpsConfig {
  /** Undefined when no certificates are ordered. */
  readonly acme: AcmeConfig | undefined;
  readonly https: HttpsListenConfig;
}

export interface AcmeConfig {
  readonly directoryUrl: string;
  readonly email: string | undefined;
  /** Names in addition to those derived from other settings. */
  readonly moreNames: readonly string[];
}

/** The ports of the API in addition to POSTRIDER_PORT. */
interface HttpsListenConfig {
  readonly host: string;
  /** The TLS port; undefined when a proxy holds the certificate. */
  readonly port: number | undefined;
  /** The port without TLS, which answers ACME challenges and redirects everything else to https. */
  readonly challengePort: number | undefined;
}

const LETS_ENCRYPT = 'https://acme-v02.api.letsencrypt.org/directory';
const MAILBOX = /^[^\s@,;<>"]{1,64}@[a-z0-9-]+(\.[a-z0-9-]+)+$/i;

export function httpsConfig(read: Reader, allowPrivateDestinations: boolean): HttpsConfig {
  const acme = acmeConfig(read, allowPrivateDestinations);
  const https = {
    host: read.text('POSTRIDER_HTTPS_HOST') ?? '::',
    port: read.optionalInteger('POSTRIDER_HTTPS_PORT', 0, 65_535),
    challengePort: read.optionalInteger('POSTRIDER_ACME_HTTP_PORT', 0, 65_535),
  };
  for (const [name, port] of [
    ['POSTRIDER_HTTPS_PORT', https.port],
    ['POSTRIDER_ACME_HTTP_PORT', https.challengePort],
  ] as const) {
    if (port !== undefined && acme === undefined)
      read.problems.push(`${name} is given: set POSTRIDER_ACME=true, which gets the certificates for it.`);
  }
  return { acme, https };
}

/** Clients reach the TLS port without a proxy, so only named networks can be trusted beside it. */
export function trustedProxies(read: Reader, { port }: HttpsListenConfig): boolean | readonly string[] {
  const trusted = read.networks('POSTRIDER_TRUST_PROXY');
  if (trusted === true && port !== undefined)
    read.problems.push(
      'POSTRIDER_TRUST_PROXY=true trusts every client of POSTRIDER_HTTPS_PORT. Set POSTRIDER_TRUST_PROXY to the networks of your proxies, such as 10.0.0.0/8, or remove one of the two.',
    );
  return trusted;
}

function acmeConfig(read: Reader, allowPrivateDestinations: boolean): AcmeConfig | undefined {
  const isOn = read.boolean('POSTRIDER_ACME', false);
  const directoryUrl = read.url('POSTRIDER_ACME_DIRECTORY', ['https:', 'http:']) ?? LETS_ENCRYPT;
  const email = read.matching('POSTRIDER_ACME_EMAIL', MAILBOX, 'an address such as ops@example.org');
  const moreNames = read.hosts('POSTRIDER_ACME_NAMES');
  const wrong = moreNames.find((name) => !isCertifiable(name));
  if (wrong !== undefined)
    read.problems.push(
      `POSTRIDER_ACME_NAMES must be host names such as www.example.org; "${wrong}" is none.`,
    );
  if (!directoryUrl.startsWith('https:') && !allowPrivateDestinations)
    read.problems.push(
      'POSTRIDER_ACME_DIRECTORY must begin with https://. Only with POSTRIDER_ALLOW_PRIVATE_DESTINATIONS=true may it begin with http://.',
    );
  return isOn ? { directoryUrl, email, moreNames } : undefined;
}

/** Whether a public authority issues certificates for this name. */
export function isCertifiable(name: string): boolean {
  return name.includes('.') && !name.includes('*') && !isAddress(name) && !isLoopback(name);
}
