/**
 * Errors in Postmark's format: `ErrorCode` and `Message`. Its clients choose an exception class by the status
 * and then read the code, so both are Postmark's where it defines them.
 */
import type { FastifyRequest } from 'fastify';
import { DryRunElsewhere } from '../../../http/dialect.ts';
import { JSON_TYPE, type WriteError } from '../../../http/error-handler.ts';
import { ApiError, apiErrorOf, type ErrorCode } from '../../../http/errors.ts';
import { ServiceError } from '../../../runtime/service-error.ts';

export const POSTMARK_PREFIX = '/compat/postmark';
const TOKEN_HEADER = 'x-postmark-server-token';
/** Postmark's public test token, which accepts mail and sends none. */
const TEST_TOKEN = 'POSTMARK_API_TEST';

interface PostmarkError {
  readonly ErrorCode: number;
  readonly Message: string;
}

interface Area {
  readonly path: string;
  readonly missing: number;
  readonly invalid: number;
}

const EMAIL: Area = { path: '/email', missing: 1101, invalid: 300 };
/** The codes for unknown and invalid resources differ by area of the API. */
const AREAS: readonly Area[] = [
  EMAIL,
  { path: '/templates', missing: 1101, invalid: 1122 },
  { path: '/bounces', missing: 407, invalid: 408 },
  { path: '/messages', missing: 701, invalid: 700 },
  { path: '/message-streams', missing: 1226, invalid: 300 },
  { path: '/stats', missing: 900, invalid: 900 },
];

const CODES: Partial<Record<ErrorCode, readonly [status: number, code: number]>> = {
  UNAUTHORIZED: [401, 10],
  FORBIDDEN: [401, 10],
  DOMAIN_NOT_VERIFIED: [422, 400],
  RECIPIENTS_SUPPRESSED: [422, 406],
  RECIPIENTS_REJECTED: [422, 300],
  UNSUPPORTED_MEDIA_TYPE: [422, 409],
  PAYLOAD_TOO_LARGE: [422, 410],
  RATE_LIMITED: [429, 429],
  LIMIT_EXCEEDED: [429, 405],
  UNAVAILABLE: [503, 100],
};

const NOT_OFFERED = 'There is no such thing here: not all of the Postmark API is offered.';
const NO_TOKEN = 'The header X-Postmark-Server-Token must hold an API key of this installation.';
const NO_TEST_TOKEN = `${TEST_TOKEN} is not a key here: to send nothing, use an installation in sandbox mode and a key of it.`;

export function postmarkToken({ headers }: FastifyRequest): string | null {
  const token = headers[TOKEN_HEADER];
  return typeof token === 'string' && token !== '' ? token : null;
}

export const writePostmarkError: WriteError = (error, request) => {
  const { status, body } = answerOf(error, request);
  return { status, type: JSON_TYPE, body: JSON.stringify(body) };
};

/**
 * The error of one message among several. Expected errors do not stop the other messages; unexpected ones are
 * thrown.
 */
export function postmarkErrorOfItem(thrown: unknown): PostmarkError {
  const error = thrown instanceof ServiceError ? apiErrorOf(thrown) : thrown;
  if (!(error instanceof ApiError)) throw thrown;
  return { ErrorCode: codeIn(EMAIL, error)[1], Message: wordsOf(error) };
}

function answerOf(error: ApiError, request: FastifyRequest): { status: number; body: PostmarkError } {
  const path = request.routeOptions.url?.slice(POSTMARK_PREFIX.length) ?? '';
  const area = AREAS.find((one) => path === one.path || path.startsWith(`${one.path}/`));
  if (error.code === 'UNAUTHORIZED') {
    const Message = postmarkToken(request) === TEST_TOKEN ? NO_TEST_TOKEN : NO_TOKEN;
    return { status: 401, body: { ErrorCode: 10, Message } };
  }
  if (error.code === 'NOT_FOUND' && area === undefined)
    return { status: 404, body: { ErrorCode: 404, Message: NOT_OFFERED } };
  if (error.details.some(({ kind }) => kind === 'unreadable'))
    return { status: 422, body: { ErrorCode: 402, Message: wordsOf(error) } };
  // Concerns the request, whereas 422 concerns the message.
  if (error instanceof DryRunElsewhere)
    return { status: error.statusCode, body: { ErrorCode: EMAIL.invalid, Message: error.message } };
  const [status, code] = codeIn(area ?? EMAIL, error);
  return { status, body: { ErrorCode: code, Message: wordsOf(error) } };
}

function codeIn(area: Area, { code, statusCode }: ApiError): readonly [status: number, code: number] {
  if (code === 'NOT_FOUND') return [422, area.missing];
  if (code === 'VALIDATION_ERROR' || code === 'CONFLICT') return [422, area.invalid];
  return CODES[code] ?? [statusCode, statusCode];
}

/** The format has one text and no list of fields, so the text names the fields. */
function wordsOf({ code, details, message }: ApiError): string {
  const isAboutFields = code === 'VALIDATION_ERROR' || code === 'RECIPIENTS_REJECTED' || code === 'CONFLICT';
  if (!isAboutFields || details.length === 0) return message;
  return `${details.map((one) => problemText(one.field, one.message)).join('; ')}.`;
}

function problemText(field: string, message: string): string {
  const text = message
    .replace(/\.$/, '')
    .replace(CONTENT_NEEDED, (names) => names.replaceAll(/\w+/g, nameOf));
  return field === 'body' || field === '' ? text : `${postmarkField(field)}: ${text}`;
}

/** The only message of ours that names other fields than its own. */
const CONTENT_NEEDED = /^at least one of html, text or template_id(?= is required)/;

const NAMES: Readonly<Record<string, string>> = {
  from: 'From',
  to: 'To',
  cc: 'Cc',
  bcc: 'Bcc',
  reply_to: 'ReplyTo',
  subject: 'Subject',
  html: 'HtmlBody',
  text: 'TextBody',
  headers: 'Headers',
  attachments: 'Attachments',
  tags: 'Tag',
  metadata: 'Metadata',
  track_opens: 'TrackOpens',
  track_clicks: 'TrackLinks',
  template_id: 'TemplateAlias',
  template_data: 'TemplateModel',
  data: 'TestRenderModel',
  unsubscribe_group: 'MessageStream',
  stream: 'MessageStream',
  name: 'Name',
  alias: 'Alias',
  filename: 'Name',
  content: 'Content',
  content_type: 'ContentType',
  content_id: 'ContentID',
};

function nameOf(name: string): string {
  return NAMES[name] ?? name;
}

/** `to[0].email` is `To`, `attachments[1].content` is `Attachments[1].Content`, `metadata.name` is `Metadata.name`. */
export function postmarkField(field: string): string {
  const [, first = '', index = '', rest = ''] = /^([^.[]*)(\[\d+\])?(.*)$/.exec(field) ?? [];
  const isAddress = rest === '.email' || rest === '.name';
  const place = isAddress && index === '[0]' ? '' : index;
  if (isAddress || first === 'tags') return `${nameOf(first)}${first === 'tags' ? '' : place}`;
  return nameOf(first) + index + (first === 'attachments' ? rest.replaceAll(/[a-z_]+/g, nameOf) : rest);
}
