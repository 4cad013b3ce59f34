import { afterEach, describe, expect, it } from 'vitest';
import {
  type DnsZone,
  type DnsZoneServer,
  dnsTimeoutMs,
  startDnsZone,
} from '../../../test/support/dns-zone.ts';
import { createResolver, type Resolver } from '../../protocols/dns/resolver.ts';
import type { SmtpTarget } from '../../protocols/smtp/facts.ts';
import { systemClock } from '../../runtime/clock.ts';
import type { Route, RouteProblem } from '../facts.ts';
import {
  createFixedRouter,
  createMxRouter,
  createRelayRouter,
  type MxRouterOptions,
  type Router,
} from './router.ts';

const servers: DnsZoneServer[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});

async function resolverOf(zone: DnsZone): Promise<Resolver> {
  const dns = await startDnsZone(zone);
  servers.push(dns);
  const timeoutMs = dnsTimeoutMs(zone);
  return createResolver({ servers: [dns.address], clock: systemClock, timeoutMs, tries: 1 });
}

async function mxRouter(zone: DnsZone, options: Partial<MxRouterOptions> = {}): Promise<Router> {
  return createMxRouter({
    resolver: await resolverOf(zone),
    port: 25,
    ehloName: 'mail.sender.example',
    allowPrivate: false,
    random: () => 0.999_999,
    ...options,
  });
}

function hopsOf(route: Route | RouteProblem): readonly SmtpTarget[] {
  if (route.kind === 'unroutable') throw new Error(`${route.problem}: ${route.detail}`);
  return route.hops;
}

const LOOPBACK_MX: DnsZone = {
  'example.org': { MX: [[10, 'mx.example.org']] },
  'mx.example.org': { A: ['127.0.0.1'] },
};

