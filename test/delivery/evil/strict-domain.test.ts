/** A domain with an MTA-STS policy, and servers that do not live up to it. */
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { agree, type SinkOptions } from '../../support/smtp-sink.ts';
import { EXPIRED_CERTIFICATE, STRICT_CERTIFICATE } from '../../support/strict-certificates.ts';
import { startScenario } from './scenario.ts';

const OFFERS_TLS = ['PIPELINING', 'STARTTLS'];

async function servePolicy(mode: string, mx: string): Promise<number> {
  const server = createServer(STRICT_CERTIFICATE, (_, response) =>
    response
      .writeHead(200, { 'content-type': 'text/plain' })
      .end(`version: STSv1\nmode: ${mode}\nmx: ${mx}\nmax_age: 86400\n`),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

async function startStrict(mode: string, mx: string, site: SinkOptions) {
  const policyPort = await servePolicy(mode, mx);
  const trust = { certificates: STRICT_CERTIFICATE.cert + EXPIRED_CERTIFICATE.cert, policyPort };
  const scenario = await startScenario({
    sites: { strict: { capabilities: OFFERS_TLS, ...site } },
    zone: () => ({
      '_mta-sts.strict.test': { TXT: ['v=STSv1; id=1'] },
      'mta-sts.strict.test': { A: ['127.0.0.1'] },
    }),
    worker: { trust },
  });
  return { scenario };
}

async function deliver(mode: string, mx: string, site: SinkOptions) {
  const { scenario } = await startStrict(mode, mx, site);
  const [event] = await scenario.deliver('strict.test');
  const { messageCount } = scenario.sink('strict');
  expect(await scenario.leftovers()).toEqual([]);
  return { event, messageCount };
}

it('gets its mail where the server is the one it names, with a valid certificate', async () => {
  const { event, messageCount } = await deliver('enforce', 'mx.strict.test', {
    certificate: STRICT_CERTIFICATE,
  });
  expect(event).toMatchObject({
    type: 'delivered',
    tls: expect.stringMatching(/^TLSv1\.[23] /),
    tls_certificate: { verified: true, policy: 'mta_sts', issuer: 'mta-sts.strict.test', problem: null },
  });
  expect(messageCount).toBe(1);
});

it.each<[string, string, SinkOptions]>([
  ['an expired certificate', 'mx.strict.test', { certificate: EXPIRED_CERTIFICATE }],
  ['a certificate of another name', 'mx.strict.test', {}],
  ['no TLS', 'mx.strict.test', { capabilities: ['PIPELINING'] }],
  ['a name that is not in the policy', 'mx.elsewhere.test', { certificate: STRICT_CERTIFICATE }],
])('waits where the server has %s', async (_, mx, site) => {
  const { event, messageCount } = await deliver('enforce', mx, site);
  expect(event).toMatchObject({ type: 'deferred', reason: 'mta_sts_failed' });
  expect(messageCount).toBe(0);
});

it.each(['testing', 'none'])('gets its mail all the same while the policy is %s', async (mode) => {
  const { event } = await deliver(mode, 'mx.elsewhere.test', { certificate: EXPIRED_CERTIFICATE });
  expect(event).toMatchObject({ type: 'delivered', tls: expect.stringMatching(/^TLSv1/) });
});

it('waits also after a restart, though nobody can say any more what its policy is', async () => {
  const { scenario } = await startStrict('enforce', 'mx.strict.test', {
    script: { starttls: ({ visit }) => (visit === 1 ? agree() : '454 4.7.0 not today') },
    certificate: STRICT_CERTIFICATE,
  });
  const [first] = await scenario.deliver('strict.test');
  expect(first).toMatchObject({ type: 'delivered' });
  scenario.dns.remove('_mta-sts.strict.test');
  scenario.dns.remove('mta-sts.strict.test');
  await scenario.restart();
  const [second] = await scenario.deliver('strict.test');
  expect(second).toMatchObject({ type: 'deferred', reason: 'mta_sts_failed' });
  expect(scenario.sink('strict').messageCount).toBe(1);
});
