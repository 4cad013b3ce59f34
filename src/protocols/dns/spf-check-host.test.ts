import fc from 'fast-check';
import { spf } from 'mailauth/lib/spf/index.js';
import { describe, expect, it } from 'vitest';
import type { Answer } from './answer.ts';
import { reverseName } from './reverse-name.ts';
import { checkHost, expandSpec, type SpfLookups } from './spf-check-host.ts';

interface Records {
  readonly TXT?: readonly string[];
  readonly A?: readonly string[];
  readonly AAAA?: readonly string[];
  readonly MX?: readonly string[];
  readonly PTR?: readonly string[];
}
type Zone = Readonly<Record<string, Records | 'TIMEOUT'>>;

function asking(zone: Zone): SpfLookups {
  const look = (name: string, type: keyof Records): Answer<string> => {
    const entry = zone[name];
    if (entry === undefined) return { kind: 'nxdomain' };
    if (entry === 'TIMEOUT') return { kind: 'unavailable', code: 'ETIMEOUT' };
    const records = entry[type] ?? [];
    return records.length === 0 ? { kind: 'none' } : { kind: 'found', records };
  };
  return {
    txt: async (name) => look(name, 'TXT'),
    a: async (name) => look(name, 'A'),
    aaaa: async (name) => look(name, 'AAAA'),
    ptr: async (address) => look(reverseName(address), 'PTR'),
    mx: async (name) => {
      const answer = look(name, 'MX');
      if (answer.kind !== 'found') return answer;
      return { kind: 'found', records: answer.records.map((exchange) => ({ exchange, priority: 10 })) };
    },
  };
}

const DOMAIN = 'example.org';
const ask = (record: string | readonly string[], zone: Zone = {}, address = '192.0.2.7') =>
  checkHost(asking({ [DOMAIN]: { TXT: [record].flat() }, ...zone }), {
    address,
    domain: DOMAIN,
    sender: `strong-bad@${DOMAIN}`,
    helo: 'mail.host.test',
  });
const result = async (...args: Parameters<typeof ask>) => (await ask(...args)).result;

