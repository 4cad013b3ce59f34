/** An API that gets certificates by ACME, and TLS handshakes that read the served certificate. */
import type { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect as connectTcp } from 'node:net';
import { createInterface } from 'node:readline';
import { connect, type TLSSocket } from 'node:tls';
import { type CertificateState, listCertificates } from '../../src/certificates/store.ts';
import { adHoc } from '../../src/database/sql.ts';
import type { AcmeServer } from './acme-server.ts';
import { startApi, type TestApi, type TestApiOptions } from './api.ts';
import { until } from './until.ts';

export const PUBLIC_HOST = 'mail.acme.test';
export const SMTP_HOST = 'mx.acme.test';

export function acmeSettings(acme: AcmeServer): Record<string, string> {
  return {
    POSTRIDER_ACME: 'true',
    POSTRIDER_ACME_DIRECTORY: acme.directoryUrl,
    POSTRIDER_ALLOW_PRIVATE_DESTINATIONS: 'true',
    POSTRIDER_PUBLIC_URL: `https://${PUBLIC_HOST}`,
    POSTRIDER_HOSTNAME: SMTP_HOST,
    POSTRIDER_HTTPS_HOST: '127.0.0.1',
  };
}

export const HTTP_01 = { POSTRIDER_HTTPS_PORT: '0', POSTRIDER_ACME_HTTP_PORT: '0' };
export const TLS_ALPN_01 = { POSTRIDER_HTTPS_PORT: '0' };

/** And names lead to it. */
export async function startAcmeApi(
  acme: AcmeServer,
  env: Readonly<Record<string, string>>,
  options: Omit<TestApiOptions, 'env'> = {},
): Promise<TestApi> {
  const settings = { ...acmeSettings(acme), ...env };
  const api = await startApi({ certificateRoundMs: 50, ...options, env: settings });
  acme.ports.http = api.httpsPorts.challenges ?? Number(new URL(api.url).port);
  acme.ports.tls = api.httpsPorts.tls ?? 1;
  return api;
}

/** A TLS handshake that verifies the certificate against the root of the ACME server. Rejects if verification fails. */
export function handshake(port: number, servername: string, ca?: string): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const trust = ca === undefined ? { rejectUnauthorized: false } : { ca };
    const socket = connect({ host: '127.0.0.1', port, servername, ...trust }, () => resolve(socket));
    socket.once('error', reject);
  });
}

export async function servedAt(port: number, servername: string): Promise<X509Certificate> {
  const socket = await handshake(port, servername);
  const certificate = socket.getPeerX509Certificate();
  socket.destroy();
  if (certificate === undefined) throw new Error('No certificate is served.');
  return certificate;
}

export async function stateOf(
  { db }: Pick<TestApi, 'db'>,
  name: string,
): Promise<CertificateState | undefined> {
  return (await listCertificates(db)).find((one) => one.name === name);
}

/** Resolves when the certificate is issued, and rejects when an attempt fails. */
export async function untilIssued(api: Pick<TestApi, 'db'>, name: string): Promise<CertificateState> {
  const state = await until(
    () => stateOf(api, name),
    (found) => found?.issued_at || found?.last_error,
  );
  if (state === undefined || state.issued_at === null) throw new Error(`${name}: ${state?.last_error}`);
  return state;
}

export async function untilFailed(
  api: Pick<TestApi, 'db'>,
  name: string,
  failures = 1,
): Promise<CertificateState> {
  return (await until(
    () => stateOf(api, name),
    (state) => (state?.failures ?? 0) >= failures,
  )) as CertificateState;
}

/** Makes the next attempt due now. */
export async function makeDue({ db }: Pick<TestApi, 'db'>, name: string): Promise<void> {
  await db.exec(adHoc('UPDATE certificates SET due_at = now() WHERE name = $1'), [name]);
}

/** The issuer of the certificate that the server sends after STARTTLS. */
export async function startTlsIssuer(port: number): Promise<string> {
  const plain = connectTcp({ host: '127.0.0.1', port });
  const lines = createInterface({ input: plain })[Symbol.asyncIterator]();
  await lines.next();
  plain.write('EHLO client.test\r\n');
  while (/^250-/.test((await lines.next()).value ?? ''));
  plain.write('STARTTLS\r\n');
  await lines.next();
  plain.removeAllListeners('data');
  const socket = connect({ socket: plain, servername: SMTP_HOST, rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const { issuer } = socket.getPeerX509Certificate() ?? { issuer: '' };
  socket.destroy();
  return issuer;
}

export async function redirectOf(port: number, host: string) {
  const asked = request({ host: '127.0.0.1', port, path: '/login', headers: { host } }).end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  response.resume();
  return { status: response.statusCode, location: response.headers.location };
}
