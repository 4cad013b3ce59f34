import { describe, expect, it } from 'vitest';
import { DOMAIN_MAX, parseDomainName } from './name.ts';

const problem = (text: string) => {
  const parsed = parseDomainName(text);
  return parsed.ok ? `accepted as ${parsed.domain}` : parsed.message;
};

describe('a name to register', () => {
  it.each([
    ['example.org', 'example.org'],
    ['Mail.EXAMPLE.org', 'mail.example.org'],
    ['example.org.', 'example.org'],
    ['münchen.example', 'xn--mnchen-3ya.example'],
    ['xn--mnchen-3ya.example', 'xn--mnchen-3ya.example'],
    ['例え.テスト', 'xn--r8jz45g.xn--zckzah'],
    ['mine.co.uk', 'mine.co.uk'],
    ['mine.github.io', 'mine.github.io'],
    ['never.invalid', 'never.invalid'],
    ['intranet.corp', 'intranet.corp'],
  ])('%s is kept as %s', (given, kept) => {
    expect(parseDomainName(given)).toEqual({ ok: true, domain: kept });
  });

  it.each(['com', 'localhost', 'COM.'])('%s has no dot', (given) => {
    expect(problem(given)).toMatch(/^The domain ".*" has no dot; give the full domain name\.$/);
  });

  it.each(['co.uk', 'CO.UK.', 'github.io', 's3.amazonaws.com', 'anything.ck'])(
    '%s is a public suffix',
    (given) => {
      expect(problem(given)).toMatch(
        /is a public suffix, under which others register their domains; give your own domain\.$/,
      );
    },
  );

  it.each([
    ['127.0.0.1', 'The domain ends in a number; give a domain name, not an IP address.'],
    ['[127.0.0.1]', 'This is an IP address; give a domain name.'],
    ['::1', 'This is an IP address; give a domain name.'],
    ['2001:db8::1', 'This is an IP address; give a domain name.'],
    ['ada@example.org', 'This is an email address; give only the part after the @.'],
    ['https://example.org/', 'This is a URL; give only the domain name.'],
    ['', 'The domain is missing.'],
    ['.', 'The domain is missing.'],
    ['example..org', 'The domain has two dots in a row or starts with a dot.'],
    ['example.org..', 'The domain ends with a dot; leave the dot out.'],
    ['exa mple.org', 'The domain contains " ", which no domain name can.'],
    ['_dmarc.example.org', 'The domain contains "_", which no domain name can.'],
    ['-a.example.org', 'A part of the domain starts or ends with a hyphen.'],
    [`${'a'.repeat(64)}.org`, 'A part of the domain is longer than 63 characters.'],
  ])('%s: %s', (given, message) => {
    expect(problem(given)).toBe(message);
  });

  it('may be so long that its DKIM record name still fits, and no longer', () => {
    const ofLength = (length: number) =>
      `${'a.'
        .repeat(length)
        .slice(0, length - 4)
        .replace(/\.$/, 'a')}.org`;
    expect(problem(ofLength(DOMAIN_MAX))).toBe(`accepted as ${ofLength(DOMAIN_MAX)}`);
    for (const given of [ofLength(DOMAIN_MAX + 1), ofLength(300), ofLength(2_000)]) {
      expect(problem(given)).toBe(
        'The domain is longer than 217 characters, so the name of its DKIM record would not fit into DNS.',
      );
    }
  });
});
