/** Errors in SendGrid's format: a list of problems with their fields. */
import { JSON_TYPE, type WriteError } from '../../../http/error-handler.ts';
import type { ApiError, ErrorCode } from '../../../http/errors.ts';

/** Error codes whose status in SendGrid differs from ours. */
const STATUSES: Partial<Record<ErrorCode, number>> = { DOMAIN_NOT_VERIFIED: 403, CONFLICT: 400 };

const UNAUTHORIZED = 'The provided authorization grant is invalid, expired, or revoked';
const UNVERIFIED = 'The from address does not match a verified Sender Identity.';

export const writeSendgridError: WriteError = (error) => ({
  status: STATUSES[error.code] ?? error.statusCode,
  type: JSON_TYPE,
  body: JSON.stringify({ errors: errorsOf(error) }),
});

function errorsOf({ code, message, details }: ApiError) {
  if (code === 'UNAUTHORIZED') return [entry(UNAUTHORIZED)];
  if (code === 'DOMAIN_NOT_VERIFIED') return [entry(`${UNVERIFIED} ${message}`, details[0]?.field)];
  if (code === 'NOT_FOUND' || details.length === 0) return [entry(message, details[0]?.field)];
  return details.map(({ field, message: what }) => entry(`${field}: ${what}`, field));
}

function entry(message: string, field: string | null = null) {
  return { message, field, help: null };
}
