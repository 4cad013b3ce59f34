import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import {
  EXPIRED_CERTIFICATE,
  STRICT_CERTIFICATE,
  type TestKeyPair,
} from '../../../test/support/strict-certificates.ts';
import { createPolicyFetch, type PolicyFetchOptions } from './mta-sts-fetch.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const PLAIN = { 'content-type': 'text/plain; charset=utf-8' };

async function fetchFrom(
  answer: Answer,
  more: Partial<PolicyFetchOptions> = {},
  {
    certificate = STRICT_CERTIFICATE,
    domain = 'strict.test',
  }: { certificate?: TestKeyPair; domain?: string } = {},
) {
  const seen: string[] = [];
  const server = createServer(certificate, (request, response) => {
    seen.push(`${request.headers.host}${request.url}`);
    answer(request, response);
  });
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const fetch = createPolicyFetch({
    resolver: { addresses: async () => ({ kind: 'found', records: ['127.0.0.1'] }) },
    accepts: () => true,
    port: (server.address() as AddressInfo).port,
    trustedCertificates: STRICT_CERTIFICATE.cert + EXPIRED_CERTIFICATE.cert,
    ...more,
  });
  return { text: await fetch(domain), seen };
}

it('reads the policy from where the RFC has it', async () => {
  const { text, seen } = await fetchFrom((_, response) => response.writeHead(200, PLAIN).end('the policy'));
  expect(text).toBe('the policy');
  expect(seen).toEqual(['mta-sts.strict.test/.well-known/mta-sts.txt']);
});

it.each<[string, Answer]>([
  [
    'a redirect',
    (_, response) => response.writeHead(302, { ...PLAIN, location: 'https://localhost/' }).end(),
  ],
  ['an error', (_, response) => response.writeHead(404, PLAIN).end('nothing here')],
  ['a web page', (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')],
  ['too much', (_, response) => response.writeHead(200, PLAIN).end('x'.repeat(65_537))],
  [
    'half an answer',
    (_, response) =>
      void response.writeHead(200, { ...PLAIN, 'content-length': 9 }).write('x', () => response.destroy()),
  ],
])('is not taken from %s', async (_, answer) => {
  expect((await fetchFrom(answer)).text).toBeNull();
});

it('waits no longer than its deadline, whatever trickles in', async () => {
  const { text } = await fetchFrom((_, response) => void response.writeHead(200, PLAIN).write('x'), {
    deadlineMs: 200,
  });
  expect(text).toBeNull();
});

it('is not connected to where the address is refused', async () => {
  const { text, seen } = await fetchFrom((_, response) => response.end(), { accepts: () => false });
  expect([text, seen]).toEqual([null, []]);
});

it.each([
  ['of another name', { domain: 'other.test' }, {}],
  ['that has run out', { certificate: EXPIRED_CERTIFICATE }, {}],
  ['of an unknown authority', {}, { trustedCertificates: EXPIRED_CERTIFICATE.cert }],
])('is not taken under a certificate %s', async (_, where, more) => {
  const { text, seen } = await fetchFrom(
    (_request, response) => response.writeHead(200, PLAIN).end('x'),
    more,
    where,
  );
  expect([text, seen]).toEqual([null, []]);
});
