import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allowsHost, parsePolicy, policyId } from './mta-sts-policy.ts';

const POLICY =
  'version: STSv1\r\nmode: enforce\r\nmx: mx.example.org\r\nmx: *.example.net\r\nmax_age: 86400\r\n';

describe('a policy', () => {
  it('is read, with either kind of line end', () => {
    const read = { mode: 'enforce', mx: ['mx.example.org', '*.example.net'], maxAgeMs: 86_400_000 };
    expect(parsePolicy(POLICY)).toEqual(read);
    expect(parsePolicy(POLICY.replaceAll('\r\n', '\n'))).toEqual(read);
  });

  it.each([
    ['another version', POLICY.replace('STSv1', 'STSv2')],
    ['no mode', POLICY.replace('mode: enforce\r\n', '')],
    ['an unknown mode', POLICY.replace('enforce', 'strict')],
    ['no age', POLICY.replace('max_age: 86400', '')],
    ['a negative age', POLICY.replace('86400', '-1')],
    ['no hosts', POLICY.replace(/mx: .*\r\n/g, '')],
    ['a host that is none', POLICY.replace('mx.example.org', 'mx .example.org')],
    ['a web page', '<html></html>'],
  ])('with %s is none', (_, text) => {
    expect(parsePolicy(text)).toBeNull();
  });

  it('of mode none needs no hosts', () => {
    expect(parsePolicy('version: STSv1\nmode: none\nmax_age: 60')).toMatchObject({ mode: 'none', mx: [] });
  });

  it('is kept for a year at most', () => {
    expect(parsePolicy(POLICY.replace('86400', '9999999999'))?.maxAgeMs).toBe(31_557_600_000);
  });

  it('never makes its reader fail', () => {
    fc.assert(fc.property(fc.string(), (text) => void parsePolicy(text)));
  });
});

describe('the record that points to it', () => {
  it.each([
    [['v=STSv1; id=20160831085700Z;'], '20160831085700Z'],
    [['v=STSv1;id=1'], '1'],
    [['other', 'v=STSv1; id=2'], '2'],
    [['v=STSv1; id=1', 'v=STSv1; id=2'], null],
    [['v=STSv1; id=not-allowed'], null],
    [['v=STSv10; id=1'], null],
    [[], null],
  ])('%j has the id %s', (records, id) => {
    expect(policyId(records)).toBe(id);
  });
});

describe('a host', () => {
  const policy = parsePolicy(POLICY);
  it.each([
    ['mx.example.org', true],
    ['MX.Example.ORG.', true],
    ['a.example.net', true],
    ['a.b.example.net', false],
    ['example.net', false],
    ['mx.example.org.evil.test', false],
  ])('%s is allowed: %s', (host, allowed) => {
    expect(policy && allowsHost(policy, host)).toBe(allowed);
  });
});
