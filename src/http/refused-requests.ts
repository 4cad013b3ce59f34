/**
 * Tells of requests that were refused: the status, and the error that was answered with. What belongs to no organization (a
 * wrong key) is told to nobody, and neither is what people do about their own account.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { OnRefused, RefusedRequest } from '../runtime/refused-request.ts';
import { principalIfAny } from './authenticate.ts';
import type { ApiError } from './errors.ts';
import { FormBody } from './form-body.ts';

interface Refusal {
  readonly error: ApiError;
  /** What of the body it is about, where that is not all of it. */
  readonly part?: unknown;
}

const REFUSAL = Symbol('refusal');

type WithRefusal = FastifyRequest & { [REFUSAL]?: Refusal };

/** For whoever answers with an error. */
export function noteRefusal(request: FastifyRequest, error: ApiError): void {
  (request as WithRefusal)[REFUSAL] = { error };
}

/** For an answer that accepts some of a request: `part` is what it refuses, `error` null where that is nothing. */
export function notePartialRefusal(request: FastifyRequest, error: ApiError | null, part: unknown): void {
  if (error !== null) (request as WithRefusal)[REFUSAL] = { error, part };
}

export function reportRefusedRequests(app: FastifyInstance, onRefused: OnRefused | undefined): void {
  if (onRefused === undefined) return;
  app.addHook('onResponse', (request, reply, done) => {
    const refusal = (request as WithRefusal)[REFUSAL];
    if (refusal !== undefined || reply.statusCode >= 400) {
      const refused = refusedRequest(request, reply, refusal);
      if (refused !== null) onRefused(refused);
    }
    done();
  });
}

function refusedRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  refusal: Refusal | undefined,
): RefusedRequest | null {
  const principal = principalIfAny(request);
  const { config, schema } = request.routeOptions;
  // Public routes have secrets in their paths. Paths that nobody serves are public, too, and hidden.
  const isPersonal = config.access === 'self' || (config.public === true && schema?.hide !== true);
  if (principal === undefined || isPersonal) return null;
  return {
    organizationId: principal.organizationId,
    keyId: principal.keyId,
    userId: principal.session?.userId ?? null,
    method: request.method,
    path: pathOf(request.url),
    status: reply.statusCode,
    code: refusal?.error.code ?? null,
    message: refusal?.error.message ?? null,
    fields: refusal?.error.details ?? [],
    requestId: request.id,
    durationMs: Math.round(reply.elapsedTime),
    // What only owners may do is for owners to read.
    body: config.access === undefined ? (refusal?.part ?? plainBody(request.body)) : undefined,
  };
}

const MAX_PATH_CHARS = 200;

/** Without the prefixes that mean the same, without parameters, and without what may be an address or a secret. */
function pathOf(url: string): string {
  const path = url.split('?', 1)[0] as string;
  return path
    .replace(/^(\/api)?\/v1(?=\/|$)/, '')
    .split('/')
    .map((part) => (/^[\w.~-]{0,64}$/.test(part) ? part : '…'))
    .join('/')
    .slice(0, MAX_PATH_CHARS);
}

const MAX_FORM_NAMES = 50;
/** Of all fields together: the log shows far less. */
const MAX_FORM_BYTES = 256 * 1024;
const MAX_FIELD_BYTES = 64 * 1024;

/** Forms as JSON would have them; files are left out. */
function plainBody(body: unknown): unknown {
  if (!(body instanceof FormBody)) return body;
  let left = MAX_FORM_BYTES;
  const textsOf = (name: string) =>
    body.parts(name).flatMap(({ filename, content }) => {
      if (filename !== null || left <= 0) return [];
      const end = Math.min(content.length, MAX_FIELD_BYTES, left);
      left -= end;
      return [content.toString('utf8', 0, end)];
    });
  return Object.fromEntries(body.names.slice(0, MAX_FORM_NAMES).map((name) => [name, textsOf(name)]));
}
