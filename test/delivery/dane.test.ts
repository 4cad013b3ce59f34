/** DANE from DNS to the recorded event: the real worker, a DNS server with the AD bit, and servers with TLS. */
import { expect, it } from 'vitest';
import type { TlsaRecord } from '../../src/protocols/dns/tlsa.ts';
import {
  AUTHORITY_CERTIFICATE,
  ELSEWHERE_CERTIFICATE,
  SIGNED_CERTIFICATE,
} from '../support/dane-certificates.ts';
import type { DnsFailure, DnsRecords } from '../support/dns-zone.ts';
import { drop, type SinkOptions } from '../support/smtp-sink.ts';
import { EXPIRED_CERTIFICATE, STRICT_CERTIFICATE } from '../support/strict-certificates.ts';
import { inZone, tlsaOf } from '../support/tlsa.ts';
import { startScenario } from './evil/scenario.ts';

const OFFERS_TLS = ['PIPELINING', 'STARTTLS'];

interface Setup {
  readonly tlsa: readonly TlsaRecord[] | DnsFailure;
  readonly site?: SinkOptions;
  readonly zone?: (mx: DnsRecords, port: number) => Record<string, DnsRecords>;
  readonly env?: Record<string, string>;
}

async function start({ tlsa, site, zone, env = {} }: Setup) {
  return startScenario({
    sites: { signed: { capabilities: OFFERS_TLS, certificate: SIGNED_CERTIFICATE, ...site } },
    env,
    zone: ({ signed }) => {
      const port = signed?.port ?? 0;
      const mx: DnsRecords = { A: [signed?.address ?? ''], secure: true };
      const records = typeof tlsa === 'string' ? tlsa : tlsa.map(inZone);
      return {
        'signed.test': { MX: [[10, 'mx.signed.test']], secure: true },
        'mx.signed.test': mx,
        [`_${port}._tcp.mx.signed.test`]: { TLSA: records, secure: true },
        ...zone?.(mx, port),
      };
    },
  });
}

async function deliver(setup: Setup) {
  const scenario = await start(setup);
  const [event] = await scenario.deliver('signed.test');
  const { messageCount } = scenario.sink('signed');
  expect(await scenario.leftovers()).toEqual([]);
  return { event, messageCount };
}

const OWN = tlsaOf(SIGNED_CERTIFICATE.cert, '3 1 1');
const ANOTHER = tlsaOf(STRICT_CERTIFICATE.cert, '3 1 1');

it.each<[string, Setup]>([
  ['the certificate that DNS has', { tlsa: [OWN] }],
  ['the second of two that DNS has', { tlsa: [ANOTHER, OWN] }],
  ['a certificate of the authority that DNS has', { tlsa: [tlsaOf(AUTHORITY_CERTIFICATE, '2 1 1')] }],
  [
    'the certificate that DNS has, which has expired',
    { tlsa: [tlsaOf(EXPIRED_CERTIFICATE.cert, '3 1 1')], site: { certificate: EXPIRED_CERTIFICATE } },
  ],
  [
    'the certificate that DNS has, in another name',
    { tlsa: [tlsaOf(ELSEWHERE_CERTIFICATE.cert, '3 1 1')], site: { certificate: ELSEWHERE_CERTIFICATE } },
  ],
])('gives mail to a server that shows %s, and says what it was known by', async (_, setup) => {
  const { event, messageCount } = await deliver(setup);
  expect(event).toMatchObject({
    type: 'delivered',
    reason: null,
    tls: expect.stringMatching(/^TLSv1/),
    tls_certificate: { verified: true, policy: 'dane', problem: null },
  });
  expect(messageCount).toBe(1);
});

