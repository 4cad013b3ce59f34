/** Every way a call can fail. All are a `PostriderError`; `code` says which, and `status` is 0 without an answer. */
import type { ErrorEnvelope } from './generated/types.gen.ts';

/** Codes of the API, and three for what happens before it could answer. */
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
  /** Of the HTTP answer; 0 when there was none. */
  readonly status: number;
  /** Every problem found in the request. */
  readonly details: readonly FieldProblem[];
  /** Finds the request in the server's log. */
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** How often it was tried. */
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

/** 400: the request is wrong, or not possible as it stands. `details` says where. */
export class ValidationError extends PostriderError {
  override readonly name = 'ValidationError';
}

/** 401: no key or session, or one that is not valid any more. */
export class AuthenticationError extends PostriderError {
  override readonly name = 'AuthenticationError';
}

/** 403: this key or role may not do that. */
export class PermissionError extends PostriderError {
  override readonly name = 'PermissionError';
}

/** 404: no such thing, or not yours. */
export class NotFoundError extends PostriderError {
  override readonly name = 'NotFoundError';
}

/** 409: the current state does not allow it. */
export class ConflictError extends PostriderError {
  override readonly name = 'ConflictError';
}

/** 429: too many requests (`RATE_LIMITED`), or the sending limit is reached (`LIMIT_EXCEEDED`). */
export class RateLimitError extends PostriderError {
  override readonly name = 'RateLimitError';
}

/** 5xx: not your fault. */
export class ServerError extends PostriderError {
  override readonly name = 'ServerError';
}

/** No answer. Whether the request was carried out is not known. */
export class ConnectionError extends PostriderError {
  override readonly name: string = 'ConnectionError';

  constructor(cause: unknown, facts: Partial<ErrorFacts> = {}) {
    const why = cause instanceof Error ? reasonOf(cause) : String(cause);
    super({ code: 'CONNECTION_FAILED', message: `No answer: ${why}`, status: 0, cause, ...facts });
  }
}

/** No answer in time. */
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

/** A success that cannot be read: something between us and the API answered. */
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

/** Node hides what went wrong in the cause of `fetch failed`. */
function reasonOf({ message, cause }: Error): string {
  return cause instanceof Error && cause.message !== '' ? `${message} (${cause.message})` : message;
}
