/**
 * Mail with a requirement for TLS (RFC 8689): the real worker, a DNS server with the AD bit, and servers with TLS that offer
 * REQUIRETLS or do not.
 */
import { expect, it, onTestFinished } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { SIGNED_CERTIFICATE } from '../support/dane-certificates.ts';
import type { DnsRecords } from '../support/dns-zone.ts';
import { inTurn, setRoutes } from '../support/routes.ts';
import { drop, type SinkOptions, type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';
import { EXPIRED_CERTIFICATE, STRICT_CERTIFICATE } from '../support/strict-certificates.ts';
import { inZone, tlsaOf } from '../support/tlsa.ts';
import { type Scenario, startScenario } from './evil/scenario.ts';

const OFFERS_TLS = ['PIPELINING', 'STARTTLS'];
const PROMISES = [...OFFERS_TLS, 'REQUIRETLS'];
const REQUIRED = { tls: 'required' } as const;
const OPTIONAL = { tls: 'optional' } as const;

interface Setup {
  readonly site?: SinkOptions;
  readonly second?: SinkOptions;
  readonly zone?: (sink: SmtpSink, second: SmtpSink) => Record<string, DnsRecords>;
  readonly policy?: { readonly mode: 'enforce' | 'testing' | 'none'; readonly mx: string[] };
  readonly env?: Record<string, string>;
}

/** The domain `strict.test`, whose first server has a trusted certificate and offers REQUIRETLS. */
async function start({ site, second, zone, policy, env = {} }: Setup): Promise<Scenario> {
  const good = { capabilities: PROMISES, certificate: STRICT_CERTIFICATE };
  const scenario = await startScenario({
    sites: { strict: { ...good, ...site }, second: { ...good, ...second } },
    zone: (sinks) => zone?.(sinks.strict as SmtpSink, sinks.second as SmtpSink) ?? {},
    env,
    worker: { trust: { certificates: STRICT_CERTIFICATE.cert, policyPort: 1 } },
  });
  if (policy !== undefined) await scenario.storePolicy('strict.test', policy);
  return scenario;
}

async function deliver(
  setup: Setup,
  domain = 'strict.test',
  mail: typeof REQUIRED | typeof OPTIONAL = REQUIRED,
) {
  const scenario = await start(setup);
  const [event] = await scenario.deliver(domain, 1, mail);
  const { messages, connections } = scenario.sink('strict');
  return { scenario, event, messages, connections };
}

const NAMED = { mode: 'enforce', mx: ['mx.strict.test'] } as const;
const signedMx = () => ({ 'strict.test': { MX: [[10, 'mx.strict.test']], secure: true } as DnsRecords });

it.each<[string, Setup, string, string?]>([
  ['an MTA-STS policy names', { policy: { mode: 'enforce', mx: ['mx.strict.test'] } }, 'mta_sts'],
  [
    'an MTA-STS policy in testing names',
    { policy: { mode: 'testing', mx: ['*.strict.test'] } },
    'require_tls',
  ],
  ['DNSSEC vouches for', { zone: signedMx }, 'require_tls'],
  [
    'has the name of the domain',
    { zone: ({ address }) => ({ 'mx.strict.test': { A: [address] } }) },
    'require_tls',
    'mx.strict.test',
  ],
])('gives mail that demands TLS to a server that %s', async (_, setup, policy, domain) => {
  const { event, messages } = await deliver(setup, domain);
  expect(event).toMatchObject({ type: 'delivered', tls_certificate: { verified: true, policy } });
  expect(messages.map(({ mailLine }) => mailLine)).toEqual([expect.stringMatching(/ REQUIRETLS$/)]);
});

it('gives mail that demands TLS to a server with the certificate that DNS vouches for', async () => {
  const { event, messages } = await deliver({
    site: { certificate: SIGNED_CERTIFICATE },
    zone: ({ address, port }) => ({
      ...signedMx(),
      'mx.strict.test': { A: [address], secure: true },
      [`_${port}._tcp.mx.strict.test`]: {
        TLSA: [inZone(tlsaOf(SIGNED_CERTIFICATE.cert, '3 1 1'))],
        secure: true,
      },
    }),
  });
  expect(event).toMatchObject({ type: 'delivered', tls_certificate: { verified: true, policy: 'dane' } });
  expect(messages[0]?.mailLine).toMatch(/ REQUIRETLS$/);
});

const UNSUPPORTED = { type: 'bounced', reason: 'requiretls_unsupported', enhanced_code: '5.7.30' };
const FAILED = { type: 'bounced', reason: 'requiretls_failed', enhanced_code: '5.7.10' };

it.each<[string, Setup, object]>([
  [
    'promises nothing',
    { policy: { ...NAMED, mx: [...NAMED.mx] }, site: { capabilities: OFFERS_TLS } },
    UNSUPPORTED,
  ],
  ['has no TLS', { zone: signedMx, site: { capabilities: ['PIPELINING', 'REQUIRETLS'] } }, FAILED],
  [
    'has a certificate that nobody trusts',
    { zone: signedMx, site: { certificate: SIGNED_CERTIFICATE } },
    FAILED,
  ],
  ['has a certificate that ran out', { zone: signedMx, site: { certificate: EXPIRED_CERTIFICATE } }, FAILED],
])(
  'bounces mail that demands TLS where the server %s, without a word about it',
  async (_, setup, outcome) => {
    const { event, connections } = await deliver(setup);
    expect(event).toMatchObject(outcome);
    expect(connections.flatMap(({ commands }) => commands).filter((line) => line.startsWith('MAIL'))).toEqual(
      [],
    );
  },
);

it.each<[string, Setup]>([
  ['nothing proves that the server is the recipient’s', {}],
  ['the MTA-STS policy says that there is none', { policy: { mode: 'none', mx: [] } }],
])('bounces mail that demands TLS where %s, and connects to nobody', async (_, setup) => {
  const { event, connections } = await deliver(setup);
  expect(event).toMatchObject({ ...FAILED, mx_host: 'mx.strict.test' });
  expect(connections).toHaveLength(0);
});

it.each<[string, Setup, string]>([
  [
    'the policy that may name the server cannot be had',
    { zone: () => ({ '_mta-sts.strict.test': { TXT: ['v=STSv1; id=2'] } }) },
    'requiretls_failed',
  ],
  [
    'a handshake fails',
    { zone: signedMx, site: { script: { starttls: drop('220 go ahead') } } },
    'requiretls_failed',
  ],
  [
    'TLS is refused for now',
    { zone: signedMx, site: { script: { starttls: '454 4.7.0 not today' } } },
    'requiretls_failed',
  ],
  [
    'the domain promised a certificate and does not have it',
    { policy: { mode: 'enforce', mx: ['mx.strict.test'] }, site: { certificate: EXPIRED_CERTIFICATE } },
    'mta_sts_failed',
  ],
])('lets mail that demands TLS wait where %s', async (_, setup, reason) => {
  const { event, messages } = await deliver(setup);
  expect(event).toMatchObject({ type: 'deferred', reason });
  expect(messages).toHaveLength(0);
});

/** The certificate also contains this name. */
const SECOND = 'mta-sts.strict.test';
const twoHosts = (_: SmtpSink, { address }: SmtpSink): Record<string, DnsRecords> => ({
  'strict.test': {
    MX: [
      [10, 'mx.strict.test'],
      [20, SECOND],
    ],
    secure: true,
  },
  [SECOND]: { A: [address] },
});

it.each<[string, SinkOptions]>([
  ['has no TLS', { capabilities: ['PIPELINING'] }],
  ['promises nothing', { capabilities: OFFERS_TLS }],
  ['has a certificate that ran out', { certificate: EXPIRED_CERTIFICATE }],
])('takes the next host of the domain where the first %s', async (_, site) => {
  const { event, scenario } = await deliver({ zone: twoHosts, site });
  expect(event).toMatchObject({ type: 'delivered', mx_host: SECOND });
  expect(scenario.sink('second').messages[0]?.mailLine).toMatch(/ REQUIRETLS$/);
});

it('waits where one host cannot have it and another could not be asked', async () => {
  const { event } = await deliver({
    zone: twoHosts,
    site: { script: { banner: '421 4.3.2 later' } },
    second: { capabilities: OFFERS_TLS },
  });
  expect(event).toMatchObject({ type: 'deferred', mx_host: 'mx.strict.test' });
});

it('does not take a connection on which other mail was sent without checking who is there', async () => {
  const scenario = await start({ zone: signedMx, site: { certificate: SIGNED_CERTIFICATE } });
  const [before] = await scenario.deliver('strict.test');
  const [event] = await scenario.deliver('strict.test', 1, REQUIRED);
  const [after] = await scenario.deliver('strict.test');
  expect([before?.type, event?.type, after?.type]).toEqual(['delivered', 'bounced', 'delivered']);
  expect(scenario.sink('strict').messages).toHaveLength(2);
});

it('has the site take other mail as before, however often it cannot have it', async () => {
  const scenario = await start({ zone: signedMx, site: { script: { starttls: '454 4.7.0 not today' } } });
  for (let count = 0; count < 8; count += 1) await scenario.deliver('strict.test', 1, REQUIRED);
  const [event] = await scenario.deliver('strict.test');
  expect(event).toMatchObject({ type: 'delivered', tls: null });
});

it('reads a server that cannot pass it on as one that does not promise it', async () => {
  const { event } = await deliver({
    zone: signedMx,
    site: { script: { rcpt: '550 5.7.30 REQUIRETLS needed' } },
  });
  expect(event).toMatchObject({ ...UNSUPPORTED, smtp_code: 550 });
});

it('sends mail that is to arrive without TLS, too, to hosts that the policy of the domain forbids', async () => {
  const policy = { mode: 'enforce', mx: ['elsewhere.test'] } as const;
  const forbidden = { policy: { ...policy, mx: [...policy.mx] } };
  expect((await deliver(forbidden, 'strict.test', OPTIONAL)).event).toMatchObject({ type: 'delivered' });
});

it('sends mail that is to arrive without TLS, too, to a server whose certificate is not the one in DNS', async () => {
  const { event } = await deliver(
    {
      zone: ({ address, port }) => ({
        ...signedMx(),
        'mx.strict.test': { A: [address], secure: true },
        [`_${port}._tcp.mx.strict.test`]: {
          TLSA: [inZone(tlsaOf(SIGNED_CERTIFICATE.cert, '3 1 1'))],
          secure: true,
        },
      }),
    },
    'strict.test',
    OPTIONAL,
  );
  expect(event).toMatchObject({ type: 'delivered', tls_certificate: { policy: 'opportunistic' } });
});

async function startRelay(capabilities: readonly string[]): Promise<SmtpSink> {
  const relay = await startSmtpSink({ address: '127.0.2.9', capabilities, certificate: STRICT_CERTIFICATE });
  onTestFinished(() => relay.close());
  return relay;
}

/** The name of the certificate, so that the relay can be verified. */
const relayUrl = ({ port }: SmtpSink) => `smtp://${SECOND}:${port}`;
const relayZone = ({ address }: SmtpSink) => ({ [SECOND]: { A: [address] } });

it('demands the same of a relay', async () => {
  const relay = await startRelay(PROMISES);
  const { event } = await deliver({
    env: { POSTRIDER_RELAY_URL: relayUrl(relay) },
    zone: () => relayZone(relay),
  });
  expect(event).toMatchObject({ type: 'delivered', tls_certificate: { verified: true, policy: 'relay' } });
  expect(relay.messages[0]?.mailLine).toMatch(/ REQUIRETLS$/);
});

it('bounces mail that demands TLS where the relay promises nothing', async () => {
  const relay = await startRelay(OFFERS_TLS);
  const { event } = await deliver({
    env: { POSTRIDER_RELAY_URL: relayUrl(relay) },
    zone: () => relayZone(relay),
  });
  expect(event).toMatchObject(UNSUPPORTED);
  expect(relay.messages).toHaveLength(0);
});

it('takes the next way of the route table where the first is a relay that promises nothing', async () => {
  const relay = await startRelay(OFFERS_TLS);
  const scenario = await start({ zone: () => ({ ...signedMx(), ...relayZone(relay) }) });
  const transports = [{ kind: 'relay' as const, name: 'old', url: relayUrl(relay) }];
  await setRoutes(scenario.database.db, { transports, rules: [{ steps: inTurn('old', 'default') }] });
  await scenario.restart();
  const [event] = await scenario.deliver('strict.test', 1, REQUIRED);
  expect(event).toMatchObject({ type: 'delivered', mx_host: 'mx.strict.test' });
});

it('waits where a way that may have it takes nothing now', async () => {
  const relay = await startRelay(OFFERS_TLS);
  const scenario = await start({ zone: () => ({ ...signedMx(), ...relayZone(relay) }) });
  const { db } = scenario.database;
  const transports = [{ kind: 'relay' as const, name: 'old', url: relayUrl(relay) }];
  await setRoutes(db, { transports, rules: [{ steps: inTurn('old', 'default') }] });
  await db.exec(adHoc(`INSERT INTO sites (name, paused_at) VALUES ('mx.strict.test', now())`));
  await scenario.restart();
  const [event] = await scenario.deliver('strict.test', 1, REQUIRED);
  expect(event).toMatchObject({ type: 'deferred', reason: 'requiretls_unsupported' });
});