it.each<[string, Setup]>([
  ['another certificate than DNS has', { tlsa: [ANOTHER] }],
  [
    'a certificate of the authority, in another name',
    { tlsa: [tlsaOf(AUTHORITY_CERTIFICATE, '2 1 1')], site: { certificate: ELSEWHERE_CERTIFICATE } },
  ],
  ['no TLS', { tlsa: [OWN], site: { capabilities: ['PIPELINING'] } }],
  [
    'no TLS, though no record can be used',
    { tlsa: [{ ...OWN, usage: 1 }], site: { capabilities: ['PIPELINING'] } },
  ],
  ['a handshake that fails', { tlsa: [OWN], site: { script: { starttls: drop('220 go ahead') } } }],
  ['a refusal of STARTTLS', { tlsa: [OWN], site: { script: { starttls: '454 4.7.0 not today' } } }],
])('waits where the server shows %s', async (_, setup) => {
  const { event, messageCount } = await deliver(setup);
  expect(event).toMatchObject({ type: 'deferred', reason: 'dane_failed' });
  expect(messageCount).toBe(0);
});

it.each<DnsFailure>(['SERVFAIL', 'REFUSED'])(
  'waits where DNS says %s of the records: it is not known whom mail may be given to',
  async (tlsa) => {
    const { event, messageCount } = await deliver({ tlsa });
    expect(event).toMatchObject({ type: 'deferred', reason: 'dns_unavailable' });
    expect(messageCount).toBe(0);
  },
);

const opportunistic = {
  type: 'delivered',
  tls: expect.stringMatching(/^TLSv1/),
  tls_certificate: { verified: false, policy: 'opportunistic' },
};

it.each<[string, Setup]>([
  [
    'which hosts are the domain’s',
    { tlsa: [ANOTHER], zone: () => ({ 'signed.test': { MX: [[10, 'mx.signed.test']] } }) },
  ],
  [
    'the address of the host',
    { tlsa: [ANOTHER], zone: ({ secure: _, ...mx }) => ({ 'mx.signed.test': mx }) },
  ],
  [
    'the records',
    {
      tlsa: [ANOTHER],
      zone: (_, port) => ({ [`_${port}._tcp.mx.signed.test`]: { TLSA: [inZone(ANOTHER)] } }),
    },
  ],
])('takes TLS as it comes where DNS does not vouch for %s', async (_, setup) => {
  expect((await deliver(setup)).event).toMatchObject(opportunistic);
});

it('uses opportunistic TLS and queries no TLSA records if the operator does not trust the resolver', async () => {
  const scenario = await start({ tlsa: [ANOTHER], env: { POSTRIDER_DANE: 'false' } });
  const [event] = await scenario.deliver('signed.test');
  expect(event).toMatchObject(opportunistic);
  expect(scenario.dns.queries.filter(({ type }) => type === 'TLSA')).toEqual([]);
});

it('requires only encryption if no TLSA record is usable', async () => {
  const { event } = await deliver({ tlsa: [{ ...OWN, usage: 0 }] });
  expect(event).toMatchObject({ type: 'delivered', tls_certificate: { verified: false, policy: 'dane' } });
});

it('verifies a host by the target of its CNAME', async () => {
  const { event } = await deliver({
    tlsa: [ANOTHER],
    zone: (mx, port) => ({
      'mx.signed.test': { CNAME: 'host.signed.test', secure: true },
      'host.signed.test': mx,
      [`_${port}._tcp.host.signed.test`]: { TLSA: [inZone(OWN)], secure: true },
    }),
  });
  expect(event).toMatchObject({ type: 'delivered', tls_certificate: { policy: 'dane', verified: true } });
});

it('prefers DANE to an MTA-STS policy of the domain', async () => {
  const scenario = await start({ tlsa: [OWN] });
  await scenario.storePolicy('signed.test', { mode: 'enforce', mx: ['mx.elsewhere.test'] });
  const [event] = await scenario.deliver('signed.test');
  expect(event).toMatchObject({ type: 'delivered', tls_certificate: { policy: 'dane' } });
});

it('queries the TLSA records of a host once, and not again for the next mail', async () => {
  const scenario = await start({ tlsa: [OWN] });
  await scenario.deliver('signed.test');
  const before = scenario.dns.queries.length;
  await scenario.deliver('signed.test');
  expect(scenario.dns.queries.length).toBe(before);
});
