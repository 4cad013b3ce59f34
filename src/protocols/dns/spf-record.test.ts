import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSpfRecord, looksLikeSpf, type Mechanism, parseSpf } from './spf-record.ts';

function mechanismsOf(text: string): readonly Mechanism[] {
  const parsed = parseSpf(text);
  if (!parsed.ok) throw new Error(`${parsed.term}: ${parsed.problem}`);
  return parsed.record.mechanisms;
}

describe('what counts as an SPF record', () => {
  it.each(['v=spf1', 'v=spf1 -all', 'V=SPF1 -all', 'v=spf1   -all'])('%s does', (text) => {
    expect(isSpfRecord(text)).toBe(true);
  });

  it.each(['v=spf10 -all', 'v=spf2.0/pra -all', ' v=spf1 -all', '"v=spf1 -all"', 'v=spf1;-all', 'v = spf1'])(
    '%s does not',
    (text) => {
      expect(isSpfRecord(text)).toBe(false);
    },
  );

  it.each([' v=spf1 -all', '"v=spf1 -all"', 'v = spf1 -all', 'v=spf1;-all'])(
    '%s was meant as one',
    (text) => {
      expect(looksLikeSpf(text)).toBe(true);
    },
  );
});

describe('reading an SPF record', () => {
  it('takes mechanisms with their signs, names in canonical form', () => {
    const read = mechanismsOf('v=spf1  a  mx/24 +include:Mail.Example.ORG. ?exists:%{i}.example -ALL ');
    expect(read.map(({ name, qualifier, domain, text }) => ({ name, qualifier, domain, text }))).toEqual([
      { name: 'a', qualifier: '+', domain: null, text: 'a' },
      { name: 'mx', qualifier: '+', domain: null, text: 'mx/24' },
      { name: 'include', qualifier: '+', domain: 'mail.example.org', text: '+include:Mail.Example.ORG.' },
      { name: 'exists', qualifier: '?', domain: null, text: '?exists:%{i}.example' },
      { name: 'all', qualifier: '-', domain: null, text: '-ALL' },
    ]);
  });

  it('takes redirect, and ignores modifiers it does not know', () => {
    const parsed = parseSpf('v=spf1 redirect=_spf.example.org moo=quark exp=e.example.org');
    expect(parsed).toEqual({
      ok: true,
      record: { mechanisms: [], redirect: '_spf.example.org', redirectSpec: '_spf.example.org' },
    });
  });

  it.each([
    'a:h.example/24//64',
    'a//64',
    'mx:h.example',
    'ptr',
    'ptr:h.example',
    'ip4:192.0.2.0/24',
    'ip6:::1/128',
  ])('%s is allowed', (term) => {
    expect(mechanismsOf(`v=spf1 ${term}`)).toHaveLength(1);
  });

  it.each([
    ['incldue:h.example', 'SPF has no such mechanism'],
    ['include', 'it does not name a domain'],
    ['include:', 'it does not name a domain'],
    ['include:a..b', 'it does not name a domain'],
    ['include:%(d)', 'it does not name a domain'],
    ['redirect=', 'it does not name a domain'],
    ['all:x', 'nothing may follow all'],
    ['a/33', 'its network is too long'],
    ['a//129', 'its network is too long'],
    ['ip4:192.0.2.300', 'it does not name an IPv4 address or network'],
    ['ip4:192.0.2.0/33', 'it does not name an IPv4 address or network'],
    ['ip4', 'it does not name an IPv4 address or network'],
    ['ip6:192.0.2.1', 'it does not name an IPv6 address or network'],
    ['-', 'SPF has no such mechanism'],
    ['\u00e9', 'SPF has no such mechanism'],
  ])('%s is refused: %s', (term, problem) => {
    expect(parseSpf(`v=spf1 a ${term} -all`)).toEqual({ ok: false, term, problem });
  });

  it('refuses a second redirect', () => {
    const term = 'redirect=b.example';
    expect(parseSpf(`v=spf1 redirect=a.example ${term}`)).toEqual({
      ok: false,
      term,
      problem: 'a record may have only one redirect=',
    });
  });

  it('never throws, whatever it is given', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void parseSpf(`v=spf1 ${text}`)));
  });

  it('gives back the mechanisms it was written from', () => {
    const mechanism = fc.record({
      qualifier: fc.constantFrom('', '+', '-', '~', '?'),
      name: fc.constantFrom('include', 'exists', 'ptr', 'a', 'mx'),
      domain: fc.domain(),
    });
    fc.assert(
      fc.property(fc.array(mechanism), fc.constantFrom(' ', '   '), (given, space) => {
        const text = ['v=spf1', ...given.map((m) => `${m.qualifier}${m.name}:${m.domain}`)].join(space);
        const read = mechanismsOf(text).map(({ qualifier, name, domain }) => ({ qualifier, name, domain }));
        expect(read).toEqual(
          given.map((m) => ({ ...m, qualifier: m.qualifier || '+', domain: m.domain.toLowerCase() })),
        );
      }),
    );
  });
});
