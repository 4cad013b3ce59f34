import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Address, parseAddress } from './address.ts';
import { isAmongPatterns, readRecipientPattern } from './recipient-pattern.ts';

const LIST = ['ops@acme.example', 'support.example', '*.internal.example'].map(patternOf);

function patternOf(text: string): string {
  const read = readRecipientPattern(text);
  if (!read.ok) throw new Error(read.message);
  return read.pattern;
}

function isListed(text: string): boolean {
  const address = parseAddress(text);
  if (!address.ok) throw new Error(`${text}: ${address.message}`);
  return isAmongPatterns(LIST, address);
}

describe('a list of recipients', () => {
  it.each([
    'ops@acme.example',
    'OPS@Acme.Example',
    'anybody@support.example',
    'x@a.internal.example',
    'x@a.b.internal.example',
  ])('has %s', (text) => {
    expect(isListed(text)).toBe(true);
  });

  it.each([
    'ops+x@acme.example',
    '"ops"@acme.example',
    'o.ps@acme.example',
    'other@acme.example',
    'ops@sub.acme.example',
    'x@sub.support.example',
    'x@notsupport.example',
    'x@internal.example',
    'x@evilinternal.example',
    'ops@acme.example.evil.example',
    '"ops@acme.example"@evil.example',
    'оps@acme.example',
    'ſupport@acme.example',
  ])('does not have %s', (text) => {
    expect(isListed(text)).toBe(false);
  });

  it.each([
    '',
    '*',
    '*.',
    'ops@',
    '@acme.example',
    'a b.example',
    '*@acme.example',
    'ops@acme.example, x@y.example',
  ])('cannot be made of %j', (text) => {
    expect(readRecipientPattern(text).ok).toBe(false);
  });

  it('has a domain in any case and as Unicode', () => {
    expect(patternOf('Bücher.EXAMPLE')).toBe('xn--bcher-kva.example');
  });

  it('with one address has no other', () => {
    fc.assert(
      fc.property(fc.emailAddress(), fc.emailAddress(), (listed, other) => {
        const read = readRecipientPattern(listed);
        const address = parseAddress(other);
        fc.pre(read.ok && address.ok);
        const isSame = read.ok && read.pattern === other.toLowerCase();
        expect(read.ok && isAmongPatterns([read.pattern], address as Address)).toBe(isSame);
      }),
    );
  });
});
