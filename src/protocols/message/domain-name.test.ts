import { describe, expect, it } from 'vitest';
import { canonicalDomain } from './domain-name.ts';

describe('canonicalDomain', () => {
  it.each([
    ['Example.COM', 'example.com'],
    ['mail.example.co.uk', 'mail.example.co.uk'],
    ['Bücher.example', 'xn--bcher-kva.example'],
    ['XN--BCHER-KVA.example', 'xn--bcher-kva.example'],
    [`${'👍'.repeat(40)}.ws`, /^xn--[a-z0-9]+\.ws$/],
  ])('%j is %s', (input, domain) => {
    const result = canonicalDomain(input);
    expect(result.ok && result.domain).toEqual(
      typeof domain === 'string' ? domain : expect.stringMatching(domain),
    );
  });

  it.each([
    ['', 'domain_empty'],
    [' example.com', 'domain_character'],
    ['jane@example.com', 'domain_character'],
    ['https://example.com', 'domain_character'],
    ['example.com/path', 'domain_character'],
    ['example.com.', 'domain_trailing_dot'],
    ['.', 'domain_trailing_dot'],
    ['example', 'domain_single_label'],
    ['例子', 'domain_single_label'],
    ['example..com', 'domain_empty_label'],
    ['ü..com', 'domain_empty_label'],
    ['10.0.0.1', 'domain_numeric_tld'],
    [`${'a.'.repeat(126)}com`, 'domain_too_long'],
    ['a.'.repeat(50_000), 'domain_too_long'],
    ['exa\r\nmple.com', 'control_character'],
    ['exam\u200bple.com', 'invisible_character'],
    ['exam\ud800ple.com', 'invalid_unicode'],
  ])('%.40j is refused as %s', (input, code) => {
    expect(canonicalDomain(input)).toMatchObject({ ok: false, code });
  });
});
