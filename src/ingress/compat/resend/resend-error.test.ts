import type { FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import { ApiError, type ErrorCode, UnavailableError } from '../../../http/errors.ts';
import { resendRefusal, writeResendError } from './resend-error.ts';

const request = { headers: { authorization: 'Bearer x' } } as FastifyRequest;
const written = (error: ApiError) => JSON.parse(writeResendError(error, request).body);

describe('an error in the form of Resend', () => {
  it.each([
    ['RATE_LIMITED', 429, 'rate_limit_exceeded'],
    ['LIMIT_EXCEEDED', 429, 'daily_quota_exceeded'],
    ['PAYLOAD_TOO_LARGE', 413, 'validation_error'],
    ['REQUEST_TIMEOUT', 408, 'validation_error'],
    ['CONFLICT', 422, 'validation_error'],
    ['INTERNAL_ERROR', 500, 'internal_server_error'],
  ] as const satisfies readonly (readonly [ErrorCode, number, string])[])(
    'is converted from %s',
    (code, statusCode, name) => {
      const error = new ApiError(code);
      expect(written(error)).toEqual({ statusCode, name, message: error.message });
      expect(writeResendError(error, request).status).toBe(statusCode);
    },
  );

  it('reports that the database is unavailable', () => {
    expect(written(new UnavailableError())).toMatchObject({ statusCode: 503, name: 'application_error' });
  });

  it('distinguishes a request still running from a different one', () => {
    const running = 'This Idempotency-Key belongs to a request that is still running.';
    expect(written(new ApiError('IDEMPOTENCY_CONFLICT', [], running)).name).toBe(
      'concurrent_idempotent_requests',
    );
  });

  it('names fields as Resend does, also for one email of several', () => {
    const details = [
      { field: 'emails[3].to[0].email', message: 'is wrong' },
      { field: 'emails[3].template_id', message: 'is required', kind: 'missing' as const },
      { field: 'emails[3].attachments[1].url', message: 'is wrong' },
      { field: 'template_data.name', message: 'is wrong' },
    ];
    const { body, status } = resendRefusal(new ApiError('VALIDATION_ERROR', details));
    expect([status, body]).toEqual([
      422,
      {
        statusCode: 422,
        name: 'validation_error',
        message:
          'Invalid `emails[3].to[0]` field: is wrong. Missing `emails[3].template.id` field. ' +
          'Invalid `emails[3].attachments[1].path` field: is wrong. Invalid `template.variables.name` field: is wrong.',
      },
    ]);
  });
});
