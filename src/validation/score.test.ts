import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { riskScore, type SignalName, verdictOf, WEIGHTS } from './score.ts';

const names = Object.keys(WEIGHTS) as SignalName[];
const soft = names.filter((name) => WEIGHTS[name].kind === 'soft');

describe('the risk score', () => {
  it('is 0 without signals', () => {
    expect(riskScore([])).toBe(0);
  });

  it('combines soft signals as independent doubts', () => {
    expect(riskScore(['role_address', 'random_local_part'])).toBe(0.28);
  });

  it('is at least the floor of a hard signal', () => {
    expect(riskScore(['known_typo', 'role_address'])).toBe(0.75);
  });

  it('takes the highest floor', () => {
    expect(riskScore(['known_typo', 'domain_not_found'])).toBe(0.95);
  });

  it('counts a signal once', () => {
    expect(riskScore(['role_address', 'role_address'])).toBe(0.15);
  });

  it('never makes an address undeliverable through soft signals alone', () => {
    fc.assert(
      fc.property(fc.subarray(soft), (signals) => {
        expect(riskScore(signals)).toBeLessThanOrEqual(0.69);
        expect(verdictOf(riskScore(signals))).not.toBe('undeliverable');
      }),
    );
  });

  it('never falls when a signal is added, and has two decimals', () => {
    fc.assert(
      fc.property(fc.subarray(names), fc.constantFrom(...names), (signals, more) => {
        const score = riskScore([...signals, more]);
        expect(score).toBeGreaterThanOrEqual(riskScore(signals));
        expect(Number(score.toFixed(2))).toBe(score);
      }),
    );
  });

  it('is not risky only because DNS does not answer', () => {
    expect(verdictOf(riskScore(['dns_unknown']))).toBe('deliverable');
  });
});

describe('the verdict', () => {
  it.each([
    [0, 'deliverable'],
    [0.29, 'deliverable'],
    [0.3, 'risky'],
    [0.69, 'risky'],
    [0.7, 'undeliverable'],
    [1, 'undeliverable'],
  ])('at %d is %s', (score, verdict) => {
    expect(verdictOf(score)).toBe(verdict);
  });
});
