/** Errors in Resend's format: a status, a name from its list, and a sentence. */
import type { FastifyRequest } from 'fastify';
import { JSON_TYPE, type WriteError } from '../../../http/error-handler.ts';
import { type ApiError, apiErrorOf, type ErrorCode } from '../../../http/errors.ts';
import type { Problem, ServiceError } from '../../../runtime/service-error.ts';
import { type AnswerRefusal, OtherRequestError } from '../../../submission/idempotency/key-header.ts';

interface ResendError {
  readonly statusCode: number;
  readonly name: string;
  readonly message: string;
}

const MISSING_KEY =
  'Missing API key in the authorization header. Include the header `Authorization: Bearer YOUR_API_KEY` in the request.';

/** Codes whose status or name differs from their kind's default. */
const OF_CODE: Partial<Record<ErrorCode, readonly [status: number, name: string]>> = {
  DOMAIN_NOT_VERIFIED: [403, 'validation_error'],
  RECIPIENTS_REJECTED: [422, 'validation_error'],
  FORBIDDEN: [401, 'restricted_api_key'],
  NOT_FOUND: [404, 'not_found'],
  METHOD_NOT_ALLOWED: [405, 'method_not_allowed'],
  CONFLICT: [422, 'validation_error'],
  LIMIT_EXCEEDED: [429, 'daily_quota_exceeded'],
  RATE_LIMITED: [429, 'rate_limit_exceeded'],
  INTERNAL_ERROR: [500, 'internal_server_error'],
};

export const writeResendError: WriteError = (error, request) => {
  const body = resendErrorOf(error, request);
  return { status: body.statusCode, type: JSON_TYPE, body: JSON.stringify(body) };
};

/** The format stored with an idempotency key. */
export const resendRefusal: AnswerRefusal = (error) => {
  const body = resendErrorOf(error);
  return { status: body.statusCode, body };
};

/** The problem of one email among several. */
export function resendMessage(error: ApiError | ServiceError): string {
  return resendErrorOf(apiErrorOf(error)).message;
}

function resendErrorOf(error: ApiError, request?: FastifyRequest): ResendError {
  const { code, message } = error;
  if (code === 'VALIDATION_ERROR') return invalid(error);
  if (code === 'UNAUTHORIZED' && request?.headers.authorization === undefined)
    return { statusCode: 401, name: 'missing_api_key', message: MISSING_KEY };
  if (code === 'UNAUTHORIZED')
    return { statusCode: 403, name: 'invalid_api_key', message: 'API key is invalid.' };
  if (code === 'IDEMPOTENCY_CONFLICT') {
    const name =
      error instanceof OtherRequestError ? 'invalid_idempotent_request' : 'concurrent_idempotent_requests';
    return { statusCode: 409, name, message };
  }
  const usual = error.statusCode < 500 ? 'validation_error' : 'application_error';
  const [statusCode, name] = OF_CODE[code] ?? [error.statusCode, usual];
  return { statusCode, name, message };
}

/** The sentence lists all problems; the first one determines the name. */
function invalid({ details, message }: ApiError): ResendError {
  const problems = details.map((problem) => ({ ...problem, field: resendField(problem.field) }));
  const [first] = problems;
  if (first === undefined || first.field === 'body')
    return { statusCode: 400, name: 'validation_error', message };
  const name = nameOf(first);
  const statusCode = name === 'invalid_idempotency_key' ? 400 : 422;
  return { statusCode, name, message: problems.map(sentenceOf).join(' ') };
}

/** The error names of fields other than `validation_error`. */
const OF_FIELD: readonly (readonly [field: RegExp, name: string])[] = [
  [/^Idempotency-Key$/, 'invalid_idempotency_key'],
  [/^attachments\b/, 'invalid_attachment'],
  [/^(id|after|before)$/, 'invalid_parameter'],
  [/^permission$/, 'invalid_access'],
  [/^region$/, 'invalid_region'],
];

function nameOf({ field, kind }: Problem): string {
  const [, own] = placeAndField(field);
  const ofField = OF_FIELD.find(([pattern]) => pattern.test(own))?.[1];
  if (ofField !== undefined) return ofField;
  if (kind === 'missing') return 'missing_required_field';
  return own === 'from' ? 'invalid_from_address' : 'validation_error';
}

function sentenceOf({ field, message, kind }: Problem): string {
  if (kind === 'missing') return `Missing \`${field}\` field.`;
  const words = message.replaceAll('template_id', 'template');
  return `Invalid \`${field}\` field: ${words}${/[.?!]$/.test(words) ? '' : '.'}`;
}

/** Field names that differ between our API and Resend's. */
const RENAMED: readonly (readonly [ours: RegExp, theirs: string])[] = [
  [/^(from|(?:to|cc|bcc)\[\d+\]|reply_to(?:\[\d+\])?)\.(?:email|name)$/, '$1'],
  [/^(attachments\[\d+\])\.url$/, '$1.path'],
  [/^template_id$/, 'template.id'],
  [/^template_data\b/, 'template.variables'],
  [/^variable_schema\b/, 'variables'],
  [/^(variables\[\d+\])\.name$/, '$1.key'],
  [/^(variables\[\d+\])\.default_value$/, '$1.fallback_value'],
  [/^url$/, 'endpoint'],
];

function resendField(field: string): string {
  const [place, own] = placeAndField(field);
  return place + RENAMED.reduce((name, [ours, theirs]) => name.replace(ours, theirs), own);
}

/** Splits the field of one email among several. */
function placeAndField(field: string): readonly [place: string, own: string] {
  const place = /^emails\[\d+\]\./.exec(field)?.[0] ?? '';
  return [place, field.slice(place.length)];
}
