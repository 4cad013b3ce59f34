/** Certificates by ACME, from the order to the handshake: the API against a stand-in for Pebble. */
import { request } from 'node:https';
import { text as readText } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { AcmeServer } from '../support/acme-server.ts';
import type { TestApi } from '../support/api.ts';
import {
  HTTP_01,
  handshake,
  makeDue,
  PUBLIC_HOST,
  redirectOf,
  SMTP_HOST,
  servedAt,
  startAcmeApi,
  startTlsIssuer,
  stateOf,
  TLS_ALPN_01,
  untilIssued,
} from '../support/certificates.ts';
import { startInbound } from '../support/inbound.ts';
import { startSubmission } from '../support/submission.ts';
import { until } from '../support/until.ts';

let acme: AcmeServer;
let api: TestApi | undefined;

beforeEach(async () => {
  acme = await AcmeServer.start();
});

afterEach(async () => {
  await api?.stop();
  api = undefined;
  await acme.stop();
});

/** The API over TLS, by a client that trusts the stand-in alone. */
async function get(port: number, path: string): Promise<{ status: number; body: string }> {
  const options = {
    host: '127.0.0.1',
    port,
    path,
    servername: PUBLIC_HOST,
    ca: acme.authority.root,
    agent: false as const,
  };
  const asked = request({ ...options, headers: { host: PUBLIC_HOST } }).end();
  return new Promise((resolve, reject) => {
    asked.on('error', reject);
    asked.on('response', async (response) =>
      resolve({ status: response.statusCode ?? 0, body: await readText(response) }),
    );
  });
}

it('gets a certificate by HTTP-01 and serves the API with it', async () => {
  api = await startAcmeApi(acme, HTTP_01);
  await untilIssued(api, PUBLIC_HOST);
  const { tls = 0 } = api.httpsPorts;
  const certificate = await until(
    () => servedAt(tls, PUBLIC_HOST),
    ({ subject, issuer }) => issuer !== subject,
  );
  expect(certificate.checkHost(PUBLIC_HOST)).toBe(PUBLIC_HOST);
  expect((await get(tls, '/healthz')).status).toBe(200);
});

it('gets a certificate by TLS-ALPN-01 where the API listens with TLS alone', async () => {
  api = await startAcmeApi(acme, TLS_ALPN_01);
  await untilIssued(api, PUBLIC_HOST);
  await untilIssued(api, SMTP_HOST);
  const { tls = 0 } = api.httpsPorts;
  await until(
    () => servedAt(tls, SMTP_HOST),
    (found) => found.checkHost(SMTP_HOST) && found.issuer !== found.subject,
  );
});

it('answers challenges of HTTP-01 behind a proxy, on the port of the API', async () => {
  api = await startAcmeApi(acme, {});
  expect((await untilIssued(api, PUBLIC_HOST)).last_error).toBeNull();
});

it('repeats requests whose nonce is refused', async () => {
  await acme.stop();
  acme = await AcmeServer.start({ refusedNonces: 0.25 });
  api = await startAcmeApi(acme, HTTP_01);
  await until(async () => {
    for (const name of [PUBLIC_HOST, SMTP_HOST]) await makeDue(api as TestApi, name);
    return acme.refusedNonces >= 3;
  });
  expect((await untilIssued(api, PUBLIC_HOST)).issued_at).not.toBeNull();
});

it('serves a self-signed certificate until one is issued, and never orders for unknown names', async () => {
  acme.elsewhere.add(PUBLIC_HOST).add(SMTP_HOST);
  api = await startAcmeApi(acme, TLS_ALPN_01);
  const served = await servedAt(api.httpsPorts.tls ?? 0, 'stranger.test');
  expect(served.issuer).toBe(served.subject);
  await until(() => acme.orders.length === 2);
  expect(await stateOf(api, 'stranger.test')).toBeUndefined();
  expect(acme.ordersFor('stranger.test')).toEqual([]);
});

it('takes a renewed certificate without a restart, and keeps open connections', async () => {
  api = await startAcmeApi(acme, HTTP_01);
  await untilIssued(api, PUBLIC_HOST);
  const { tls = 0 } = api.httpsPorts;
  const before = await until(
    () => servedAt(tls, PUBLIC_HOST),
    ({ subject, issuer }) => issuer !== subject,
  );
  const open = await handshake(tls, PUBLIC_HOST, acme.authority.root);
  await makeDue(api, PUBLIC_HOST);
  await until(
    () => servedAt(tls, PUBLIC_HOST),
    ({ serialNumber }) => serialNumber !== before.serialNumber,
  );
  open.write(`GET /healthz HTTP/1.1\r\nHost: ${PUBLIC_HOST}\r\nConnection: close\r\n\r\n`);
  expect(await readText(open)).toMatch(/^HTTP\/1\.1 200/);
});

it('serves the certificate over SMTP, and takes a renewed one', async () => {
  api = await startAcmeApi(acme, HTTP_01);
  await untilIssued(api, SMTP_HOST);
  const env = {
    POSTRIDER_ACME: 'true',
    POSTRIDER_ACME_DIRECTORY: acme.directoryUrl,
    POSTRIDER_ALLOW_PRIVATE_DESTINATIONS: 'true',
    POSTRIDER_HOSTNAME: SMTP_HOST,
    POSTRIDER_SUBMISSION_TLS_PORT: '0',
  };
  const options = { env, certificateRoundMs: 50 };
  const submission = await startSubmission(api.database, options);
  const before = await servedAt(submission.tlsPort, SMTP_HOST);
  expect(before.checkHost(SMTP_HOST)).toBe(SMTP_HOST);
  expect(before.issuer).toContain('Pebble');
  await makeDue(api, SMTP_HOST);
  await until(
    () => servedAt(submission.tlsPort, SMTP_HOST),
    ({ serialNumber }) => serialNumber !== before.serialNumber,
  );
  await submission.stop();
  const inbound = await startInbound(api.database, options);
  expect(await startTlsIssuer(inbound.port)).toContain('Pebble');
  await inbound.stop();
});

it('redirects to https on the port for challenges, under its own names alone', async () => {
  api = await startAcmeApi(acme, HTTP_01);
  await untilIssued(api, PUBLIC_HOST);
  const port = api.httpsPorts.challenges ?? 0;
  expect(await redirectOf(port, PUBLIC_HOST)).toEqual({
    status: 308,
    location: `https://${PUBLIC_HOST}/login`,
  });
  expect(await redirectOf(port, 'stranger.test')).toEqual({ status: 404, location: undefined });
});
