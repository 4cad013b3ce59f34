import { describe, expect, it } from 'vitest';
import type { Answer } from '../protocols/dns/answer.ts';
import { evaluateSpf, type LookUpTxt } from './spf.ts';

const HOST = 'mail.host.test';
const DOMAIN = 'example.org';

type Zone = Readonly<Record<string, string | readonly string[] | 'TIMEOUT'>>;

function lookUpIn(zone: Zone): LookUpTxt {
  return async (name): Promise<Answer<string>> => {
    const entry = { [HOST]: 'v=spf1 a -all', ...zone }[name];
    if (entry === undefined) return { kind: 'nxdomain' };
    if (entry === 'TIMEOUT') return { kind: 'unavailable', code: 'ETIMEOUT' };
    return { kind: 'found', records: [entry].flat() };
  };
}

const judge = (record: string | readonly string[], zone: Zone = {}) =>
  evaluateSpf(lookUpIn({ ...zone, [DOMAIN]: record }), DOMAIN, HOST);

describe('a record that lets our host send', () => {
  it.each([
    ['includes it', `v=spf1 include:${HOST} ~all`, {}],
    ['includes it in capitals, with a dot at the end', 'V=SPF1  +INCLUDE:Mail.Host.Test.  -ALL', {}],
    ['includes it after others', `v=spf1 a mx ip4:192.0.2.1 include:${HOST} -all`, {}],
    [
      'includes one that includes it',
      'v=spf1 include:a.test -all',
      { 'a.test': `v=spf1 include:${HOST} -all` },
    ],
    ['redirects to it', `v=spf1 redirect=${HOST}`, {}],
    [
      'redirects to one that includes it',
      'v=spf1 redirect=a.test',
      { 'a.test': `v=spf1 include:${HOST} -all` },
    ],
    [
      'includes it after one that says no',
      `v=spf1 include:a.test include:${HOST} -all`,
      { 'a.test': `v=spf1 ?include:${HOST} -all` },
    ],
    ['stands beside other TXT records', ['google-site-verification=x', `v=spf1 include:${HOST} ~all`], {}],
    ['includes it before one that is broken', `v=spf1 include:${HOST} include:gone.test -all`, {}],
  ] as const)('%s', async (_what, record, zone) => {
    expect((await judge(record, zone)).kind).toBe('pass');
  });

  it('is our own when the domain is the host', async () => {
    const own = (record: string) => evaluateSpf(lookUpIn({ [HOST]: record }), HOST, HOST);
    expect((await own('v=spf1 a mx -all')).kind).toBe('pass');
    expect((await own('v=spf1 -a ip4:192.0.2.1 -all')).kind).toBe('pass');
    expect((await own('v=spf1 -all')).kind).toBe('not_included');
    expect(await own(`v=spf1 include:${HOST} -all`)).toMatchObject({
      kind: 'broken_include',
      problem: 'loop',
    });
  });
});

