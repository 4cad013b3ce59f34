import { afterEach, describe, expect, it } from 'vitest';
import { type DnsZone, type DnsZoneServer, startDnsZone } from '../../../test/support/dns-zone.ts';
import { systemClock } from '../../runtime/clock.ts';
import { createResolver, Lookups, MAX_AT_ONCE, type Resolver, type ResolverOptions } from './resolver.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const open: { stop(): Promise<void> | void }[] = [];

afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.stop();
});

interface Fixture {
  readonly dns: DnsZoneServer;
  readonly resolver: Resolver;
  pass(ms: number): void;
}

async function fixture(zone: DnsZone, options: Partial<ResolverOptions> = {}): Promise<Fixture> {
  const dns = await startDnsZone(zone);
  let nowMs = 1_700_000_000_000;
  const resolver = createResolver({
    servers: [dns.address],
    clock: { nowMs: () => nowMs },
    timeoutMs: 2000,
    tries: 1,
    ...options,
  });
  open.push(dns, { stop: () => resolver.close() });
  return {
    dns,
    resolver,
    pass: (ms) => {
      nowMs += ms;
    },
  };
}

describe('an answer', () => {
  it('lists MX records with their preference', async () => {
    const { resolver } = await fixture({
      'example.org': {
        MX: [
          [20, 'Backup.Example.org'],
          [10, 'mx.example.org'],
        ],
      },
    });
    const answer = await resolver.mx('example.org');
    expect(answer).toEqual({
      kind: 'found',
      records: expect.arrayContaining([
        { priority: 10, exchange: 'mx.example.org' },
        { priority: 20, exchange: 'backup.example.org' },
      ]),
    });
  });

  it('shows a null MX as a record with an empty exchange', async () => {
    const { resolver } = await fixture({ 'example.org': { MX: [[0, '.']] } });
    expect(await resolver.mx('example.org')).toEqual({
      kind: 'found',
      records: [{ priority: 0, exchange: '' }],
    });
  });

  it('tells a name without such records from one that does not exist', async () => {
    const { resolver } = await fixture({ 'example.org': { A: ['192.0.2.1'] } });
    expect(await resolver.mx('example.org')).toEqual({ kind: 'none' });
    expect(await resolver.mx('nowhere.example')).toEqual({ kind: 'nxdomain' });
  });

  it.each([
    ['SERVFAIL', 'ESERVFAIL'],
    ['REFUSED', 'EREFUSED'],
    ['NOTIMP', 'ENOTIMP'],
    ['FORMERR', 'EFORMERR'],
  ] as const)('is unavailable on %s', async (failure, code) => {
    const { resolver } = await fixture({ 'example.org': failure });
    expect(await resolver.mx('example.org')).toEqual({ kind: 'unavailable', code });
  });

  it('is unavailable when nobody answers', async () => {
    const { resolver } = await fixture({ 'example.org': 'TIMEOUT' }, { timeoutMs: 100 });
    expect(await resolver.a('example.org')).toEqual({ kind: 'unavailable', code: 'ETIMEOUT' });
  });

  it('is unavailable when nothing listens there', async () => {
    const { dns, resolver } = await fixture({});
    await dns.stop();
    open.shift();
    expect(await resolver.a('example.org')).toMatchObject({ kind: 'unavailable' });
  });

  it('fails for one type without failing for another', async () => {
    const { resolver } = await fixture({ 'example.org': { MX: 'SERVFAIL', A: ['192.0.2.1'] } });
    expect(await resolver.mx('example.org')).toMatchObject({ kind: 'unavailable' });
    expect(await resolver.a('example.org')).toEqual({ kind: 'found', records: ['192.0.2.1'] });
  });

  it('follows a CNAME', async () => {
    const { resolver } = await fixture({
      'www.example.org': { CNAME: 'host.example.net' },
      'host.example.net': { A: ['192.0.2.7'] },
    });
    expect(await resolver.a('www.example.org')).toEqual({ kind: 'found', records: ['192.0.2.7'] });
  });

  it('joins the strings of one TXT record and keeps records apart', async () => {
    const { resolver } = await fixture({
      'example.org': { TXT: [['v=DKIM1; k=rsa; ', 'p=AB', 'CD'], 'other'] },
    });
    expect(await resolver.txt('example.org')).toEqual({
      kind: 'found',
      records: ['v=DKIM1; k=rsa; p=ABCD', 'other'],
    });
  });

  it('comes over TCP when it does not fit into a datagram', async () => {
    const long = 'x'.repeat(4000);
    const { dns, resolver } = await fixture({ 'example.org': { TXT: [long] } });
    expect(await resolver.txt('example.org')).toEqual({ kind: 'found', records: [long] });
    expect(dns.queries.map((query) => query.transport)).toEqual(['udp', 'tcp']);
  });

  it('is asked for again after a lost datagram', async () => {
    const { dns, resolver } = await fixture({ 'example.org': 'TIMEOUT' }, { timeoutMs: 200, tries: 3 });
    const answer = resolver.a('example.org');
    await dns.asked('example.org');
    dns.set('example.org', { A: ['192.0.2.1'] });
    expect(await answer).toEqual({ kind: 'found', records: ['192.0.2.1'] });
  });

  it('is the same for every spelling of the name', async () => {
    const { dns, resolver } = await fixture({ 'xn--bcher-kva.example': { A: ['192.0.2.1'] } });
    for (const name of ['bücher.example', 'BÜCHER.example.', 'XN--bcher-kva.EXAMPLE']) {
      expect(await resolver.a(name)).toEqual({ kind: 'found', records: ['192.0.2.1'] });
    }
    expect(dns.queries).toHaveLength(1);
  });

  it.each(['', 'a..b', `${'x'.repeat(64)}.org`, 'x\0.org'])(
    'for %j, which no name can be, is given without asking',
    async (name) => {
      const { dns, resolver } = await fixture({ x: { A: ['192.0.2.1'] } });
      expect(await resolver.a(name)).toEqual({ kind: 'nxdomain' });
      expect(dns.queries).toEqual([]);
    },
  );
});

