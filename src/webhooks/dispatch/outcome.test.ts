import { describe, expect, it } from 'vitest';
import { DELAYS_MS, outcomeOf } from './outcome.ts';

const NOW = 1_800_000_000_000;
const exact = { speed: 1, random: () => 0 };

function answered(status: number, retryAfter?: string) {
  return { kind: 'answered' as const, status, retryAfter, text: '', headers: {}, latencyMs: 1 };
}
const silent = { kind: 'unanswered' as const, error: 'the connection was refused', latencyMs: 1 };

describe('the outcome of an answer', () => {
  it.each([200, 201, 202, 204, 299])('%i is success', (status) => {
    expect(outcomeOf(answered(status), 1, NOW, exact)).toEqual({ state: 'delivered' });
  });

  it.each([301, 302, 307, 308, 400, 401, 404, 429, 500, 503])('%i is retried', (status) => {
    expect(outcomeOf(answered(status), 1, NOW, exact)).toMatchObject({
      state: 'pending',
      dueAtMs: NOW + 5_000,
    });
  });

  it('410 ends the delivery and reports that the endpoint is gone', () => {
    expect(outcomeOf(answered(410), 1, NOW, exact)).toMatchObject({ state: 'failed', gone: true });
  });

  it('follows the schedule and gives up after ten attempts', () => {
    const waits = DELAYS_MS.slice(1).map((_, index) => outcomeOf(silent, index + 1, NOW, exact));
    expect(waits).toEqual(
      [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400].map((seconds) => ({
        state: 'pending',
        error: silent.error,
        dueAtMs: NOW + seconds * 1_000,
      })),
    );
    expect(outcomeOf(silent, 10, NOW, exact)).toEqual({ state: 'failed', error: silent.error, gone: false });
  });

  it('lengthens waits by up to a fifth, and never shortens them', () => {
    const most = outcomeOf(silent, 2, NOW, { speed: 1, random: () => 0.999_999 });
    expect(most).toMatchObject({ dueAtMs: expect.closeTo(NOW + 360_000, -2) });
  });

  it.each([
    ['120', 120_000],
    [new Date(NOW + 60_000).toUTCString(), 60_000],
    ['1', 5_000],
    ['soon', 5_000],
    ['-1', 5_000],
    ['999999999', 86_400_000],
  ])('honours Retry-After: %s', (retryAfter, waitMs) => {
    expect(outcomeOf(answered(503, retryAfter), 1, NOW, exact)).toMatchObject({ dueAtMs: NOW + waitMs });
  });
});
