import { afterEach, describe, expect, it } from 'vitest';
import {
  type DnsZone,
  type DnsZoneServer,
  dnsTimeoutMs,
  startDnsZone,
} from '../../../test/support/dns-zone.ts';
import { systemClock } from '../../runtime/clock.ts';
import { lookupMailHosts, type MailHostOptions, type MailHosts } from './mx.ts';
import { createResolver } from './resolver.ts';

const servers: DnsZoneServer[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});

/** Leaves a list as it is. */
const keepOrder = () => 0.999_999;

async function lookUp(
  domain: string,
  zone: DnsZone,
  options: Partial<MailHostOptions> = {},
): Promise<MailHosts> {
  const dns = await startDnsZone(zone);
  servers.push(dns);
  const timeoutMs = dnsTimeoutMs(zone);
  const resolver = createResolver({ servers: [dns.address], clock: systemClock, timeoutMs, tries: 1 });
  return lookupMailHosts(resolver, domain, { random: keepOrder, ...options });
}

function hostsOf(answer: MailHosts): readonly string[] {
  if (answer.kind !== 'found') throw new Error(`${answer.problem}: ${answer.detail}`);
  return answer.hosts.flatMap((one) =>
    one.addresses.map((address) => `${one.preference} ${one.host} ${address}`),
  );
}