describe('the addresses of a name', () => {
  it.each([
    ['both families', { A: ['192.0.2.1'], AAAA: ['2001:db8::1'] }, ['192.0.2.1', '2001:db8::1']],
    ['IPv6 only', { AAAA: ['2001:db8::1'] }, ['2001:db8::1']],
    ['one family while the other fails', { A: 'SERVFAIL', AAAA: ['2001:db8::1'] }, ['2001:db8::1']],
  ] as const)('are found with %s', async (_what, records, found) => {
    const { resolver } = await fixture({ 'example.org': records });
    expect(await resolver.addresses('example.org')).toEqual({ kind: 'found', records: found });
  });

  it.each([
    ['nothing', {}, 'none'],
    ['nothing and a failure', { AAAA: 'SERVFAIL' }, 'unavailable'],
    ['a failure and nothing', { A: 'SERVFAIL' }, 'unavailable'],
    ['one family that says the name does not exist', { A: 'NXDOMAIN' }, 'none'],
    ['no such name', 'NXDOMAIN', 'nxdomain'],
  ] as const)('are not found with %s', async (_what, records, kind) => {
    const { resolver } = await fixture({ 'example.org': records });
    expect((await resolver.addresses('example.org')).kind).toBe(kind);
  });
});

describe('the cache', () => {
  it('asks once for many who wait for the same', async () => {
    const { dns, resolver } = await fixture({ 'example.org': { MX: [[10, 'mx.example.org']] } });
    const answers = await Promise.all(Array.from({ length: 50 }, () => resolver.mx('example.org')));
    expect(new Set(answers.map((answer) => answer.kind))).toEqual(new Set(['found']));
    expect(dns.count('example.org', 'MX')).toBe(1);
  });

  it('keeps addresses for their TTL', async () => {
    const { dns, resolver, pass } = await fixture({ 'example.org': { A: ['192.0.2.1'], ttl: 30 } });
    await resolver.a('example.org');
    dns.set('example.org', { A: ['192.0.2.2'] });
    pass(29 * SECOND);
    expect(await resolver.a('example.org')).toMatchObject({ records: ['192.0.2.1'] });
    pass(SECOND);
    expect(await resolver.a('example.org')).toMatchObject({ records: ['192.0.2.2'] });
  });

  it('asks again for what is in use before it is too old, and nobody waits for that', async () => {
    const { dns, resolver, pass } = await fixture({ 'example.org': { A: ['192.0.2.1'], ttl: 100 } });
    await resolver.a('example.org');
    dns.set('example.org', { A: ['192.0.2.2'] });
    pass(81 * SECOND);
    expect(await resolver.a('example.org')).toMatchObject({ records: ['192.0.2.1'] });
    await expect.poll(() => resolver.a('example.org')).toMatchObject({ records: ['192.0.2.2'] });
    expect(dns.queries).toHaveLength(2);
  });

  it('keeps nothing longer than an hour', async () => {
    const { dns, resolver, pass } = await fixture({ 'example.org': { A: ['192.0.2.1'], ttl: 86_400 } });
    await resolver.a('example.org');
    pass(0.8 * HOUR - 1);
    await resolver.a('example.org');
    expect(dns.queries).toHaveLength(1);
    pass(0.2 * HOUR + 1);
    await resolver.a('example.org');
    expect(dns.queries).toHaveLength(2);
  });

  it('keeps an answer without a lifetime for a few seconds all the same', async () => {
    const { dns, resolver, pass } = await fixture({ 'example.org': { A: ['192.0.2.1'], ttl: 0 } });
    await resolver.a('example.org');
    await resolver.a('example.org');
    expect(dns.queries).toHaveLength(1);
    pass(5 * SECOND);
    await resolver.a('example.org');
    expect(dns.queries).toHaveLength(2);
  });

  it('keeps MX and TXT records for five minutes', async () => {
    const { dns, resolver, pass } = await fixture({
      'example.org': { MX: [[1, 'a.example']], TXT: ['x'], ttl: 9999 },
    });
    const both = () => Promise.all([resolver.mx('example.org'), resolver.txt('example.org')]);
    await both();
    pass(4 * MINUTE - 1);
    await both();
    expect(dns.queries).toHaveLength(2);
    pass(MINUTE + 1);
    await both();
    expect(dns.queries).toHaveLength(4);
  });

  it.each([
    ['a name that does not exist', 'NXDOMAIN'],
    ['a name without records', 'NODATA'],
  ] as const)('keeps %s for a minute', async (_what, failure) => {
    const { dns, resolver, pass } = await fixture({ 'example.org': failure });
    await resolver.mx('example.org');
    dns.set('example.org', { MX: [[10, 'mx.example.org']] });
    pass(MINUTE - 1);
    expect((await resolver.mx('example.org')).kind).not.toBe('found');
    pass(1);
    expect((await resolver.mx('example.org')).kind).toBe('found');
  });

  it('asks again thirty seconds after a failure, not sooner', async () => {
    const { dns, resolver, pass } = await fixture({ 'example.org': 'SERVFAIL' });
    await resolver.mx('example.org');
    const asked = dns.queries.length;
    pass(30 * SECOND - 1);
    await resolver.mx('example.org');
    expect(dns.queries).toHaveLength(asked);
    dns.set('example.org', { MX: [[10, 'mx.example.org']] });
    pass(1);
    expect((await resolver.mx('example.org')).kind).toBe('found');
  });

  it('serves the last good answer while DNS is down, for six hours', async () => {
    const { dns, resolver, pass } = await fixture({ 'example.org': { MX: [[10, 'mx.example.org']] } });
    const good = await resolver.mx('example.org');
    dns.set('example.org', 'SERVFAIL');
    pass(5 * MINUTE);
    expect(await resolver.mx('example.org')).toEqual(good);
    pass(6 * HOUR - 1);
    expect(await resolver.mx('example.org')).toEqual(good);
    pass(1);
    expect(await resolver.mx('example.org')).toMatchObject({ kind: 'unavailable' });
  });

  it('does not ask at every call while it serves a stale answer', async () => {
    const { dns, resolver, pass } = await fixture({ 'example.org': { MX: [[10, 'mx.example.org']] } });
    await resolver.mx('example.org');
    dns.set('example.org', 'SERVFAIL');
    pass(HOUR);
    await resolver.mx('example.org');
    const asked = dns.queries.length;
    await resolver.mx('example.org');
    expect(dns.queries).toHaveLength(asked);
    dns.set('example.org', { MX: [[10, 'new.example.org']] });
    pass(30 * SECOND);
    expect(await resolver.mx('example.org')).toMatchObject({ records: [{ exchange: 'new.example.org' }] });
  });

  it('never serves a stale no', async () => {
    const { dns, resolver, pass } = await fixture({ 'example.org': 'NXDOMAIN' });
    await resolver.mx('example.org');
    dns.set('example.org', 'SERVFAIL');
    pass(MINUTE);
    expect(await resolver.mx('example.org')).toMatchObject({ kind: 'unavailable' });
  });

  it('believes a new no over an old yes', async () => {
    const { dns, resolver, pass } = await fixture({ 'example.org': { MX: [[10, 'mx.example.org']] } });
    await resolver.mx('example.org');
    dns.remove('example.org');
    pass(5 * MINUTE);
    expect(await resolver.mx('example.org')).toEqual({ kind: 'nxdomain' });
  });

  it('forgets what was not used for longest when it is full', async () => {
    const zone = Object.fromEntries(['a', 'b', 'c'].map((name) => [name, { A: ['192.0.2.1'] }]));
    const { dns, resolver } = await fixture(zone, { maxEntries: 2 });
    for (const name of ['a', 'b', 'a', 'c', 'a', 'b']) await resolver.a(name);
    expect(dns.queries.map((query) => query.name)).toEqual(['a', 'b', 'c', 'b']);
  });
});

