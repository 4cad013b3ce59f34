/** How a refusal by the gates reads to the caller. */
import { ApiError } from '../../http/errors.ts';
import { nextUtcDayMs } from '../../runtime/moment.ts';
import type { NewEmail } from './email.ts';
import type { Refusal } from './gates.ts';
import type { LimitExceeded } from './limit-gate.ts';

export function refusalError(refusal: Refusal, email: NewEmail): ApiError {
  switch (refusal.kind) {
    case 'domain_not_verified':
      return new ApiError(
        'DOMAIN_NOT_VERIFIED',
        [
          {
            field: 'from.email',
            message: `${email.fromDomain} is not a verified domain of this organization`,
          },
        ],
        `Mail from ${email.fromDomain} cannot be sent: register the domain and verify it first.`,
      );
    case 'limit_exceeded':
      return limitExceeded(refusal, email);
  }
}

function limitExceeded({ limit, used, asked }: LimitExceeded, email: NewEmail): ApiError {
  const waitMs = nextUtcDayMs(email.createdAtMs) - email.createdAtMs;
  return new ApiError(
    'LIMIT_EXCEEDED',
    [],
    `The sending limit is ${limit} recipients per day (UTC), ${used} are used, and this email has ${asked}.`,
    { retryAfterSeconds: Math.ceil(waitMs / 1000) },
  );
}