describe('the hosts for a domain', () => {
  it('are its MX hosts, the most preferred first', async () => {
    const answer = await lookUp('example.org', {
      'example.org': {
        MX: [
          [20, 'backup.example.org'],
          [5, 'mx.example.org'],
        ],
        A: ['192.0.2.99'],
      },
      'mx.example.org': { A: ['192.0.2.1'] },
      'backup.example.org': { A: ['192.0.2.2'] },
    });
    expect(hostsOf(answer)).toEqual(['5 mx.example.org 192.0.2.1', '20 backup.example.org 192.0.2.2']);
    expect(answer).toMatchObject({ implicit: false });
  });

  it('take turns within one preference and never across', async () => {
    const zone: DnsZone = {
      'example.org': {
        MX: [
          [10, 'a.example.org'],
          [10, 'b.example.org'],
          [10, 'c.example.org'],
          [20, 'last.example.org'],
        ],
      },
      'a.example.org': { A: ['192.0.2.1'] },
      'b.example.org': { A: ['192.0.2.2'] },
      'c.example.org': { A: ['192.0.2.3'] },
      'last.example.org': { A: ['192.0.2.9'] },
    };
    const dns = await startDnsZone(zone);
    servers.push(dns);
    const resolver = createResolver({ servers: [dns.address], clock: systemClock });
    const first = new Map<string, number>();
    for (let round = 0; round < 300; round += 1) {
      const answer = await lookupMailHosts(resolver, 'example.org', { random: Math.random });
      const order = hostsOf(answer);
      expect(order[3]).toBe('20 last.example.org 192.0.2.9');
      first.set(order[0] ?? '', (first.get(order[0] ?? '') ?? 0) + 1);
    }
    expect(first.size).toBe(3);
    // 100 each is expected; fewer than 50 of 300 has a chance below one in a hundred million.
    for (const times of first.values()) expect(times).toBeGreaterThan(50);
  });

  it('are the domain itself when it has no MX', async () => {
    const answer = await lookUp('example.org', { 'example.org': { A: ['192.0.2.1'] } });
    expect(hostsOf(answer)).toEqual(['0 example.org 192.0.2.1']);
    expect(answer).toMatchObject({ implicit: true });
  });

  it('are the domain itself over IPv6 when that is allowed', async () => {
    const answer = await lookUp(
      'example.org',
      { 'example.org': { AAAA: ['2001:db8::1'] } },
      { ipv6: 'last' },
    );
    expect(hostsOf(answer)).toEqual(['0 example.org 2001:db8::1']);
  });

  it('leave out an empty MX beside a real one', async () => {
    const answer = await lookUp('example.org', {
      'example.org': {
        MX: [
          [0, '.'],
          [10, 'mx.example.org'],
        ],
      },
      'mx.example.org': { A: ['192.0.2.1'] },
    });
    expect(hostsOf(answer)).toEqual(['10 mx.example.org 192.0.2.1']);
  });

  it('leave out an MX that is an address', async () => {
    const answer = await lookUp('example.org', {
      'example.org': {
        MX: [
          [5, '192.0.2.66'],
          [10, 'mx.example.org'],
        ],
      },
      '192.0.2.66': { A: ['192.0.2.66'] },
      'mx.example.org': { A: ['192.0.2.1'] },
    });
    expect(hostsOf(answer)).toEqual(['10 mx.example.org 192.0.2.1']);
  });

  it.each(['SERVFAIL', 'TIMEOUT', 'NXDOMAIN', 'NODATA'] as const)(
    'leave out one whose address is %s while another has one',
    async (failure) => {
      const answer = await lookUp('example.org', {
        'example.org': {
          MX: [
            [5, 'broken.example.org'],
            [10, 'mx.example.org'],
          ],
        },
        'broken.example.org': failure,
        'mx.example.org': { A: ['192.0.2.1'] },
      });
      expect(hostsOf(answer)).toEqual(['10 mx.example.org 192.0.2.1']);
    },
  );

  it('are asked for by the name that a CNAME leads to', async () => {
    const answer = await lookUp('example.org', {
      'example.org': { CNAME: 'example.net' },
      'example.net': { MX: [[10, 'mx.example.net']] },
      'mx.example.net': { A: ['192.0.2.1'] },
    });
    expect(hostsOf(answer)).toEqual(['10 mx.example.net 192.0.2.1']);
  });

  it('name each address once', async () => {
    const answer = await lookUp('example.org', {
      'example.org': {
        MX: [
          [10, 'a.example.org'],
          [20, 'b.example.org'],
        ],
      },
      'a.example.org': { A: ['192.0.2.1'] },
      'b.example.org': { A: ['192.0.2.1', '192.0.2.2'] },
    });
    expect(hostsOf(answer)).toEqual(['10 a.example.org 192.0.2.1', '20 b.example.org 192.0.2.2']);
  });

  it('have five addresses at most, with one left for the backup', async () => {
    const answer = await lookUp('example.org', {
      'example.org': {
        MX: [
          [10, 'big.example.org'],
          [20, 'backup.example.org'],
        ],
      },
      'big.example.org': {
        A: ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4', '192.0.2.5', '192.0.2.6'],
      },
      'backup.example.org': { A: ['192.0.2.99'] },
    });
    const hosts = hostsOf(answer);
    expect(hosts).toHaveLength(5);
    expect(hosts.slice(0, 4).every((one) => one.startsWith('10 big.example.org'))).toBe(true);
    expect(hosts[4]).toBe('20 backup.example.org 192.0.2.99');
  });

  it('are the five most preferred of many', async () => {
    const names = Array.from({ length: 30 }, (_, at) => `mx${at}.example.org`);
    const answer = await lookUp('example.org', {
      'example.org': { MX: names.map((name, at) => [at, name] as const) },
      ...Object.fromEntries(names.map((name, at) => [name, { A: [`192.0.2.${at}`] }])),
    });
    expect(hostsOf(answer)).toEqual([0, 1, 2, 3, 4].map((at) => `${at} mx${at}.example.org 192.0.2.${at}`));
  });

  it.each([
    ['never', ['192.0.2.1']],
    ['last', ['192.0.2.1', '2001:db8::1']],
    ['first', ['2001:db8::1', '192.0.2.1']],
  ] as const)('use IPv6 %s', async (ipv6, addresses) => {
    const zone: DnsZone = {
      'example.org': { MX: [[10, 'mx.example.org']] },
      'mx.example.org': { A: ['192.0.2.1'], AAAA: ['2001:db8::1'] },
    };
    expect(await lookUp('example.org', zone, { ipv6 })).toMatchObject({ hosts: [{ addresses }] });
  });

  it('use IPv4 only unless told otherwise', async () => {
    const zone: DnsZone = { 'example.org': { A: ['192.0.2.1'], AAAA: ['2001:db8::1'] } };
    expect(await lookUp('example.org', zone)).toMatchObject({ hosts: [{ addresses: ['192.0.2.1'] }] });
  });

  it('make room for accepted addresses before the limit is counted', async () => {
    const zone: DnsZone = {
      'example.org': {
        MX: [
          [10, 'inside.example.org'],
          [20, 'outside.example.org'],
        ],
      },
      'inside.example.org': { A: [1, 2, 3, 4, 5, 6].map((last) => `10.0.0.${last}`) },
      'outside.example.org': { A: ['192.0.2.1'] },
    };
    const answer = await lookUp('example.org', zone, { accepts: (address) => !address.startsWith('10.') });
    expect(hostsOf(answer)).toEqual(['20 outside.example.org 192.0.2.1']);
  });
});