describe('a fresh lookup', () => {
  it('passes the cache by and refreshes it', async () => {
    const { dns, resolver } = await fixture({ 'example.org': { TXT: ['old'] } });
    await resolver.txt('example.org');
    dns.set('example.org', { TXT: ['new'] });
    expect(await resolver.txt('example.org')).toMatchObject({ records: ['old'] });
    expect(await resolver.txt('example.org', { fresh: true })).toMatchObject({ records: ['new'] });
    expect(await resolver.txt('example.org')).toMatchObject({ records: ['new'] });
  });

  it('says that DNS is down rather than serve a stale answer, and leaves that answer to others', async () => {
    const { dns, resolver, pass } = await fixture({ 'example.org': { TXT: ['old'] } });
    await resolver.txt('example.org');
    dns.set('example.org', 'SERVFAIL');
    pass(HOUR);
    expect(await resolver.txt('example.org', { fresh: true })).toMatchObject({ kind: 'unavailable' });
    expect(await resolver.txt('example.org')).toMatchObject({ records: ['old'] });
  });

  it('does not join a lookup that began before it, nor lets that one overwrite what it learned', async () => {
    const { dns, resolver, pass } = await fixture({ 'example.org': { TXT: ['old'] } });
    dns.hold();
    const before = resolver.txt('example.org');
    await dns.asked('example.org');
    dns.set('example.org', { TXT: ['new'] });
    pass(1);
    const fresh = resolver.txt('example.org', { fresh: true });
    await dns.asked('example.org', 2);
    dns.release('newest first');
    expect(await fresh).toMatchObject({ records: ['new'] });
    expect(await before).toMatchObject({ records: ['old'] });
    expect(await resolver.txt('example.org')).toMatchObject({ records: ['new'] });
  });
});

