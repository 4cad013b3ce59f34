/** A mail server given by URL: `smtp://user@host:587`, or `smtps://…` for TLS from the first byte. */
import { isLoopback } from '../../runtime/host-name.ts';
import type { SmtpCredentials, SmtpTarget, TlsMode } from './facts.ts';

type Relay = Omit<SmtpTarget, 'address' | 'ehloName'>;

const SUBMISSION_PORT = 587;
const IMPLICIT_TLS_PORT = 465;
const RELAY_PORT = 25;

/**
 * Errors never contain the URL, which may hold a password. A given `password` takes precedence over the
 * URL's.
 */
export function parseRelay(text: string, password?: string): Relay {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !['smtp:', 'smtps:'].includes(url.protocol) || url.hostname === '') {
    throw new Error('The relay must be a URL such as smtp://user:password@host:587.');
  }
  const host = url.hostname.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  const auth = parseCredentials(url, password);
  const port = relayPort(url, auth !== null);
  const tls = relayTls(url.protocol, port, auth !== null && !isLoopback(host));
  return {
    host,
    port,
    tls,
    verifyCertificate: tls !== 'opportunistic' && !isLoopback(host),
    tlsPolicy: 'relay',
    ...(auth === null ? {} : { auth: { ...auth, allowWithoutTls: tls === 'opportunistic' } }),
  };
}

function parseCredentials(url: URL, password: string | undefined): SmtpCredentials | null {
  if (url.username === '') return null;
  return {
    user: decodeURIComponent(url.username),
    password: password ?? decodeURIComponent(url.password),
  };
}

function relayPort(url: URL, authenticates: boolean): number {
  if (url.port !== '') return Number(url.port);
  if (url.protocol === 'smtps:') return IMPLICIT_TLS_PORT;
  return authenticates ? SUBMISSION_PORT : RELAY_PORT;
}

/** A password is only sent over TLS, except to this machine. */
function relayTls(protocol: string, port: number, sendsPassword: boolean): TlsMode {
  if (protocol === 'smtps:' || port === IMPLICIT_TLS_PORT) return 'implicit';
  return port === SUBMISSION_PORT || sendsPassword ? 'required' : 'opportunistic';
}