describe('a record that does not', () => {
  it('is missing', async () => {
    expect(await evaluateSpf(lookUpIn({}), DOMAIN, HOST)).toEqual({ kind: 'missing', lookalikes: [] });
    expect(await judge(['hello'])).toEqual({ kind: 'missing', lookalikes: [] });
  });

  it('is quoted twice', async () => {
    const quoted = `"v=spf1 include:${HOST} ~all"`;
    expect(await judge(quoted)).toEqual({ kind: 'missing', lookalikes: [quoted] });
  });

  it('is one of two', async () => {
    const records = [`v=spf1 include:${HOST} ~all`, 'v=spf1 -all'];
    expect(await judge(records)).toEqual({ kind: 'several', records });
  });

  it('has an error after our include', async () => {
    const record = `v=spf1 include:${HOST} inlcude:x.test ~all`;
    expect(await judge(record)).toMatchObject({ kind: 'malformed', term: 'inlcude:x.test' });
  });

  it.each([
    'v=spf1 -all',
    'v=spf1 +all',
    'v=spf1',
    `v=spf1 a:${HOST} -all`,
    'v=spf1 include:%{d}.x.test -all',
  ])('does not include us: %s', async (record) => {
    expect(await judge(record)).toEqual({ kind: 'not_included', record, hiddenBehind: null });
  });

  it('has our include after the term that ends the evaluation', async () => {
    expect(await judge(`v=spf1 ~all include:${HOST}`)).toMatchObject({ hiddenBehind: '~all' });
  });

  it('has a redirect that an `all` overrides', async () => {
    expect((await judge(`v=spf1 -all redirect=${HOST}`)).kind).toBe('not_included');
  });

  it.each(['-', '~', '?'])('includes us with %s in front', async (sign) => {
    const verdict = await judge(`v=spf1 ${sign}include:${HOST} -all`);
    expect(verdict).toMatchObject({ kind: 'refused', at: DOMAIN, term: `${sign}include:${HOST}` });
  });

  it('includes us through a record that is itself included with a sign', async () => {
    const zone = { 'a.test': `v=spf1 include:${HOST} -all` };
    expect(await judge('v=spf1 ~include:a.test -all', zone)).toMatchObject({
      at: DOMAIN,
      term: '~include:a.test',
    });
  });

  it.each([
    ['missing', 'just text'],
    ['several', ['v=spf1 -all', 'v=spf1 ~all']],
    ['malformed', 'v=spf1 foo'],
  ] as const)('includes one whose record is %s before ours', async (problem, record) => {
    const verdict = await judge(`v=spf1 include:a.test include:${HOST} -all`, { 'a.test': record });
    expect(verdict).toMatchObject({ kind: 'broken_include', at: 'a.test', problem });
  });

  it('includes itself', async () => {
    const zone = { 'a.test': 'v=spf1 include:b.test', 'b.test': 'v=spf1 redirect=a.test' };
    const verdict = await judge(`v=spf1 include:a.test include:${HOST}`, zone);
    expect(verdict).toMatchObject({ kind: 'broken_include', at: 'a.test', problem: 'loop' });
  });

  it('depends on a name for which DNS gives no answer', async () => {
    const verdict = await judge(`v=spf1 include:a.test include:${HOST}`, { 'a.test': 'TIMEOUT' });
    expect(verdict).toEqual({ kind: 'unavailable', at: 'a.test', code: 'ETIMEOUT' });
  });
});

describe('the limit of ten lookups', () => {
  const others = (count: number) => Array.from({ length: count }, (_, n) => `a:h${n}.test`).join(' ');

  it('counts lookups before our include, our include, and lookups of our host', async () => {
    expect((await judge(`v=spf1 ${others(8)} include:${HOST} -all`)).kind).toBe('pass');
    expect((await judge(`v=spf1 ${others(9)} include:${HOST} -all`)).kind).toBe('too_many_lookups');
  });

  it('does not count addresses, nor terms after our include', async () => {
    const addresses = 'ip4:192.0.2.1 '.repeat(20);
    expect((await judge(`v=spf1 ${addresses} include:${HOST} ${others(20)} -all`)).kind).toBe('pass');
  });

  it('is shared by nested records', async () => {
    const zone = { 'a.test': `v=spf1 ${others(4)} -all`, 'b.test': `v=spf1 ${others(4)} -all` };
    const record = `v=spf1 include:a.test include:b.test include:${HOST} -all`;
    expect((await judge(record, zone)).kind).toBe('too_many_lookups');
  });

  it('counts a redirect', async () => {
    expect((await judge(`v=spf1 ${others(9)} redirect=${HOST}`)).kind).toBe('too_many_lookups');
  });

  it('ends the evaluation of an endless chain', async () => {
    const chain = Object.fromEntries(
      Array.from({ length: 30 }, (_, n) => [`c${n}.test`, `v=spf1 include:c${n + 1}.test -all`]),
    );
    expect((await judge('v=spf1 include:c0.test -all', chain)).kind).toBe('too_many_lookups');
  });
});
