/**
 * `Idempotency-Key`: the same request twice is done once, and answered twice with the same words.
 *
 * The first request with a key runs; the answer is stored in the very transaction that does the work, so that a
 * crash leaves either both or neither. Others with the same key and body wait for it and replay it, before their body
 * is judged: what was in time then may be in the past now. One that has waited too long, or has another body, gets 409.
 *
 * Kept are answers that changed something, and refusals that the request alone is the reason of: those would be
 * the same for ever. Whatever depends on anything else (the suppression list, a domain, a template, a limit, us) is
 * not: once its cause is gone, a retry is meant to work.
 */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest, preValidationAsyncHookHandler } from 'fastify';
import { Type } from 'typebox';
import type { Sql } from '../database/sql.ts';
import { bodyDigest } from './body-reader.ts';
import { ApiError, envelopeOf } from './errors.ts';
import { begin, completeAll, find, forget, type RequestKey, type StoredAnswer } from './idempotency-store.ts';
import { Problems } from './problems.ts';

const MAX_KEY_CHARS = 256;

/** For the documentation of routes that honour it. Other headers are nobody's business here. */
export const idempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      description:
        'Any text of up to 256 characters. The same request (the same bytes) with the same key is done once, for 24 hours.',
    }),
  ),
});
const POLL_MS = 25;
/** A request that waits behind its twin gives up before its caller does. */
const WAIT_MS = 10_000;

/** Does the work. With a key, it must store the answer under it in its own transaction. */
export type Work<Body> = (key: RequestKey | null) => Promise<StoredAnswer<Body>>;

/**
 * For a route that honours the header: it begins the request, or replays its answer. Such a route sets
 * `attachValidation`, so that `answerOnce` hears about a body that its schema refuses.
 */
export function honourKey(db: Sql): preValidationAsyncHookHandler {
  return async (request, reply) => {
    const key = keyOf(request);
    if (key === null) return;
    const answer = await beginOrReplay(db, request, key);
    if (answer === null) begun.set(request, key);
    else {
      reply.header('Content-Type', 'application/json; charset=utf-8').header('Idempotent-Replayed', 'true');
      return reply.code(answer.status).send(JSON.stringify(answer.body));
    }
  };
}

const begun = new WeakMap<FastifyRequest, RequestKey>();

export async function answerOnce<Body>(
  db: Sql,
  request: FastifyRequest,
  reply: FastifyReply,
  work: Work<Body>,
): Promise<Body> {
  const key = begun.get(request) ?? null;
  try {
    if (request.validationError) throw request.validationError;
    const answer = await work(key);
    reply.code(answer.status);
    return answer.body;
  } catch (error) {
    if (key !== null) await endRefused(db, key, request, error);
    throw error;
  }
}

/** Null when this request is the one to run. */
async function beginOrReplay(
  db: Sql,
  request: FastifyRequest,
  key: RequestKey,
): Promise<StoredAnswer | null> {
  const hash = hashOf(request);
  const deadline = performance.now() + WAIT_MS;
  while (!(await begin(db, key, hash))) {
    const found = await find(db, key, hash);
    if (found?.kind === 'other_body')
      throw conflict('was used with a different body or path, or a key of another domain');
    if (found?.kind === 'answered') return found.answer;
    if (performance.now() > deadline) throw conflict('belongs to a request that is still running');
    await sleep(POLL_MS);
  }
  return null;
}

async function endRefused(db: Sql, key: RequestKey, request: FastifyRequest, error: unknown): Promise<void> {
  const isOfRequest =
    error === request.validationError || (error instanceof ApiError && error.ofRequestAlone);
  if (isOfRequest && error instanceof ApiError) {
    await completeAll(db, [{ ...key, answer: { status: error.statusCode, body: envelopeOf(error) } }]);
  } else {
    await forget(db, key).catch(() => {}); // left behind, it is taken over once it counts as abandoned
  }
}

function keyOf(request: FastifyRequest): RequestKey | null {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key !== 'string' || key.length < 1 || key.length > MAX_KEY_CHARS || /[^\x20-\x7e]/.test(key)) {
    throw new Problems()
      .add('Idempotency-Key', `must be 1 to ${MAX_KEY_CHARS} printable ASCII characters`)
      .toError();
  }
  return { organizationId: request.principal.organizationId, key };
}

/**
 * Of the path without its prefix, and of the bytes of the body: another order of fields is another request. What a key
 * of one domain was answered is nothing for a key of another.
 */
function hashOf(request: FastifyRequest): Buffer {
  const path = request.routeOptions.url?.replace(/^(\/api)?\/v1/, '') ?? '';
  return createHash('sha256')
    .update(`${request.method} ${path}\n${request.principal.domain ?? ''}\n`)
    .update(bodyDigest(request) ?? '')
    .digest();
}

function conflict(what: string): ApiError {
  return new ApiError('IDEMPOTENCY_CONFLICT', [], `This Idempotency-Key ${what}.`, { retryAfterSeconds: 1 });
}
