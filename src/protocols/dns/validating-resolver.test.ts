import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { decode, encode } from 'dns-packet';
import fc from 'fast-check';
import { afterEach, expect, it, onTestFinished } from 'vitest';
import { type DnsZone, type DnsZoneServer, startDnsZone } from '../../../test/support/dns-zone.ts';
import { runs } from '../../../test/support/property-runs.ts';
import { TEST_CERTIFICATE } from '../../../test/support/test-certificate.ts';
import { inZone, tlsaOf } from '../../../test/support/tlsa.ts';
import { systemClock } from '../../runtime/clock.ts';
import { readPacket } from './dns-client.ts';
import { createValidatingResolver, type ValidatingResolver } from './validating-resolver.ts';

let dns: DnsZoneServer;
let resolver: ValidatingResolver;

afterEach(async () => {
  resolver.close();
  await dns.stop();
});

async function start(zone: DnsZone, servers: (own: string) => string[] = (own) => [own], timeoutMs = 20_000) {
  dns = await startDnsZone(zone);
  resolver = createValidatingResolver({
    clock: systemClock,
    servers: servers(dns.address),
    timeoutMs,
    tries: 1,
  });
}

const record = tlsaOf(TEST_CERTIFICATE, '3 1 1');

it('says of each answer whether it was validated', async () => {
  await start({
    'signed.test': { MX: [[10, 'mx.Signed.test.']], A: ['192.0.2.1'], secure: true },
    '_25._tcp.signed.test': { TLSA: [inZone(record)], secure: true },
    'plain.test': { MX: [[10, 'mx.plain.test']], A: ['192.0.2.2'] },
  });
  const secure = true;
  const mx = [{ priority: 10, exchange: 'mx.signed.test' }];
  expect(await resolver.mx('signed.test')).toEqual({ kind: 'found', records: mx, secure });
  expect(await resolver.addresses('signed.test')).toEqual({ kind: 'found', records: ['192.0.2.1'], secure });
  expect(await resolver.tlsa('_25._tcp.signed.test')).toEqual({ kind: 'found', records: [record], secure });
  expect(await resolver.aaaa('signed.test')).toEqual({ kind: 'none', secure });
  expect(await resolver.a('no.signed.test')).toEqual({ kind: 'nxdomain', secure });
  expect(await resolver.a('plain.test')).toEqual({ kind: 'found', records: ['192.0.2.2'] });
  expect(await resolver.tlsa('_25._tcp.plain.test')).toEqual({ kind: 'nxdomain' });
});

it('follows aliases, and vouches for the answer only if every step is validated', async () => {
  await start({
    'mx.signed.test': { CNAME: 'Host.signed.test', secure: true },
    'host.signed.test': { A: ['192.0.2.1'], secure: true },
    'mx.mixed.test': { CNAME: 'host.plain.test', secure: true },
    'host.plain.test': { A: ['192.0.2.2'] },
  });
  expect(await resolver.a('mx.signed.test')).toMatchObject({ alias: 'host.signed.test', secure: true });
  const mixed = await resolver.a('mx.mixed.test');
  expect(mixed).toEqual({ kind: 'found', records: ['192.0.2.2'], alias: 'host.plain.test' });
  expect(await resolver.cname('mx.mixed.test')).toMatchObject({ records: ['host.plain.test'], secure: true });
});

it('asks over TCP for what does not fit into a datagram', async () => {
  const many = Array.from({ length: 40 }, (_, i) =>
    inZone({ ...record, data: Buffer.alloc(64, i), matching: 2 }),
  );
  await start({ '_25._tcp.mx.test': { TLSA: many, secure: true } });
  const found = await resolver.tlsa('_25._tcp.mx.test');
  expect(found.kind === 'found' && found.records.length).toBe(40);
  expect(dns.queries.map(({ transport }) => transport)).toEqual(['udp', 'tcp']);
});

it('does not know what the server could not validate', async () => {
  await start({ '_25._tcp.mx.test': 'SERVFAIL' });
  expect(await resolver.tlsa('_25._tcp.mx.test')).toEqual({ kind: 'unavailable', code: 'ESERVFAIL' });
});

it('asks the next server when one is not there', async () => {
  const gone = await startDnsZone({});
  await gone.stop();
  await start({ 'a.test': { A: ['192.0.2.1'] } }, (own) => [gone.address, own], 1_000);
  expect(await resolver.a('a.test')).toEqual({ kind: 'found', records: ['192.0.2.1'] });
});

it('keeps an answer for as long as it may be kept', async () => {
  await start({ '_25._tcp.mx.test': { TLSA: [inZone(record)], ttl: 600, secure: true } });
  await resolver.tlsa('_25._tcp.mx.test');
  await resolver.tlsa('_25._tcp.mx.test');
  expect(dns.count('_25._tcp.mx.test')).toBe(1);
});

it('takes only the answer to its question', async () => {
  const forger = createSocket('udp4');
  forger.bind(0, '127.0.0.1');
  await once(forger, 'listening');
  onTestFinished(() => void forger.close());
  forger.on('message', (message, { port, address }) => {
    const { id = 0, questions = [] } = decode(message);
    const answer = (data: string) => [{ type: 'A' as const, name: 'a.test', ttl: 60, data }];
    const lies = [
      encode({ type: 'response', id: id ^ 1, questions, answers: answer('192.0.2.66') }),
      encode({
        type: 'response',
        id,
        questions: [{ type: 'A', name: 'b.test' }],
        answers: answer('192.0.2.67'),
      }),
      encode({ type: 'query', id, questions, answers: answer('192.0.2.68') }),
      Buffer.from('no packet at all'),
    ];
    for (const lie of lies) forger.send(lie, port, address);
    forger.send(encode({ type: 'response', id, questions, answers: answer('192.0.2.1') }), port, address);
  });
  await start({}, () => [`127.0.0.1:${forger.address().port}`]);
  expect(await resolver.a('a.test')).toEqual({ kind: 'found', records: ['192.0.2.1'] });
});

it('reads whatever comes without failing', async () => {
  await start({});
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      readPacket(Buffer.from(bytes));
    }),
    runs(2_000),
  );
});