describe('the deadline', () => {
  it('ends the wait but not the lookup, whose answer is cached', async () => {
    const { dns, resolver } = await fixture({ 'example.org': { A: ['192.0.2.1'] } }, { timeoutMs: 20_000 });
    dns.hold();
    expect(await resolver.a('example.org', { deadlineMs: 20 })).toEqual({
      kind: 'unavailable',
      code: 'ETIMEOUT',
    });
    const patient = resolver.a('example.org');
    dns.release();
    expect(await patient).toEqual({ kind: 'found', records: ['192.0.2.1'] });
    expect(dns.queries).toHaveLength(1);
  });

  it('falls back on a stale answer', async () => {
    const { dns, resolver, pass } = await fixture(
      { 'example.org': { A: ['192.0.2.1'], ttl: 30 } },
      { timeoutMs: 20_000, deadlineMs: 20 },
    );
    await resolver.a('example.org', { deadlineMs: 5000 });
    dns.set('example.org', 'TIMEOUT');
    pass(HOUR);
    expect(await resolver.a('example.org')).toEqual({ kind: 'found', records: ['192.0.2.1'] });
  });

  it('holds however many tries are left', async () => {
    const { resolver } = await fixture(
      { 'example.org': 'TIMEOUT' },
      { timeoutMs: 5000, tries: 4, deadlineMs: 50 },
    );
    const started = performance.now();
    expect(await resolver.a('example.org')).toEqual({ kind: 'unavailable', code: 'ETIMEOUT' });
    expect(performance.now() - started).toBeLessThan(4000);
  });
});