describe('live mail', () => {
  it('goes to the addresses of the MX hosts in their order', async () => {
    const router = await mxRouter(
      {
        'example.org': {
          MX: [
            [20, 'backup.example.org'],
            [10, 'mx.example.org'],
          ],
        },
        'mx.example.org': { A: ['1.1.1.1'] },
        'backup.example.org': { A: ['9.9.9.9'] },
      },
      { port: 2525 },
    );
    const common = {
      port: 2525,
      ehloName: 'mail.sender.example',
      tls: 'opportunistic',
      group: '(backup|mx).example.org',
      maxConnections: 10,
      maxMessagesPerConnection: 100,
      tlsPolicy: 'opportunistic',
    };
    expect(await router.route('example.org')).toEqual({
      kind: 'route',
      hops: [
        { host: 'mx.example.org', address: '1.1.1.1', ...common },
        { host: 'backup.example.org', address: '9.9.9.9', ...common },
      ],
      equals: 1,
    });
  });

  it('treats the addresses of the most preferred hosts as equal', async () => {
    const router = await mxRouter({
      'example.org': {
        MX: [
          [10, 'a.example.org'],
          [10, 'b.example.org'],
          [20, 'c.example.org'],
        ],
      },
      'a.example.org': { A: ['1.1.1.1', '1.1.1.2'] },
      'b.example.org': { A: ['1.1.1.3'] },
      'c.example.org': { A: ['1.1.1.4'] },
    });
    expect(await router.route('example.org')).toMatchObject({ equals: 3 });
  });

  it('gets the limits of the provider that hosts the domain', async () => {
    const router = await mxRouter({
      'shop.example': { MX: [[1, 'ASPMX.L.GOOGLE.COM']] },
      'blog.example': { MX: [[1, 'smtp.google.com']] },
      'aspmx.l.google.com': { A: ['1.1.1.1'] },
    });
    expect(await router.site('shop.example')).toEqual(await router.site('blog.example'));
    expect(hopsOf(await router.route('shop.example'))).toMatchObject([
      { group: 'google', tls: 'required', maxConnections: 5, maxMessagesPerConnection: 50 },
    ]);
  });

  it('gets the unroutable site if its domain has no mail hosts or they are unknown', async () => {
    const router = await mxRouter({ 'broken.example': 'SERVFAIL', 'null.example': { MX: [[0, '.']] } });
    for (const domain of ['gone.example', 'broken.example', 'null.example']) {
      expect(await router.site(domain)).toMatchObject({ name: 'unroutable' });
    }
  });

  it.each<[what: string, zone: DnsZone, problem: string]>([
    ['a domain that does not exist', {}, 'nxdomain'],
    ['a domain that takes no mail', { 'example.org': { MX: [[0, '.']], A: ['1.1.1.1'] } }, 'null_mx'],
    ['a domain without addresses', { 'example.org': {} }, 'no_addresses'],
    ['a domain whose DNS fails', { 'example.org': 'SERVFAIL' }, 'dns_unavailable'],
    ['a domain whose DNS is silent', { 'example.org': 'TIMEOUT' }, 'dns_unavailable'],
    ['an MX on loopback', LOOPBACK_MX, 'private_destination'],
    [
      'a domain without MX on a private address',
      { 'example.org': { A: ['10.1.2.3'] } },
      'private_destination',
    ],
  ])('has no route to %s', async (_what, zone, problem) => {
    const router = await mxRouter(zone);
    expect(await router.route('example.org')).toMatchObject({
      kind: 'unroutable',
      problem,
      detail: expect.stringContaining('example.org'),
    });
  });

  it('has no route to a private address in brackets', async () => {
    const router = await mxRouter({});
    expect(await router.route('[127.0.0.1]')).toMatchObject({ problem: 'private_destination' });
    expect(hopsOf(await router.route('[1.1.1.1]'))).toMatchObject([{ host: '1.1.1.1', address: '1.1.1.1' }]);
  });

  it('skips private addresses beside public addresses', async () => {
    const router = await mxRouter({
      'example.org': {
        MX: [
          [10, 'inside.example.org'],
          [20, 'outside.example.org'],
        ],
      },
      'inside.example.org': { A: ['192.168.0.1', '169.254.169.254'] },
      'outside.example.org': { A: ['10.0.0.1', '1.1.1.1'] },
    });
    expect(hopsOf(await router.route('example.org')).map((hop) => hop.address)).toEqual(['1.1.1.1']);
  });

  it('goes to private addresses if they are allowed', async () => {
    const router = await mxRouter(LOOPBACK_MX, { allowPrivate: true });
    expect(hopsOf(await router.route('example.org'))).toMatchObject([
      { host: 'mx.example.org', address: '127.0.0.1' },
    ]);
  });

  it('never goes to this machine itself', async () => {
    const zone: DnsZone = {
      'example.org': { A: ['1.1.1.1', '1.0.0.1'] },
      'self.example': { A: ['1.1.1.1'] },
    };
    const router = await mxRouter(zone, { ownAddresses: ['1.1.1.1'], allowPrivate: true });
    expect(hopsOf(await router.route('example.org')).map((hop) => hop.address)).toEqual(['1.0.0.1']);
    expect(await router.route('self.example')).toMatchObject({ problem: 'private_destination' });
  });

  it('uses IPv6 only if enabled', async () => {
    const zone: DnsZone = { 'example.org': { A: ['1.1.1.1'], AAAA: ['2606:4700::1'] } };
    const addresses = async (router: Router) =>
      hopsOf(await router.route('example.org')).map((hop) => hop.address);
    expect(await addresses(await mxRouter(zone))).toEqual(['1.1.1.1']);
    expect(await addresses(await mxRouter(zone, { ipv6: 'first' }))).toEqual(['2606:4700::1', '1.1.1.1']);
  });
});

describe('sandbox mail', () => {
  it('goes to the built-in receiver for every domain', async () => {
    const target: SmtpTarget = {
      host: 'sandbox',
      address: '127.0.0.1',
      port: 2526,
      tls: 'never',
      ehloName: 'localhost',
    };
    const router = createFixedRouter(target);
    for (const domain of ['example.org', 'nowhere.invalid', '[10.0.0.1]']) {
      expect(hopsOf(await router.route(domain))).toEqual([{ ...target, isSandbox: true }]);
    }
  });
});

