/** How a refusal by the gates reads to the caller. */

import type { NewEmail } from '../emails/email.ts';
import { ApiError } from '../kit/http/errors.ts';
import { nextUtcDayMs } from '../kit/runtime/moment.ts';
import type { Problem } from '../kit/service-error.ts';
import type { Refusal } from './gates/gates.ts';
import type { LimitExceeded } from './gates/limit.ts';
import { suppressedFields } from './gates/suppression.ts';

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
    case 'recipients_suppressed':
      return suppressed(suppressedFields(refusal, email));
    case 'limit_exceeded':
      return limitExceeded(refusal, email);
  }
}

function suppressed(fields: readonly Problem[]): ApiError {
  const [only, another] = fields;
  const sentence = only && !another ? `${only.message}.` : undefined;
  return new ApiError('RECIPIENTS_SUPPRESSED', fields, sentence);
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
