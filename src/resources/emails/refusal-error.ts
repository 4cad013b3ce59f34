/** How a refusal by the gates reads to the caller. */
import { ApiError } from '../../http/errors.ts';
import type { NewEmail } from './email.ts';
import type { Refusal } from './gates.ts';

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
  }
}
