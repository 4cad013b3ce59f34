/**
 * The header `Idempotency-Key`, for the routes that honour it. A repeated request gets its stored answer before its body is
 * validated: a time that was valid then may be in the past now. A repeat that waits too long for the first request, or has
 * another body, gets 409.
 *
 * Postrider stores answers that changed something, and refusals that depend on the request alone: those would never change. A
 * refusal that depends on anything else (the suppression list, a domain, a template, a limit, the server) is not stored: once
 * its cause is gone, a retry must work.
 *
 * The API keys of an organization share their idempotency keys; those of an agent are its own.
 */
import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest, preValidationAsyncHookHandler } from 'fastify';
import { Type } from 'typebox';
import { isUnresolved } from '../../database/errors.ts';
import type { Sql } from '../../database/sql.ts';
import { agentOf } from '../../http/access.ts';
import { bodyDigest } from '../../http/body-reader.ts';
import { ApiError, apiErrorOf, envelopeOf } from '../../http/errors.ts';
import { Problems } from '../../runtime/problems.ts';
import { ServiceError } from '../../runtime/service-error.ts';
import {
  endReservation,
  type KeyedRequest,
  ownedKey,
  type RequestRun,
  reserve,
  runReserved,
  selfKeyed,
} from './run.ts';
import type { StoredAnswer } from './store.ts';

const MAX_KEY_CHARS = 256;

/** Documents the header for the routes that honour it. Other headers are ignored. */
export const idempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      description:
        'Key that makes retries safe: 1 to 256 printable ASCII characters. For 24 hours, repeated requests with the same key and the same bytes are executed once.',
    }),
  ),
});

/** Converts a refusal to a stored answer. */
export type AnswerRefusal = (error: ApiError) => StoredAnswer;

/** Does the work. With a run, the work must store its answer under the run in its own transaction. */
export type Work<Answer extends StoredAnswer> = (run: RequestRun | null) => Promise<Answer>;

const runs = new WeakMap<FastifyRequest, RequestRun>();

/**
 * For a route that honours the header: begins the request, or replays its answer. The route must set `attachValidation`, so
 * that `answerIdempotently` receives the error of a body that fails its schema.
 */
export function honourIdempotencyKey(db: Sql): preValidationAsyncHookHandler {
  return async (request, reply) => {
    // A dry run changes nothing, so it needs no idempotency.
    const keyed = isDryRun(request) ? null : keyedRequest(request);
    if (keyed === null) return;
    const begun = await reserve(db, keyed);
    switch (begun.kind) {
      case 'begun':
        runs.set(request, begun.run);
        return;
      case 'answered':
        return replay(reply, begun.answer);
      case 'other_request':
        throw new OtherRequestError();
      case 'still_running':
        throw new ConflictError('belongs to a request that is still running: wait for its response');
    }
  };
}

export async function answerIdempotently<Answer extends StoredAnswer>(
  db: Sql,
  request: FastifyRequest,
  reply: FastifyReply,
  work: Work<Answer>,
  refusal: AnswerRefusal = inEnvelope,
): Promise<Answer['body'] | FastifyReply> {
  const run = runs.get(request) ?? null;
  const start = () => {
    if (request.validationError) throw request.validationError;
    return work(run);
  };
  try {
    const done =
      run === null ? ({ kind: 'done', result: await start() } as const) : await runReserved(db, run, start);
    if (done.kind === 'done') {
      reply.code(done.result.status);
      return done.result.body;
    }
    if (done.answer !== null) return replay(reply, done.answer);
  } catch (error) {
    // Work that may still complete keeps its key: a repeat waits for it, and takes over only if it did not complete.
    if (run !== null && !isUnresolved(error))
      await endReservation(db, run, keptRefusal(request, error, refusal));
    throw error;
  }
  throw new ConflictError('was taken over by another request, which is still running: wait for its response');
}

/** Reads the raw query, because the route parses it later. */
function isDryRun({ query }: FastifyRequest): boolean {
  return (query as { readonly dry_run?: unknown }).dry_run === 'true';
}

function replay(reply: FastifyReply, answer: StoredAnswer): FastifyReply {
  reply.header('Content-Type', 'application/json; charset=utf-8').header('Idempotent-Replayed', 'true');
  return reply.code(answer.status).send(JSON.stringify(answer.body));
}

function inEnvelope(error: ApiError): StoredAnswer {
  return { status: error.statusCode, body: envelopeOf(error) };
}

/** Null if the refusal does not depend on the request alone. */
function keptRefusal(request: FastifyRequest, thrown: unknown, refusal: AnswerRefusal): StoredAnswer | null {
  const error = thrown instanceof ServiceError ? apiErrorOf(thrown) : thrown;
  if (!(error instanceof ApiError)) return null;
  const isOfRequest = thrown === request.validationError || error.ofRequestAlone;
  return isOfRequest ? refusal(error) : null;
}

/**
 * Keys for the parts of a request that is answered part by part; null without the header. An invalid header refuses the whole
 * request. No client can send a line end in a key, so keys of parts are no keys of requests.
 */
export function keysOfParts(request: FastifyRequest): ((part: string) => KeyedRequest) | null {
  const whole = keyedRequest(request);
  if (whole === null) return null;
  const { organizationId, key } = whole;
  return (part) => selfKeyed(organizationId, `\n${part}\n${key}`);
}

function keyedRequest(request: FastifyRequest): KeyedRequest | null {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key !== 'string' || key.length < 1 || key.length > MAX_KEY_CHARS || /[^\x20-\x7e]/.test(key)) {
    throw new Problems()
      .add('Idempotency-Key', `must be 1 to ${MAX_KEY_CHARS} printable ASCII characters`)
      .toError();
  }
  const { principal } = request;
  const { organizationId } = principal;
  return { organizationId, key: ownedKey(agentOf(principal), key), hash: hashOf(request) };
}

/**
 * Hashes the path without its prefix, and the bytes of the body: another order of fields is another request. The domain of a
 * restricted key is included, because its answers must not reach keys of other domains.
 */
function hashOf(request: FastifyRequest): Buffer {
  const { id } = request.params as { readonly id?: string };
  const path = request.routeOptions.url?.replace(/^(\/api)?\/v1/, '').replace(':id', id ?? ':id') ?? '';
  return createHash('sha256')
    .update(`${request.method} ${path}\n${request.principal.domain ?? ''}\n`)
    .update(bodyDigest(request) ?? '')
    .digest();
}

class ConflictError extends ApiError {
  constructor(what: string) {
    super('IDEMPOTENCY_CONFLICT', [], `This Idempotency-Key ${what}.`, { retryAfterSeconds: 1 });
  }
}

/** The key belongs to another request: the one conflict that waiting does not end. */
export class OtherRequestError extends ConflictError {
  constructor() {
    super('was used with a different body or path, or a key of another domain');
  }
}
