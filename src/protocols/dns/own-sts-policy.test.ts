/** Our own MTA-STS policy, read as senders read others'. */
import { describe, expect, it } from 'vitest';
import { allowsHost, parsePolicy, policyId } from './mta-sts-policy.ts';
import { ownStsPolicy, stsPolicyText, stsRecordValue } from './own-sts-policy.ts';

const HOST = 'mail.example.org';
const of = (mode: 'none' | 'testing' | 'enforce', mx?: readonly string[]) => ownStsPolicy(HOST, { mode, mx });

describe('the MTA-STS policy of the inbound host', () => {
  it.each(['none', 'testing', 'enforce'] as const)('is read by senders as it is meant: %s', (mode) => {
    expect(parsePolicy(stsPolicyText(of(mode)))).toEqual(of(mode));
  });

  it('names the host itself, or those that its MX records lead to', () => {
    expect(allowsHost(of('enforce'), HOST)).toBe(true);
    const several = of('enforce', ['mx1.example.org', '*.mx.example.org']);
    expect([HOST, 'mx1.example.org', 'a.mx.example.org'].map((name) => allowsHost(several, name))).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('has an id that is another one for another policy, and the same for the same', () => {
    const ids = [of('none'), of('testing'), of('enforce'), of('enforce', ['mx1.example.org'])].map((policy) =>
      policyId([stsRecordValue(policy)]),
    );
    expect(new Set(ids).size).toBe(4);
    expect(ids).not.toContain(null);
    expect(policyId([stsRecordValue(of('testing'))])).toBe(ids[1]);
  });
});
