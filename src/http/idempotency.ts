/**
 * `Idempotency-Key`: the same request twice is done once, and answered twice with the same words.
 *
 * The first request with a key runs; the answer is stored in the very transaction that does the work, so that a
 * crash leaves either both or neither. Others with the same key and body wait for it and replay it; one that has
 * waited too long, or has another body, gets 409. What failed on our side (5xx) or was turned away for now (429)
 * is not stored: a retry is meant to work.
 */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Sql } from '../database/sql.ts';
import { ApiError, envelopeOf } from './errors.ts';
import { begin, completeAll, find, forget, type RequestKey, type StoredAnswer } from './idempotency-store.ts';
import { Problems } from './problems.ts';

const MAX_KEY_CHARS = 256;

/** For the documentation of routes that honour it. Other headers are nobody's business here. */
export const idempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      description:
        'Any text of up to 256 characters. The same request with the same key is done once, for 24 hours.',
    }),
  ),
});
const POLL_MS = 25;
/** A request that waits behind its twin gives up before its caller does. */
const WAIT_MS = 10_000;

/** Does the work. With a key, it must store the answer under it in its own transaction. */
export type Work<Body> = (key: RequestKey | null) => Promise<StoredAnswer<Body>>;

export async function answerOnce<Body>(
  db: Sql,
  request: FastifyRequest,
  reply: FastifyReply,
  work: Work<Body>,
): Promise<Body> {
  const key = keyOf(request);
  const answer = key === null ? await work(null) : await runOrReplay(db, request, reply, key, work);
  reply.code(answer.status);
  return answer.body as Body; // a refusal is replayed in its own shape, which no schema serializes
}

async function runOrReplay(
  db: Sql,
  request: FastifyRequest,
  reply: FastifyReply,
  key: RequestKey,
  work: Work<unknown>,
): Promise<StoredAnswer> {
  const hash = hashOf(request);
  const deadline = performance.now() + WAIT_MS;
  while (!(await begin(db, key, hash))) {
    const found = await find(db, key, hash);
    if (found?.kind === 'other_body') throw conflict('was used with a different body or path');
    if (found?.kind === 'answered') {
      reply.header('Idempotent-Replayed', 'true');
      return found.answer;
    }
    if (performance.now() > deadline) throw conflict('belongs to a request that is still running');
    await sleep(POLL_MS);
  }
  return runFirst(db, key, work);
}

async function runFirst(db: Sql, key: RequestKey, work: Work<unknown>): Promise<StoredAnswer> {
  try {
    return await work(key);
  } catch (error) {
    const isFinal = error instanceof ApiError && error.statusCode < 500 && error.statusCode !== 429;
    if (!isFinal) {
      await forget(db, key).catch(() => {}); // left behind, it is taken over once it counts as abandoned
      throw error;
    }
    const answer = { status: error.statusCode, body: envelopeOf(error) };
    await completeAll(db, [{ ...key, answer }]);
    return answer;
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

/** Of the path without its prefix, and of the body whatever the order of its fields. */
function hashOf(request: FastifyRequest): Buffer {
  const path = request.routeOptions.url?.replace(/^(\/api)?\/v1/, '') ?? '';
  return createHash('sha256')
    .update(`${request.method} ${path}\n${canonical(request.body)}`)
    .digest();
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, inner]) => `${JSON.stringify(name)}:${canonical(inner)}`).join(',')}}`;
}

function conflict(what: string): ApiError {
  return new ApiError('IDEMPOTENCY_CONFLICT', [], `This Idempotency-Key ${what}.`, { retryAfterSeconds: 1 });
}
