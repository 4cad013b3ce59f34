import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalName } from './name.ts';

describe('the canonical name', () => {
  it.each([
    ['Example.ORG', 'example.org'],
    ['example.org.', 'example.org'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['BÜCHER.example', 'xn--bcher-kva.example'],
    ['s1._domainkey.example.org', 's1._domainkey.example.org'],
    ['1.2.example', '1.2.example'],
    ['1.2', '1.2'],
    [`${'a'.repeat(63)}.org`, `${'a'.repeat(63)}.org`],
  ])('of %s is %s', (name, canonical) => {
    expect(canonicalName(name)).toBe(canonical);
  });

  it.each([
    ['', 'nothing'],
    ['.', 'the root'],
    ['a..b', 'an empty label'],
    ['.a', 'an empty first label'],
    ['a..', 'two dots at the end'],
    [`${'a'.repeat(64)}.org`, 'a label of 64'],
    [`${'a.'.repeat(127)}com`, 'more than 253 characters'],
    ['a b.org', 'a space'],
    ['a\0.org', 'a NUL'],
    ['a\n.org', 'a line end'],
    ['a\\046b.org', 'an escape'],
    ['bücher.example/x', 'a path'],
    ['bücher.example:25', 'a port'],
    ['x@bücher.example', 'an address'],
    ['[127.0.0.1]', 'brackets'],
    ['::1', 'colons'],
    ['bücher\t.example', 'a tab that URL parsers drop'],
    ['bü\uff0fx.example', 'a slash in disguise'],
  ])('%j has none (%s)', (name) => {
    expect(canonicalName(name)).toBeNull();
  });

  it('is its own canonical name, whatever was given', () => {
    fc.assert(
      fc.property(fc.oneof(fc.domain(), fc.string({ unit: 'grapheme' }), fc.webAuthority()), (name) => {
        const once = canonicalName(name);
        if (once === null) return;
        expect(once).toMatch(/^[a-z0-9_.-]{1,253}$/);
        expect(canonicalName(once)).toBe(once);
      }),
      { numRuns: 1000 },
    );
  });
});
