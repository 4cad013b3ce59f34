import { describe, expect, it } from 'vitest';
import {
  countsAgainst,
  FAILURE_REMEMBERED_MS,
  type FailedDomains,
  NONE,
  withFailure,
} from './site-evidence.ts';

const unverified = (domain: string) => ({ domain, deliveredTo: false, siteDelivers: false });
const failuresOf = (domains: readonly string[], nowMs = 0): FailedDomains =>
  domains.reduce((failed, domain) => withFailure(failed, domain, nowMs), NONE);

describe('a failure counts against the site', () => {
  it('at once if the site has accepted mail for the domain before', () => {
    const known = { ...unverified('known.test'), deliveredTo: true, siteDelivers: true };
    expect(countsAgainst(known, NONE)).toBe('site');
  });

  it('from the third unverified domain on if the site has accepted no mail', () => {
    expect(countsAgainst(unverified('b.test'), failuresOf(['a.test', 'b.test']))).toBe('domain');
    expect(countsAgainst(unverified('c.test'), failuresOf(['a.test', 'b.test', 'c.test']))).toBe('site');
  });

  it('never if the domain is unverified and the site accepts mail for other domains', () => {
    const many = failuresOf(Array.from({ length: 10 }, (_, i) => `hostile${i}.test`));
    expect(countsAgainst({ ...unverified('hostile9.test'), siteDelivers: true }, many)).toBe('domain');
  });
});

describe('a failure of an unverified domain', () => {
  it('counts once for each domain, however often it is repeated', () => {
    expect(failuresOf(['a.test', 'a.test', 'a.test']).size).toBe(1);
  });

  it('is forgotten after 30 minutes', () => {
    const old = failuresOf(['a.test', 'b.test']);
    expect([...withFailure(old, 'c.test', FAILURE_REMEMBERED_MS).keys()]).toEqual(['c.test']);
  });

  it('is kept for a bounded number of domains', () => {
    const failed = failuresOf(Array.from({ length: 100 }, (_, i) => `d${i}.test`));
    expect([failed.size, failed.has('d99.test'), failed.has('d0.test')]).toEqual([8, true, false]);
  });
});