describe('what a receiver makes of an address', () => {
  it.each([
    ['v=spf1 ip4:192.0.2.7 -all', 'pass'],
    ['v=spf1 ip4:192.0.2.0/24 -all', 'pass'],
    ['v=spf1 ip4:192.0.3.0/24 -all', 'fail'],
    ['v=spf1 ip4:192.0.2.0/0 -all', 'pass'],
    ['v=spf1 ip6:2001:db8::/32 ~all', 'softfail'],
    ['v=spf1 ?all', 'neutral'],
    ['v=spf1', 'neutral'],
    ['v=spf1 -ip4:192.0.2.7 +all', 'fail'],
    ['google-site-verification=1', 'none'],
    ['v=spf1 foo', 'permerror'],
  ])('%s: %s', async (record, expected) => {
    expect(await result(record)).toBe(expected);
  });

  it('compares IPv6 addresses with IPv6 networks only', async () => {
    expect(await result('v=spf1 ip6:2001:db8::/32 -all', {}, '2001:db8::9')).toBe('pass');
    expect(await result('v=spf1 ip4:0.0.0.0/0 -all', {}, '2001:db8::9')).toBe('fail');
    expect(
      await result(
        'v=spf1 a -all',
        { [DOMAIN]: { TXT: ['v=spf1 a -all'], AAAA: ['2001:db8::9'] } },
        '2001:db8::9',
      ),
    ).toBe('pass');
  });

  it('asks for addresses, mail hosts and reverse names', async () => {
    const zone: Zone = {
      'h.test': { A: ['192.0.2.200'] },
      'm.test': { MX: ['gone.test', 'mx.test'] },
      'mx.test': { A: ['192.0.2.7'] },
      '7.2.0.192.in-addr.arpa': { PTR: ['forged.other.test', 'out.example.org'] },
      'out.example.org': { A: ['192.0.2.7'] },
      'forged.other.test': { A: ['192.0.2.99'] },
    };
    expect(await result('v=spf1 a:h.test/24 -all', zone)).toBe('pass');
    expect(await result('v=spf1 a:h.test -all', zone)).toBe('fail');
    expect(await result('v=spf1 mx:m.test -all', zone)).toBe('pass');
    expect(await result('v=spf1 ptr -all', zone)).toBe('pass');
    expect(await result('v=spf1 ptr:other.test -all', zone)).toBe('fail');
    expect(await result('v=spf1 exists:h.test -all', zone)).toBe('pass');
  });

  it('reads macros as the mail in hand says', async () => {
    const name = '7.2.0.192.in-addr.strong-bad.example.org.mail.host.test';
    const zone: Zone = { [name]: { A: ['127.0.0.2'] } };
    expect(await result('v=spf1 exists:%{ir}.%{v}.%{l}.%{d}.%{h} -all', zone)).toBe('pass');
  });

  it.each([
    ['%{s}', 'strong-bad@email.example.com'],
    ['%{d4}', 'email.example.com'],
    ['%{d2}', 'example.com'],
    ['%{dr}', 'com.example.email'],
    ['%{d2r}', 'example.email'],
    ['%{l-}', 'strong.bad'],
    ['%{lr-}', 'bad.strong'],
    ['%{l1r-}', 'strong'],
    ['%{ir}.%{v}._spf.%{d2}', '3.2.0.192.in-addr._spf.example.com'],
    ['%{lr-}.lp._spf.%{d2}', 'bad.strong.lp._spf.example.com'],
    ['%{lr-}.lp.%{ir}.%{v}._spf.%{d2}', 'bad.strong.lp.3.2.0.192.in-addr._spf.example.com'],
    ['%{d2}.trusted-domains.example.net', 'example.com.trusted-domains.example.net'],
  ])('expands %s as RFC 7208, 7.4 shows', (spec, expected) => {
    const sender = 'strong-bad@email.example.com';
    const values = { address: '192.0.2.3', domain: 'email.example.com', sender, helo: 'h.example.com' };
    const at = expected.indexOf('@');
    expect(expandSpec(spec, values)).toBe(at < 0 ? expected : null); // an address is no name
  });

  it('follows includes only to a pass, and redirects to any result', async () => {
    const zone: Zone = {
      'in.test': { TXT: ['v=spf1 ip4:192.0.2.7 -all'] },
      'out.test': { TXT: ['v=spf1 -all'] },
    };
    expect(await ask('v=spf1 include:out.test include:in.test ~all', zone)).toMatchObject({
      result: 'pass',
      at: 'in.test',
      lookups: 2,
    });
    expect(await result('v=spf1 ~include:in.test -all', zone)).toBe('softfail');
    expect(await result('v=spf1 redirect=out.test', zone)).toBe('fail');
    expect(await result('v=spf1 redirect=in.test', zone)).toBe('pass');
    expect(await ask('v=spf1 +all')).toMatchObject({ result: 'pass', byAll: true });
  });

  it.each([
    ['v=spf1 include:gone.test -all', 'no_record', 'gone.test'],
    ['v=spf1 redirect=gone.test', 'no_record', 'gone.test'],
    ['v=spf1 include:two.test -all', 'several', 'two.test'],
    ['v=spf1 include:bad.test -all', 'malformed', 'bad.test'],
    ['v=spf1 include:loop.test -all', 'too_many_lookups', 'loop.test'],
    ['v=spf1 a:x.test a:y.test exists:z.test -all', 'too_many_voids', DOMAIN],
    ['v=spf1 mx:many.test -all', 'too_many_hosts', DOMAIN],
  ])('cannot use %s: %s', async (record, problem, at) => {
    const zone: Zone = {
      'two.test': { TXT: ['v=spf1 -all', 'v=spf1 ~all'] },
      'bad.test': { TXT: ['v=spf1 ip4:1.2.3'] },
      'loop.test': { TXT: ['v=spf1 include:loop.test'] },
      'many.test': { MX: Array.from({ length: 11 }, (_, n) => `mx${n}.test`) },
    };
    expect(await ask(record, zone)).toMatchObject({ result: 'permerror', problem, at });
  });

  it('stops at the tenth lookup, and knows when DNS does not answer', async () => {
    const others = (count: number) => Array.from({ length: count }, () => 'a:h.test').join(' ');
    const zone: Zone = { 'h.test': { A: ['192.0.2.200'] }, 'silent.test': 'TIMEOUT' };
    expect(await ask(`v=spf1 ${others(10)} ip4:192.0.2.7 -all`, zone)).toMatchObject({
      result: 'pass',
      lookups: 10,
    });
    expect(await result(`v=spf1 ${others(11)} ip4:192.0.2.7 -all`, zone)).toBe('permerror');
    expect(await ask('v=spf1 include:silent.test -all', zone)).toMatchObject({
      result: 'temperror',
      at: 'silent.test',
    });
  });
});

