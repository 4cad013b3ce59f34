import { describe, expect, it } from 'vitest';
import { FLOOD, isFlood, RepeatCounts, SPACING_MS } from './flood-limit.ts';

function floodOf(counts: RepeatCounts, key: string, emails: number, atMs = 0) {
  for (let n = 1; n < emails; n += 1) counts.count(key, atMs);
  return counts.count(key, atMs);
}

describe('repeats of an email to one address', () => {
  it('are a flood from the hundredth within ten minutes on', () => {
    const counts = new RepeatCounts();
    expect(isFlood(floodOf(counts, 'a', FLOOD.emails - 1))).toBe(false);
    expect(isFlood(counts.count('a', FLOOD.withinMs))).toBe(true);
  });

  it('are no flood when they come over a longer time', () => {
    const counts = new RepeatCounts();
    floodOf(counts, 'a', FLOOD.emails - 1);
    expect(isFlood(counts.count('a', FLOOD.withinMs + 1))).toBe(false);
  });

  it('are counted apart from other emails', () => {
    const counts = new RepeatCounts();
    floodOf(counts, 'a', FLOOD.emails);
    expect(isFlood(counts.count('b', 0))).toBe(false);
  });

  it('are sent one per minute while they are slowed', () => {
    const counts = new RepeatCounts();
    const repeats = floodOf(counts, 'a', FLOOD.emails, 1);
    expect(counts.takeTurn(repeats, 1)).toBeNull();
    expect(counts.takeTurn(repeats, 2)).toBe(1 + SPACING_MS);
    expect(counts.takeTurn(repeats, 1 + SPACING_MS)).toBeNull();
  });

  it('stay slowed while they come faster than they are sent, and not after', () => {
    const counts = new RepeatCounts();
    floodOf(counts, 'a', FLOOD.emails).isSlowed = true;
    const next = FLOOD.withinMs + 1;
    expect(isFlood(floodOf(counts, 'a', 11, next))).toBe(true);
    expect(isFlood(floodOf(counts, 'a', 10, 2 * next))).toBe(true);
    expect(isFlood(counts.count('a', 3 * next))).toBe(false);
  });
});
