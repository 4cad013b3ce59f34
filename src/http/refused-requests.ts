/**
 * Records refused requests with their status and error. Requests without an organization (a wrong key) are
 * not recorded, nor are users' requests about their own account.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { OnRefused, RefusedRequest } from '../runtime/refused-request.ts';
import { principalIfAny } from './authenticate.ts';
import type { ApiError } from './errors.ts';
import { FormBody } from './form-body.ts';
import type { Principal } from './principal.ts';

interface Refusal {
  readonly error: ApiError;
  /** The refused part of the body, if not all of it was refused. */
  readonly part?: unknown;
}

const REFUSAL = Symbol('refusal');

type WithRefusal = FastifyRequest & { [REFUSAL]?: Refusal };

/** For handlers that answer with an error. */
export function noteRefusal(request: FastifyRequest, error: ApiError): void {
  (request as WithRefusal)[REFUSAL] = { error };
}

/**
 * For responses that accept part of a request: `part` is what was refused; `error` is null when nothing was.
 */
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
  // Public routes have secrets in their paths. Unknown paths are public too, but hidden.
  const isPersonal = config.access === 'self' || (config.public === true && schema?.hide !== true);
  if (principal === undefined || isPersonal || isMissingPage(request, reply, principal)) return null;
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
    // Bodies of owner-only routes are for owners only, and are not recorded.
    body: config.access === undefined ? (refusal?.part ?? plainBody(request.body)) : undefined,
  };
}

/** A person in the dashboard followed a link to something that no longer exists. No program has a problem. */
function isMissingPage(
  { method }: FastifyRequest,
  { statusCode }: FastifyReply,
  { session }: Principal,
): boolean {
  return session !== undefined && method === 'GET' && statusCode === 404;
}

const MAX_PATH_CHARS = 200;

/** The path without its equivalent prefixes, parameters, and anything that may be an address or a secret. */
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
/** Limit for all fields together. The log shows far less. */
const MAX_FORM_BYTES = 256 * 1024;
const MAX_FIELD_BYTES = 64 * 1024;

/** Shows forms as JSON; leaves out files. */
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