describe('the deadline of the resolver', () => {
  /** More than leave at once, so that most wait for their turn. */
  const NAMES = Array.from({ length: 6 * MAX_AT_ONCE }, (_, i) => `d${i}.example.org`);
  const ZONE = Object.fromEntries(NAMES.map((name) => [name, { A: ['192.0.2.1'] }]));

  it('does not count the time in which the process is paused', async () => {
    const { resolver } = await fixture(ZONE, { timeoutMs: 20_000, deadlineMs: 1_000 });
    const lookups = NAMES.map((name) => resolver.a(name));
    // The loop is blocked, as it is while the machine runs something else.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500);
    const kinds = (await Promise.all(lookups)).map(({ kind }) => kind);
    expect(new Set(kinds)).toEqual(new Set(['found']));
  });

  it('is not over when c-ares gives up: the question is asked again', async () => {
    const options = { timeoutMs: 100, tries: 1, deadlineMs: 60_000 };
    const { dns, resolver } = await fixture({ 'slow.example.org': 'TIMEOUT' }, options);
    const answer = resolver.a('slow.example.org');
    await dns.asked('slow.example.org', 2);
    dns.set('slow.example.org', { A: ['192.0.2.1'] });
    expect(await answer).toEqual({ kind: 'found', records: ['192.0.2.1'] });
  });

  it('ends a lookup that never ends itself, so that the next one asks again', async () => {
    const lookups = new Lookups({ clock: systemClock, deadlineMs: 50 });
    let asked = 0;
    const neverAnswered = () => {
      asked += 1;
      return new Promise<never>(() => undefined);
    };
    expect(await lookups.run('A', 'example.org', neverAnswered)).toMatchObject({ kind: 'unavailable' });
    await lookups.run('A', 'example.org', neverAnswered);
    expect(asked).toBe(2);
  });

  it('begins when the question leaves', async () => {
    const { dns, resolver } = await fixture(ZONE, { timeoutMs: 20_000, deadlineMs: 1_000 });
    dns.hold();
    const answers = Promise.all(NAMES.map((name) => resolver.a(name)));
    const last = NAMES.at(-1) ?? '';
    await dns.asked(last);
    dns.release('newest first');
    expect((await answers).at(-1)).toEqual({ kind: 'found', records: ['192.0.2.1'] });
  });
});

describe('closing', () => {
  it('lets those who wait go at once', async () => {
    const { dns, resolver } = await fixture(
      { 'example.org': 'TIMEOUT' },
      { timeoutMs: 20_000, deadlineMs: 20_000 },
    );
    const waiting = resolver.a('example.org');
    await dns.asked('example.org');
    resolver.close();
    expect(await waiting).toEqual({ kind: 'unavailable', code: 'ECANCELLED' });
  });
});