describe('relayed mail', () => {
  const zone: DnsZone = { 'relay.example': { A: ['10.0.0.5', '10.0.0.6'] } };

  async function relay(url: string, dns: DnsZone = zone): Promise<Route | RouteProblem> {
    const router = createRelayRouter({
      url,
      resolver: await resolverOf(dns),
      ehloName: 'mail.sender.example',
    });
    return router.route('example.org');
  }

  it('goes to every address of the relay, private or not, with credentials over verified TLS', async () => {
    const hop = {
      host: 'relay.example',
      port: 587,
      ehloName: 'mail.sender.example',
      tls: 'required',
      verifyCertificate: true,
      auth: { user: 'me@sender.example', password: 'p:/@ss', allowWithoutTls: false },
      group: 'relay relay.example',
      maxConnections: 20,
      tlsPolicy: 'relay',
      nameProof: 'ours',
    };
    expect(hopsOf(await relay('smtp://me%40sender.example:p%3A%2F%40ss@Relay.Example:587'))).toEqual([
      { ...hop, address: '10.0.0.5' },
      { ...hop, address: '10.0.0.6' },
    ]);
  });

  it.each([
    ['smtp://relay.example', 25, 'opportunistic'],
    ['smtp://relay.example:2525', 2525, 'opportunistic'],
    ['smtp://relay.example:587', 587, 'required'],
    ['smtp://me:secret@relay.example', 587, 'required'],
    ['smtp://me:secret@relay.example:25', 25, 'required'],
    ['smtp://relay.example:465', 465, 'implicit'],
    ['smtps://relay.example', 465, 'implicit'],
    ['smtps://me:secret@relay.example:2465', 2465, 'implicit'],
    ['smtp://me:secret@127.0.0.1:2525', 2525, 'opportunistic'],
    ['smtp://me:secret@127.0.0.1.relay.example:2525', 2525, 'required'],
    ['smtp://me:secret@localhost:587', 587, 'required'],
  ])('through %s uses port %i and %s TLS', async (url, port, tls) => {
    const route = await relay(url, { ...zone, '127.0.0.1.relay.example': { A: ['10.0.0.7'] } });
    expect(hopsOf(route)[0]).toMatchObject({ port, tls });
  });

  it('sends a password unencrypted only to this machine', async () => {
    const auth = async (url: string) => hopsOf(await relay(url))[0]?.auth?.allowWithoutTls;
    expect(await auth('smtp://me:secret@127.0.0.1:2525')).toBe(true);
    expect(await auth('smtp://me:secret@10.0.0.5:2525')).toBe(false);
    expect(await auth('smtp://me:secret@relay.example:2525')).toBe(false);
  });

  it.each([
    ['smtp://10.0.0.5:25', ['10.0.0.5']],
    ['smtp://[::1]:25', ['::1']],
    ['smtp://localhost:25', ['127.0.0.1', '::1']],
  ])('through %s needs no DNS', async (url, addresses) => {
    expect(hopsOf(await relay(url)).map((hop) => hop.address)).toEqual(addresses);
    expect(servers[0]?.queries).toEqual([]);
  });

  it.each<[what: string, zone: DnsZone]>([
    ['does not exist', {}],
    ['has no address', { 'relay.example': 'NODATA' }],
    ['cannot be asked for', { 'relay.example': 'SERVFAIL' }],
  ])('waits when the relay %s, because that says nothing about the recipient', async (_what, dns) => {
    expect(await relay('smtp://relay.example', dns)).toMatchObject({
      kind: 'unroutable',
      problem: 'dns_unavailable',
      detail: expect.stringContaining('relay.example'),
    });
  });

  it.each(['http://me:hunter2@relay.example', 'me:hunter2@relay.example', 'smtp://', 'smtp:hunter2'])(
    'is not set up with %s, and the error keeps the password to itself',
    async (url) => {
      await expect(relay(url)).rejects.toThrow(/must be a URL such as/);
      await expect(relay(url)).rejects.not.toThrow(/hunter2/);
    },
  );
});
