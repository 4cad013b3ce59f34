import { describe, expect, it } from 'vitest';
import { Problems } from '../../runtime/problems.ts';
import { canonicalAllowList, isNeverSlowed } from './guard.ts';

describe('the allow-list of the guard', () => {
  it('accepts addresses and domains, in canonical form and without duplicates', () => {
    const given = ['Ops@Example.com', 'ops@example.com', 'EXAMPLE.org'];
    expect(canonicalAllowList('allow', given, new Problems())).toEqual(['example.org', 'ops@example.com']);
  });

  it('names the entry that is neither an address nor a domain', () => {
    const problems = new Problems();
    canonicalAllowList('allow', ['ops@example.com', 'two words'], problems);
    expect(() => problems.throwIfAny()).toThrow();
    expect(JSON.stringify(problems.toError())).toContain('allow[1]');
  });

  it.each([
    ['ops@example.com', 'example.com', true],
    ['dev@example.com', 'example.com', false],
    ['ops@example.org', 'example.org', true],
    ['ops@a.example.org', 'a.example.org', true],
    ['ops@notexample.org', 'notexample.org', false],
  ])('is asked for %s at %s: %s', (address, domain, isListed) => {
    expect(isNeverSlowed(new Set(['ops@example.com', 'example.org']), address, domain)).toBe(isListed);
  });
});