describe('a domain without hosts', () => {
  const mx = { 'example.org': { MX: [[10, 'mx.example.org']] } } as const;

  it.each<[what: string, zone: DnsZone, problem: string]>([
    ['does not exist', {}, 'nxdomain'],
    ['has a null MX', { 'example.org': { MX: [[0, '.']] } }, 'null_mx'],
    ['has a null MX and an address', { 'example.org': { MX: [[0, '.']], A: ['192.0.2.1'] } }, 'null_mx'],
    ['has neither MX nor address', { 'example.org': { TXT: ['x'] } }, 'no_addresses'],
    ['has only IPv6 while that is off', { 'example.org': { AAAA: ['2001:db8::1'] } }, 'no_addresses'],
    [
      'has only an address for an MX',
      { 'example.org': { MX: [[10, '192.0.2.1']], A: ['192.0.2.1'] } },
      'no_addresses',
    ],
    ['has an MX that does not exist', mx, 'no_addresses'],
    ['has an MX without address', { ...mx, 'mx.example.org': 'NODATA' }, 'no_addresses'],
    ['has an MX whose address is not told', { ...mx, 'mx.example.org': 'SERVFAIL' }, 'unavailable'],
    ['answers SERVFAIL', { 'example.org': 'SERVFAIL' }, 'unavailable'],
    ['answers REFUSED', { 'example.org': 'REFUSED' }, 'unavailable'],
    ['does not answer', { 'example.org': 'TIMEOUT' }, 'unavailable'],
    [
      'answers SERVFAIL for MX and has an address',
      { 'example.org': { MX: 'SERVFAIL', A: ['192.0.2.1'] } },
      'unavailable',
    ],
    ['has no MX and an address that is not told', { 'example.org': { A: 'SERVFAIL' } }, 'unavailable'],
  ])('that %s', async (_what, zone, problem) => {
    expect(await lookUp('example.org', zone)).toMatchObject({ kind: 'none', problem });
  });

  it('is told from one whose addresses were refused', async () => {
    const answer = await lookUp(
      'example.org',
      { ...mx, 'mx.example.org': { A: ['127.0.0.1'] } },
      { accepts: () => false },
    );
    expect(answer).toMatchObject({ kind: 'none', problem: 'refused_addresses' });
    expect(answer).toMatchObject({ detail: expect.stringContaining('127.0.0.1') });
  });

  it('waits for the host that DNS could not tell about rather than count its sibling as refused', async () => {
    const zone: DnsZone = {
      'example.org': {
        MX: [
          [10, 'mx.example.org'],
          [20, 'other.example.org'],
        ],
      },
      'mx.example.org': { A: ['127.0.0.1'] },
      'other.example.org': 'SERVFAIL',
    };
    const answer = await lookUp('example.org', zone, { accepts: () => false });
    expect(answer).toMatchObject({ kind: 'none', problem: 'unavailable' });
  });
});

describe('an address in brackets', () => {
  it('is its own host, without DNS', async () => {
    expect(hostsOf(await lookUp('[192.0.2.7]', {}))).toEqual(['0 192.0.2.7 192.0.2.7']);
    expect(servers[0]?.queries).toEqual([]);
  });

  it('may be IPv6 when that is allowed', async () => {
    const answer = await lookUp('[IPv6:2001:db8::7]', {}, { ipv6: 'last' });
    expect(hostsOf(answer)).toEqual(['0 2001:db8::7 2001:db8::7']);
    expect(await lookUp('[IPv6:2001:db8::7]', {})).toMatchObject({ problem: 'no_addresses' });
  });

  it('is subject to what the caller accepts', async () => {
    const answer = await lookUp('[127.0.0.1]', {}, { accepts: () => false });
    expect(answer).toMatchObject({ problem: 'refused_addresses' });
  });

  it.each(['[]', '[example.org]', '[1.2.3]', '[1.2.3.4', '[1.2.3.4].example.org'])(
    'is not %s',
    async (domain) => {
      expect(await lookUp(domain, {})).toMatchObject({ kind: 'none', problem: 'nxdomain' });
    },
  );
});
