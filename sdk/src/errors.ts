/** The errors of a call. All extend `PostriderError`, with a `code`. `status` is 0 if there was no response. */
import type { ErrorEnvelope } from './generated/types.gen.ts';

/** Codes of the API, and three codes for failures without a response of the API. */
export type ErrorCode =
  | ErrorEnvelope['error']['code']
  | 'CONNECTION_FAILED'
  | 'TIMED_OUT'
  | 'UNEXPECTED_RESPONSE';

export interface FieldProblem {
  /** A path such as `to[0].email`. */
  readonly field: string;
  readonly message: string;
}

export interface ErrorFacts {
  readonly code: ErrorCode;
  readonly message: string;
  readonly status: number;
  readonly details?: readonly FieldProblem[] | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly cause?: unknown;
}

export class PostriderError extends Error {
  override readonly name: string = 'PostriderError';
  readonly code: ErrorCode;
  /** HTTP status of the response; 0 if there was none. */
  readonly status: number;
  /** The problems of the request, with their fields. */
  readonly details: readonly FieldProblem[];
  /** Id of the request in the server's log. */
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** Number of attempts. */
  attempts = 1;

  constructor(facts: ErrorFacts) {
    super(facts.message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.code = facts.code;
    this.status = facts.status;
    this.details = facts.details ?? [];
    this.requestId = facts.requestId;
    this.retryAfterSeconds = facts.retryAfterSeconds;
  }
}

/** 400: the request is wrong. `details` names the fields. */
export class ValidationError extends PostriderError {
  override readonly name = 'ValidationError';
}

/** 401: the key or session is missing, unknown, expired or revoked. */
export class AuthenticationError extends PostriderError {
  override readonly name = 'AuthenticationError';
}

/** 403: the key or role does not allow this. */
export class PermissionError extends PostriderError {
  override readonly name = 'PermissionError';
}

/** 404: the object does not exist, or belongs to another organization. */
export class NotFoundError extends PostriderError {
  override readonly name = 'NotFoundError';
}

/** 409: the current state does not allow this. */
export class ConflictError extends PostriderError {
  override readonly name = 'ConflictError';
}

/** 429: too many requests (`RATE_LIMITED`), or the sending limit is reached (`LIMIT_EXCEEDED`). */
export class RateLimitError extends PostriderError {
  override readonly name = 'RateLimitError';
}

/** 5xx: the server failed. */
export class ServerError extends PostriderError {
  override readonly name = 'ServerError';
}

/** There was no response. The request may or may not have been executed. */
export class ConnectionError extends PostriderError {
  override readonly name: string = 'ConnectionError';

  constructor(cause: unknown, facts: Partial<ErrorFacts> = {}) {
    const why = cause instanceof Error ? reasonOf(cause) : String(cause);
    super({ code: 'CONNECTION_FAILED', message: `No answer: ${why}`, status: 0, cause, ...facts });
  }
}

/** There was no response in time. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError';

  constructor(timeoutMs: number, cause: unknown) {
    super(cause, { code: 'TIMED_OUT', message: `No answer within ${timeoutMs} ms.` });
  }
}

const BY_STATUS: Readonly<Record<number, new (facts: ErrorFacts) => PostriderError>> = {
  400: ValidationError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  429: RateLimitError,
};

export function errorOf(response: Response, text: string): PostriderError {
  const { status, headers } = response;
  const Kind = BY_STATUS[status] ?? (status >= 500 ? ServerError : PostriderError);
  return new Kind({
    ...(envelopeIn(text) ?? unexpected(`The answer was ${status}, and not one of Postrider's.`)),
    status,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: retryAfterSeconds(headers.get('retry-after')),
  });
}

/** A success that cannot be parsed: a proxy answered instead of the API. */
export function unreadable({ status, headers }: Response, cause: unknown): PostriderError {
  return new PostriderError({
    ...unexpected("The answer is not JSON. Is baseUrl the address of Postrider's API?"),
    status,
    requestId: headers.get('x-request-id') ?? undefined,
    cause,
  });
}

function unexpected(message: string) {
  return { code: 'UNEXPECTED_RESPONSE', message } as const;
}

function envelopeIn(text: string): ErrorEnvelope['error'] | undefined {
  try {
    const { error } = JSON.parse(text) as ErrorEnvelope;
    return typeof error.code === 'string' && typeof error.message === 'string' ? error : undefined;
  } catch {
    return undefined;
  }
}

/** Seconds, or a date. */
function retryAfterSeconds(header: string | null): number | undefined {
  if (header === null || header.trim() === '') return undefined;
  const seconds = Number.isNaN(Number(header)) ? (Date.parse(header) - Date.now()) / 1000 : Number(header);
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}

/** Node has the actual error in the cause of `fetch failed`. */
function reasonOf({ message, cause }: Error): string {
  return cause instanceof Error && cause.message !== '' ? `${message} (${cause.message})` : message;
}
