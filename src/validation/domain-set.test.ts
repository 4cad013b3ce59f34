import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DomainSet } from './lists.ts';

describe('a domain set', () => {
  it('contains exactly its domains', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.domain()), fc.array(fc.domain()), (held, others) => {
        const set = new DomainSet(held.map((domain) => `${domain}\n`).join(''));
        expect(set.size).toBe(held.length);
        for (const domain of held) expect(set.has(domain)).toBe(true);
        for (const domain of others) expect(set.has(domain)).toBe(held.includes(domain));
      }),
    );
  });

  it('does not match a prefix or suffix of a domain', () => {
    const set = new DomainSet('example.com\nmail.example.org\n');
    for (const other of ['example.co', 'xample.com', 'example.org', 'example.com\nmail', '', 'com']) {
      expect([other, set.has(other)]).toEqual([other, false]);
    }
  });

  it('can be empty', () => {
    expect(new DomainSet('').has('example.com')).toBe(false);
  });
});
