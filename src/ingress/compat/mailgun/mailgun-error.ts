/** Errors in Mailgun's format: a sentence, and only `Forbidden` for a wrong key. */
import { JSON_TYPE, type WriteError } from '../../../http/error-handler.ts';
import type { ApiError, ErrorCode } from '../../../http/errors.ts';

/** Error codes whose status in Mailgun differs from ours. */
const STATUSES: Partial<Record<ErrorCode, number>> = { DOMAIN_NOT_VERIFIED: 403, CONFLICT: 400 };

const NO_FORM = 'The body must be a form: multipart/form-data, or application/x-www-form-urlencoded.';

export const writeMailgunError: WriteError = (error) => {
  if (error.code === 'UNAUTHORIZED')
    return { status: 401, type: 'text/plain; charset=utf-8', body: 'Forbidden' };
  return {
    status: STATUSES[error.code] ?? error.statusCode,
    type: JSON_TYPE,
    body: JSON.stringify({ message: messageOf(error) }),
  };
};

/** Lists all problems in the sentence, because the format has no other place. */
function messageOf({ code, message, details }: ApiError): string {
  if (code === 'UNSUPPORTED_MEDIA_TYPE') return NO_FORM;
  if (code === 'DOMAIN_NOT_VERIFIED' || details.length === 0) return message;
  return details.map(({ field, message: what }) => `${field}: ${what}`).join('; ');
}
