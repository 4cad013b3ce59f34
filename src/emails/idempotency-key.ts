/**
 * `Idempotency-Key`: the same request twice is done once, and answered twice with the same words.
 *
 * The first request with a key runs; the answer is stored in the very transaction that does the work, so that a
 * crash leaves either both or neither. Others with the same key and body wait for it and replay it, before their body
 * is judged: what was in time then may be in the past now. One that has waited too long, or has another body, gets 409.
 *
 * While a request runs its process says so every second. When it stops saying so, the next one with the key takes over,
 * as a new run. Only the run that the key belongs to can complete: one that was taken over and lives finds out in its own
 * transaction, which is taken back, and answers what the other one did.
 *
 * Kept are answers that changed something, and refusals that the request alone is the reason of: those would be
 * the same for ever. Whatever depends on anything else (the suppression list, a domain, a template, a limit, us) is
 * not: once its cause is gone, a retry is meant to work.
 */
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest, preValidationAsyncHookHandler } from 'fastify';
import { Type } from 'typebox';
import { isTakenOver } from '../kit/database/errors.ts';
import type { Sql } from '../kit/database/sql.ts';
import { bodyDigest } from '../kit/http/body-reader.ts';
import { ApiError, apiErrorOf, envelopeOf } from '../kit/http/errors.ts';
import { Problems } from '../kit/problems.ts';
import { ServiceError } from '../kit/service-error.ts';
import {
  begin,
  completeAll,
  find,
  forget,
  keepAlive,
  type RequestKey,
  type StoredAnswer,
} from './idempotency-store.ts';

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
const ALIVE_EVERY_MS = 1_000;
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
    else return replay(reply, answer);
  };
}

const begun = new WeakMap<FastifyRequest, RequestKey>();

function replay(reply: FastifyReply, answer: StoredAnswer): FastifyReply {
  reply.header('Content-Type', 'application/json; charset=utf-8').header('Idempotent-Replayed', 'true');
  return reply.code(answer.status).send(JSON.stringify(answer.body));
}

export async function answerOnce<Body>(
  db: Sql,
  request: FastifyRequest,
  reply: FastifyReply,
  work: Work<Body>,
): Promise<Body | FastifyReply> {
  const key = begun.get(request) ?? null;
  const alive = key === null ? undefined : stayAlive(db, key);
  try {
    if (request.validationError) throw request.validationError;
    const answer = await work(key);
    reply.code(answer.status);
    return answer.body;
  } catch (error) {
    if (key !== null && isTakenOver(error)) return replay(reply, await answerOfOther(db, request, key));
    if (key !== null) await endRefused(db, key, request, error);
    throw error;
  } finally {
    clearInterval(alive);
  }
}

/** Most requests are answered before the first time. */
function stayAlive(db: Sql, key: RequestKey): NodeJS.Timeout {
  return setInterval(() => void keepAlive(db, [key]).catch(() => {}), ALIVE_EVERY_MS).unref();
}

/** What the run answered that took over from this one. */
async function answerOfOther(db: Sql, request: FastifyRequest, key: RequestKey): Promise<StoredAnswer> {
  const deadline = performance.now() + WAIT_MS;
  while (performance.now() < deadline) {
    const found = await find(db, key, hashOf(request));
    if (found?.kind === 'answered') return found.answer;
    if (found?.kind !== 'running') break;
    await sleep(POLL_MS);
  }
  throw conflict('was taken over by another request, which has not been answered yet');
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

async function endRefused(db: Sql, key: RequestKey, request: FastifyRequest, thrown: unknown): Promise<void> {
  const error = thrown instanceof ServiceError ? apiErrorOf(thrown) : thrown;
  if (error instanceof ApiError && (thrown === request.validationError || error.ofRequestAlone)) {
    const answer = { status: error.statusCode, body: envelopeOf(error) };
    await completeAll(db, [{ ...key, answer }]).catch(orTakenOver);
  } else {
    await forget(db, key).catch(() => {}); // left behind, it is taken over once it counts as abandoned
  }
}

/** Whoever took over finds the same refusal. */
function orTakenOver(error: unknown): void {
  if (!isTakenOver(error)) throw error;
}

function keyOf(request: FastifyRequest): RequestKey | null {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key !== 'string' || key.length < 1 || key.length > MAX_KEY_CHARS || /[^\x20-\x7e]/.test(key)) {
    throw new Problems()
      .add('Idempotency-Key', `must be 1 to ${MAX_KEY_CHARS} printable ASCII characters`)
      .toError();
  }
  return { organizationId: request.principal.organizationId, key, run: randomUUID() };
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
