import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { areEnough, ENOUGH_RECIPIENTS, PaceEvidence, REMEMBERED_MS } from './pace-evidence.ts';

const complain = (evidence: PaceEvidence, count: number, domain = 'a.test', nowMs = 0, from = 0) =>
  Array.from({ length: count }, (_, i) =>
    evidence.complained(`r${from + i}@${domain}`, domain, nowMs, nowMs),
  ).at(-1);

describe('complaints', () => {
  it('are enough when they are about several recipients', () => {
    expect(complain(new PaceEvidence(1), ENOUGH_RECIPIENTS - 1)).toBe(false);
    expect(complain(new PaceEvidence(1), ENOUGH_RECIPIENTS)).toBe(true);
  });

  it('about one recipient are never enough', () => {
    const evidence = new PaceEvidence(1);
    for (let i = 0; i < 100; i += 1) expect(evidence.complained('r@a.test', 'a.test', i, i)).toBe(false);
  });

  it('about one domain are not enough where the site also gets mail for other domains', () => {
    const evidence = new PaceEvidence(1);
    evidence.took('b.test', 0);
    expect(complain(evidence, 100)).toBe(false);
    expect(complain(evidence, 1, 'b.test')).toBe(true);
  });

  it('are not cancelled by messages that were on their way when the pace changed', () => {
    const evidence = new PaceEvidence(1);
    evidence.restart(1_000);
    evidence.took('a.test', 1_100, 900);
    expect(evidence.taken).toBe(0);
    evidence.took('a.test', 1_200, 1_050);
    expect(evidence.taken).toBe(1);
  });

  it('are cancelled by accepted messages', () => {
    const evidence = new PaceEvidence(1);
    complain(evidence, ENOUGH_RECIPIENTS - 1);
    evidence.took('a.test', 0);
    expect(complain(evidence, 1, 'a.test', 0, 50)).toBe(false);
    expect(complain(evidence, 1, 'a.test', 0, 51)).toBe(true);
  });

  it('count after the clock was set back to before the last change of pace', () => {
    const evidence = new PaceEvidence(1);
    evidence.restart(REMEMBERED_MS);
    expect(complain(evidence, ENOUGH_RECIPIENTS)).toBe(true);
  });

  it('are forgotten after a while', () => {
    const evidence = new PaceEvidence(1);
    complain(evidence, ENOUGH_RECIPIENTS - 1);
    expect(complain(evidence, 1, 'a.test', REMEMBERED_MS + 1, 50)).toBe(false);
  });

  it('about a pace before this one do not count', () => {
    const evidence = new PaceEvidence(1);
    evidence.restart(1_000);
    const late = Array.from({ length: 50 }, (_, i) =>
      evidence.complained(`r${i}@a.test`, 'a.test', 999, 1_001),
    );
    expect(late).not.toContain(true);
  });

  it('about a tenth of all recipients are never enough', () => {
    const seeds = fc.array(fc.nat({ max: 1_000 }), { minLength: 300, maxLength: 300 });
    fc.assert(
      fc.property(seeds, (offsets) => {
        const evidence = new PaceEvidence(1);
        // Of each ten recipients one is refused, at any position.
        return offsets.every((offset, ten) =>
          Array.from({ length: 10 }).every((_, i) => {
            if (i !== offset % 10) evidence.took('a.test', 0);
            return i !== offset % 10 || !evidence.complained(`r${ten}@a.test`, 'a.test', 0, 0);
          }),
        );
      }),
    );
  });
});

it('requires complaints about five recipients, of two domains or of the only domain', () => {
  const complaint = (domain: string) => ({ domain, atMs: 0 });
  const of = (...domains: string[]) => domains.map(complaint);
  expect(areEnough(of('a', 'a', 'a', 'a', 'a'), 1)).toBe(true);
  expect(areEnough(of('a', 'a', 'a', 'a', 'a'), 2)).toBe(false);
  expect(areEnough(of('a', 'a', 'a', 'a', 'b'), 2)).toBe(true);
  expect(areEnough(of('a', 'b', 'a', 'b'), 2)).toBe(false);
});
