/** Why requests are refused, in words. The server's own message says more. */
export const REASONS: Readonly<Record<string, string>> = {
  VALIDATION_ERROR: 'Invalid request',
  DOMAIN_NOT_VERIFIED: 'Domain not verified',
  RECIPIENTS_SUPPRESSED: 'Recipient suppressed',
  RECIPIENTS_REJECTED: 'Recipient rejected by validation',
  LIMIT_EXCEEDED: 'Sending limit reached',
  RATE_LIMITED: 'Too many requests',
  FORBIDDEN: 'Forbidden',
  NOT_FOUND: 'Not found',
  METHOD_NOT_ALLOWED: 'Wrong method',
  CONFLICT: 'Conflict',
  IDEMPOTENCY_CONFLICT: 'Idempotency key used twice',
  PAYLOAD_TOO_LARGE: 'Body too large',
  UNSUPPORTED_MEDIA_TYPE: 'Body is not JSON',
  REQUEST_TIMEOUT: 'Request timed out',
  INTERNAL_ERROR: 'Internal error',
  UNAVAILABLE: 'Server unavailable',
};

export function reasonOf(code: string | null): string {
  return code === null ? 'Repeated request' : (REASONS[code] ?? code);
}
