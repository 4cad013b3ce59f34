import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../../runtime/durations.ts';
import { nextRetry, RETRY_DELAYS_MS, RETRY_JITTER, type RetryQuestion } from './decide.ts';

const question: RetryQuestion = {
  attempt: 1,
  nowMs: 0,
  expiresAtMs: Number.MAX_SAFE_INTEGER,
  random: () => 0.5,
  speed: 1,
  hintSeconds: null,
};

function delayMinutes(change: Partial<RetryQuestion>): number | 'expired' {
  const next = nextRetry({ ...question, ...change });
  return next === 'expired' ? next : next.dueAtMs / MINUTE_MS;
}

describe('nextRetry', () => {
  it('waits 1, 3, 6, 15, 30 minutes, then 1, 2, 4, 4, 4 hours', () => {
    const attempts = Array.from({ length: 11 }, (_, i) => i + 1);
    const delays = attempts.map((attempt) => delayMinutes({ attempt }));
    expect(delays).toEqual([1, 3, 6, 15, 30, 60, 120, 240, 240, 240, 240]);
  });

  it('expires a delivery whose next retry would come after its lifetime', () => {
    expect(delayMinutes({ expiresAtMs: MINUTE_MS - 1 })).toBe('expired');
    expect(delayMinutes({ expiresAtMs: MINUTE_MS })).toBe(1);
  });

  it('is never earlier than a server asked for, nor sooner than 30 seconds', () => {
    expect(delayMinutes({ attempt: 1, hintSeconds: 600, random: () => 0 })).toBe(10);
    expect(delayMinutes({ attempt: 5, hintSeconds: 60, random: () => 0 })).toBe(1);
    expect(delayMinutes({ attempt: 1, hintSeconds: 1, random: () => 0 })).toBe(0.5);
    expect(delayMinutes({ attempt: 6, hintSeconds: 60 })).toBe(60);
    expect(delayMinutes({ attempt: 6, hintSeconds: 7200, random: () => 0 })).toBe(120);
  });

  it('is sooner where retries run faster', () => {
    expect(delayMinutes({ attempt: 6, speed: 60 })).toBe(1);
  });

  it('stays within a fifth of the schedule and within the lifetime', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 200 }),
        fc.integer({ min: 0, max: 4e12 }),
        fc.integer({ min: 0, max: 5 * 24 * 60 * MINUTE_MS }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        fc.constantFrom(1, 10, 60, 3600),
        (attempt, nowMs, leftMs, random, speed) => {
          const expiresAtMs = nowMs + leftMs;
          const next = nextRetry({
            attempt,
            nowMs,
            expiresAtMs,
            random: () => random,
            speed,
            hintSeconds: null,
          });
          const baseMs = (RETRY_DELAYS_MS[attempt - 1] ?? 240 * MINUTE_MS) / speed;
          if (next === 'expired') {
            expect(leftMs).toBeLessThan(baseMs * (1 + RETRY_JITTER) + 1);
            return;
          }
          expect(next.dueAtMs).toBeLessThanOrEqual(expiresAtMs);
          expect(next.dueAtMs - nowMs).toBeGreaterThanOrEqual(baseMs * (1 - RETRY_JITTER));
          expect(next.dueAtMs - nowMs).toBeLessThanOrEqual(baseMs * (1 + RETRY_JITTER) + 1);
        },
      ),
    );
  });

  it('always moves forward and always ends, whatever the server hints', () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.option(fc.integer({ min: -10, max: 1e9 }))), (hints) => {
        const expiresAtMs = 24 * 3_600_000;
        let nowMs = 0;
        for (let attempt = 1; attempt < 60; attempt++) {
          const hintSeconds = hints.next().value ?? null;
          const next = nextRetry({ attempt, nowMs, expiresAtMs, random: () => 0.3, speed: 1, hintSeconds });
          if (next === 'expired') return;
          expect(next.dueAtMs).toBeGreaterThan(nowMs);
          nowMs = next.dueAtMs;
        }
        throw new Error('never expired');
      }),
    );
  });
});
