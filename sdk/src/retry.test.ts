import { describe, expect, it } from 'vitest';
import { ConnectionError, type ErrorCode, PostriderError } from './errors.ts';
import { isRepeatable, retryDelayMs } from './retry.ts';

function failed(status: number, code: ErrorCode, retryAfterSeconds?: number): PostriderError {
  return new PostriderError({ status, code, message: 'no', retryAfterSeconds });
}

const unavailable = failed(503, 'UNAVAILABLE');
const lost = new ConnectionError(new Error('reset'));

describe('the wait before a retry', () => {
  it('doubles, half of it by chance, up to eight seconds', () => {
    const delays = (chance: number) =>
      [1, 2, 3, 4, 5, 6].map((attempt) => retryDelayMs(unavailable, 'GET /emails', attempt, () => chance));
    expect(delays(0)).toEqual([250, 500, 1000, 2000, 4000, 4000]);
    expect(delays(1)).toEqual([500, 1000, 2000, 4000, 8000, 8000]);
  });

  it('is never shorter than what the server asks for', () => {
    const asked = failed(503, 'UNAVAILABLE', 5);
    expect(retryDelayMs(asked, 'GET /emails', 1, () => 0)).toBe(5000);
    expect(retryDelayMs(asked, 'GET /emails', 1, () => 1)).toBe(5250);
  });

  it('is left to the caller when the server asks for more than a minute', () => {
    expect(retryDelayMs(failed(429, 'RATE_LIMITED', 60), 'GET /emails', 1)).toBeGreaterThanOrEqual(60_000);
    expect(retryDelayMs(failed(429, 'RATE_LIMITED', 61), 'GET /emails', 1)).toBeNull();
  });
});

describe('what is tried again', () => {
  it.each([500, 502, 503, 504])('is an answer of %i to what may be repeated', (status) => {
    expect(retryDelayMs(failed(status, 'UNEXPECTED_RESPONSE'), 'GET /emails', 1)).not.toBeNull();
  });

  it.each([
    'GET /emails',
    'PUT /settings/retention',
    'PATCH /emails/{id}',
    'DELETE /domains/{id}',
    'POST /emails/send',
    'POST /emails/batch',
    'POST /emails/batch/mixed',
    'POST /emails/validate',
  ])('is a lost %s', (operation) => {
    expect(retryDelayMs(lost, operation, 1)).not.toBeNull();
  });

  it.each(['POST /api-keys', 'POST /webhooks/{id}/rotate-secret', 'POST /templates/{id}/test'])(
    'is not a lost %s: it may have been done',
    (operation) => {
      expect(isRepeatable(operation)).toBe(false);
      expect(retryDelayMs(lost, operation, 1)).toBeNull();
      expect(retryDelayMs(unavailable, operation, 1)).toBeNull();
    },
  );

  it('is anything that was turned away for coming too often', () => {
    expect(retryDelayMs(failed(429, 'RATE_LIMITED', 1), 'POST /api-keys', 1)).not.toBeNull();
  });

  it('is never a sign-in: a person is waiting, and has to be told', () => {
    expect(retryDelayMs(failed(429, 'RATE_LIMITED', 1), 'POST /auth/sign-in', 1)).toBeNull();
  });

  it.each([
    [400, 'VALIDATION_ERROR'],
    [401, 'UNAUTHORIZED'],
    [404, 'NOT_FOUND'],
    [409, 'CONFLICT'],
    [429, 'LIMIT_EXCEEDED'],
  ] as const)('is not %i %s: the answer would be the same', (status, code) => {
    expect(retryDelayMs(failed(status, code), 'GET /emails', 1)).toBeNull();
  });

  it('is a send whose own earlier attempt is still at work, but not one that meets the key of another', () => {
    const conflict = failed(409, 'IDEMPOTENCY_CONFLICT', 1);
    expect(retryDelayMs(conflict, 'POST /emails/send', 1)).toBeNull();
    expect(retryDelayMs(conflict, 'POST /emails/send', 2)).not.toBeNull();
  });
});
