/**
 * The error catalogue: every code the API can answer with, its status and its default message. Only
 * `error-handler.ts` turns an error into a response.
 */
import {
  type Problem,
  problemSummary,
  SENTENCES,
  type ServiceError,
  type ServiceErrorOptions,
} from '../runtime/service-error.ts';

const CATALOGUE = {
  VALIDATION_ERROR: [400, SENTENCES.VALIDATION_ERROR],
  DOMAIN_NOT_VERIFIED: [
    400,
    'The sender address is not at a verified domain of this organization. Register and verify the domain first.',
  ],
  RECIPIENTS_SUPPRESSED: [
    400,
    'One or more recipients are on the suppression list. Remove these recipients from the email.',
  ],
  RECIPIENTS_REJECTED: [
    400,
    'Automatic validation refused one or more recipients. Correct or remove these recipients.',
  ],
  UNAUTHORIZED: [401, 'A valid API key is needed: send the header `Authorization: Bearer <API_KEY>`.'],
  TOTP_REQUIRED: [401, SENTENCES.TOTP_REQUIRED],
  FORBIDDEN: [403, 'The scope of this API key does not allow this request. Use a key of another scope.'],
  HOST_NOT_ALLOWED: [
    403,
    'The Host header does not name this installation. The operator can add the name to ' +
      'POSTRIDER_ALLOWED_HOSTS.',
  ],
  SETUP_TOKEN_REQUIRED: [403, SENTENCES.SETUP_TOKEN_REQUIRED],
  NOT_FOUND: [404, SENTENCES.NOT_FOUND],
  METHOD_NOT_ALLOWED: [405, 'This path does not support this method; `Allow` lists the methods it supports.'],
  REQUEST_TIMEOUT: [408, 'The request took too long to arrive. Send it again.'],
  CONFLICT: [409, SENTENCES.CONFLICT],
  IDEMPOTENCY_CONFLICT: [
    409,
    'This Idempotency-Key was used with a different body, or its first request is still running. Use a new key for another request.',
  ],
  PAYLOAD_TOO_LARGE: [413, 'The body is too large. Most routes accept up to 20 MiB.'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'The body must be JSON, sent with `Content-Type: application/json`.'],
  EXPECTATION_FAILED: [417, 'The only supported expectation is `Expect: 100-continue`.'],
  LIMIT_EXCEEDED: [
    429,
    'The sending limit is reached. Try again after midnight UTC, or ask the operator for a higher limit.',
  ],
  RATE_LIMITED: [429, SENTENCES.RATE_LIMITED],
  HEADERS_TOO_LARGE: [
    431,
    'The headers, or the URL with its parameters, are larger than 16 KiB. Send fewer or shorter values.',
  ],
  INTERNAL_ERROR: [
    500,
    'The server failed to process the request. Look for the X-Request-Id of this response in the log.',
  ],
  UNAVAILABLE: [503, SENTENCES.UNAVAILABLE],
} as const satisfies Record<string, readonly [number, string]>;

export type ErrorCode = keyof typeof CATALOGUE;

export const ERROR_CODES = Object.keys(CATALOGUE) as readonly ErrorCode[];

type ApiErrorOptions = Omit<ServiceErrorOptions, 'problems'>;

export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly statusCode: number;
  readonly details: readonly Problem[];
  readonly retryAfterSeconds: number | undefined;
  readonly ofRequestAlone: boolean;

  constructor(
    code: ErrorCode,
    details: readonly Problem[] = [],
    message: string | undefined = undefined,
    options: ApiErrorOptions = {},
  ) {
    const sentence = code === 'VALIDATION_ERROR' ? problemSummary(details) : undefined;
    super(
      message ?? sentence ?? CATALOGUE[code][1],
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.name = 'ApiError';
    this.code = code;
    this.statusCode = CATALOGUE[code][0];
    this.details = details;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.ofRequestAlone = options.ofRequestAlone ?? false;
  }
}

/** Translates a service error into HTTP terms. */
export function apiErrorOf(error: ServiceError | ApiError): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError(error.code, error.problems, error.message, error);
}

/** A dependency (the database) is unavailable or overloaded: 503 with Retry-After, and worth a retry. */
export class UnavailableError extends ApiError {
  constructor(cause?: unknown, retryAfterSeconds = 5) {
    super('UNAVAILABLE', [], undefined, { cause, retryAfterSeconds });
    this.name = 'UnavailableError';
  }
}

export function statusOf(code: ErrorCode): number {
  return CATALOGUE[code][0];
}

export function sentenceOf(code: ErrorCode): string {
  return CATALOGUE[code][1];
}

export interface ErrorEnvelope {
  readonly error: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly details: readonly Problem[];
  };
}

export function envelopeOf(error: ApiError): ErrorEnvelope {
  const details = error.details.map(({ field, message }) => ({ field, message }));
  return { error: { code: error.code, message: error.message, details } };
}