/** Records over a few names, which lead to each other, to addresses, and nowhere. */
const names = ['n0.test', 'n1.test', 'n2.test', 'n3.test', 'gone.test'];
const aName = fc.constantFrom(...names);
const anAddress = fc.constantFrom('192.0.2.7', '192.0.2.8', '198.51.100.1');
const aTerm = fc.oneof(
  fc
    .tuple(fc.constantFrom('', '-', '~', '?'), fc.constantFrom('include', 'a', 'mx', 'exists'), aName)
    .map(([q, m, n]) => `${q}${m}:${n}`),
  fc
    .tuple(fc.constantFrom('', '-'), anAddress, fc.constantFrom('', '/24', '/32'))
    .map(([q, a, bits]) => `${q}ip4:${a}${bits}`),
  fc.constantFrom('a', 'mx', '-all', '~all', '?all', 'nonsense:x'),
  aName.map((name) => `redirect=${name}`),
);
const aRecord = fc.array(aTerm, { maxLength: 5 }).map((terms) => `v=spf1 ${terms.join(' ')}`.trim());
const aHost = fc.record({
  TXT: fc.array(aRecord, { maxLength: 2 }),
  A: fc.array(anAddress, { maxLength: 2 }),
  // No more: mailauth minds three mail hosts without an address, where the RFC counts terms.
  MX: fc.array(aName, { maxLength: 2 }),
});
const aZone = fc.tuple(aHost, aHost, aHost, aHost);

/** Two redirects make a record malformed for us (RFC 7208, 6), and are taken as they come by mailauth. */
const isAmbiguous = (zone: Zone) =>
  Object.values(zone).some(
    (one) => one !== 'TIMEOUT' && one.TXT?.some((text) => text.split('redirect=').length > 2),
  );

describe('checked against another program', () => {
  it('comes to the same result, whatever the records', async () => {
    await fc.assert(
      fc.asyncProperty(aZone, async (hosts) => {
        const zone: Zone = Object.fromEntries(hosts.map((host, n) => [`n${n}.test`, host]));
        fc.pre(!isAmbiguous(zone));
        const ours = await checkHost(asking(zone), {
          address: '192.0.2.7',
          domain: 'n0.test',
          sender: 'postmaster@n0.test',
          helo: 'n0.test',
        });
        const theirs = await spf({
          sender: 'postmaster@n0.test',
          ip: '192.0.2.7',
          helo: 'n0.test',
          mta: 'mx.test',
          resolver: asMailauth(zone),
        });
        expect(ours.result).toBe(theirs.status.result);
      }),
      { numRuns: 500 },
    );
  });
});

function asMailauth(zone: Zone) {
  return async (name: string, type: string): Promise<never> => {
    const entry = zone[name];
    const records =
      (entry === undefined || entry === 'TIMEOUT' ? undefined : entry[type as keyof Records]) ?? [];
    if (records.length === 0)
      throw Object.assign(new Error('none'), { code: entry === undefined ? 'ENOTFOUND' : 'ENODATA' });
    const shaped = { TXT: (one: string) => [one], MX: (exchange: string) => ({ exchange, priority: 10 }) }[
      type
    ];
    return records.map((one) => shaped?.(one) ?? one) as never;
  };
}
