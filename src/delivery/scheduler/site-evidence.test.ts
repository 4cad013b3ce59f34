import { describe, expect, it } from 'vitest';
import { countsAgainst, HEARD_FOR_MS, hear, NOBODY, type Strangers } from './site-evidence.ts';

const stranger = (domain: string) => ({ domain, deliveredTo: false, siteDelivers: false });
const heardOf = (domains: readonly string[], nowMs = 0): Strangers =>
  domains.reduce((heard, domain) => hear(heard, domain, nowMs), NOBODY);

describe('a failure counts against the site', () => {
  it('at once, where the site took mail for the domain before', () => {
    const known = { ...stranger('known.test'), deliveredTo: true, siteDelivers: true };
    expect(countsAgainst(known, NOBODY)).toBe('site');
  });

  it('from the third stranger on, where it has taken nobody’s mail', () => {
    expect(countsAgainst(stranger('b.test'), heardOf(['a.test', 'b.test']))).toBe('domain');
    expect(countsAgainst(stranger('c.test'), heardOf(['a.test', 'b.test', 'c.test']))).toBe('site');
  });

  it('never on the word of strangers, however many, where it takes mail of others', () => {
    const many = heardOf(Array.from({ length: 10 }, (_, i) => `hostile${i}.test`));
    expect(countsAgainst({ ...stranger('hostile9.test'), siteDelivers: true }, many)).toBe('domain');
  });
});

describe('what strangers said', () => {
  it('counts once for each, however often it is said', () => {
    expect(heardOf(['a.test', 'a.test', 'a.test']).size).toBe(1);
  });

  it('is forgotten after a while', () => {
    const old = heardOf(['a.test', 'b.test']);
    expect([...hear(old, 'c.test', HEARD_FOR_MS).keys()]).toEqual(['c.test']);
  });

  it('stays small', () => {
    const heard = heardOf(Array.from({ length: 100 }, (_, i) => `d${i}.test`));
    expect([heard.size, heard.has('d99.test'), heard.has('d0.test')]).toEqual([8, true, false]);
  });
});
