/**
 * Turns errors into responses; no other module does. Unexpected errors become a plain 500 that reveals
 * nothing internal. A dialect can set its own error format.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../runtime/service-error.ts';
import { ClientDisconnected } from './body-reader.ts';
import { ApiError, apiErrorOf, envelopeOf, UnavailableError } from './errors.ts';
import { noteRefusal } from './refused-requests.ts';

export type IsUnavailable = (error: unknown) => boolean;

const DEFAULT_RETRY_SECONDS = 5;
/** A refused body up to this size is read to its end, so that the client can read the response. */
const MAX_DRAINED = 100 * 1024 * 1024;

interface WrittenError {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

export type WriteError = (error: ApiError, request: FastifyRequest) => WrittenError;

export const JSON_TYPE = 'application/json; charset=utf-8';

export function createErrorHandler(isUnavailable: IsUnavailable, write?: WriteError) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const known = asApiError(error, isUnavailable);
    if (known.statusCode >= 500) request.log.error({ err: error }, 'a request failed');
    sendError(known, request, reply, write);
  };
}

const inEnvelope: WriteError = (error) => ({
  status: error.statusCode,
  type: JSON_TYPE,
  body: JSON.stringify(envelopeOf(error)),
});

export function sendError(
  error: ApiError,
  request: FastifyRequest,
  reply: FastifyReply,
  write: WriteError = inEnvelope,
): void {
  noteRefusal(request, error);
  if (error.code === 'UNAUTHORIZED') reply.header('WWW-Authenticate', 'Bearer');
  const retryAfter = retryAfterOf(error, reply);
  if (retryAfter !== undefined) reply.header('Retry-After', String(retryAfter));
  // The rest of the unread body follows on this connection.
  if (error.code === 'REQUEST_TIMEOUT') reply.header('Connection', 'close');
  if (error.code === 'PAYLOAD_TOO_LARGE' && Number(request.headers['content-length']) <= MAX_DRAINED) {
    reply.removeHeader('connection');
  }
  const { status, type, body } = write(error, request);
  reply.code(status).header('Content-Type', type).send(body);
}

function retryAfterOf(error: ApiError, reply: FastifyReply): number | undefined {
  if (error.retryAfterSeconds !== undefined) return error.retryAfterSeconds;
  if (error.code === 'RATE_LIMITED' || error.code === 'LIMIT_EXCEEDED') {
    return Number(reply.getHeader('X-RateLimit-Reset') ?? DEFAULT_RETRY_SECONDS);
  }
  return error.code === 'UNAVAILABLE' ? DEFAULT_RETRY_SECONDS : undefined;
}

export function asApiError(error: unknown, isUnavailable: IsUnavailable): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof ServiceError) return apiErrorOf(error);
  const { code, statusCode } = (error ?? {}) as { code?: unknown; statusCode?: unknown };
  if (typeof code === 'string' && Object.hasOwn(FROM_FASTIFY, code))
    return FROM_FASTIFY[code]?.() as ApiError;
  // The client disconnected while its body was read. Checked first, because a lost database connection raises
  // the same message and would count as our failure.
  if (error instanceof ClientDisconnected || statusCode === 400)
    return new ApiError(
      'VALIDATION_ERROR',
      [],
      'The request could not be read. Check its headers and its body.',
    );
  if (isUnavailable(error)) return new UnavailableError(error);
  return new ApiError('INTERNAL_ERROR', [], undefined, { cause: error });
}

const FROM_FASTIFY: Readonly<Record<string, () => ApiError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => new ApiError('PAYLOAD_TOO_LARGE'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => new ApiError('UNSUPPORTED_MEDIA_TYPE'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new ApiError(
      'VALIDATION_ERROR',
      [],
      'The body and its Content-Length differ in length. Send the length of the body.',
    ),
  FST_ERR_HANDLER_TIMEOUT: () => new UnavailableError(),
  FST_ERR_BAD_URL: () => new ApiError('NOT_FOUND'),
  FST_ERR_MAX_PARAM_LENGTH: () => new ApiError('NOT_FOUND'),
  FST_ERR_NOT_FOUND: () => new ApiError('NOT_FOUND'),
};
