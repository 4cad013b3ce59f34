/** Reads a whole body, within its route's limit and the body budget. */
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { bodyShareOf, SMALL_BYTES } from './body-budget.ts';
import { ApiError } from './errors.ts';

const MEBIBYTE = 1024 * 1024;
const DIGEST = Symbol('digest');

/**
 * The slowest permitted transfer of a body. A slow body holds its share of the budget: without this limit, a
 * few trickling connections would block everybody's large requests for the two minutes that a request may
 * take.
 */
interface BodyPace {
  readonly graceMs: number;
  /** Average since the end of the grace period. */
  readonly bytesPerSecond: number;
  readonly checkMs: number;
}

/** About 0.5 Mbit/s, after a grace period of 10 s for slow starts. */
const PACE: BodyPace = { graceMs: 10_000, bytesPerSecond: 64 * 1024, checkMs: 1_000 };
const TOO_SLOW = 'The body arrived too slowly. Send it faster than 64 KiB a second, or in smaller requests.';

type WithDigest = FastifyRequest & { [DIGEST]?: Buffer };

/** SHA-256 of the body, for a request with an Idempotency-Key; undefined without a body. */
export function bodyDigest(request: FastifyRequest): Buffer | undefined {
  return (request as WithDigest)[DIGEST];
}

/** The client closed the connection in the middle of the body, so no answer can be sent. */
export class ClientDisconnected extends Error {
  constructor() {
    super('the client went away before its body had arrived');
    this.name = 'ClientDisconnected';
  }
}

export async function readBody(
  request: FastifyRequest,
  payload: Readable,
  pace: BodyPace = PACE,
): Promise<Buffer> {
  const limit = request.routeOptions.bodyLimit;
  const said = Number(request.headers['content-length']);
  if (said > limit) throw tooLarge(limit);
  if (payload.destroyed) throw new ClientDisconnected(); // disconnected during authentication
  const chunks = await readChunks(request, payload, { limit, pace });
  const body = Buffer.concat(chunks);
  if (!Number.isNaN(said) && body.length !== said)
    throw new ApiError(
      'VALIDATION_ERROR',
      [],
      'The body and its Content-Length differ in length. Send the length of the body.',
    );
  return body;
}

function isSmall({ headers }: FastifyRequest): boolean {
  return Number(headers['content-length']) <= SMALL_BYTES;
}

function tooLarge(limit: number): ApiError {
  const said = limit % MEBIBYTE === 0 ? `${limit / MEBIBYTE} MiB` : `${limit / 1024} KiB`;
  return new ApiError('PAYLOAD_TOO_LARGE', [], `The body is larger than ${said}.`);
}

function readChunks(
  request: FastifyRequest,
  payload: Readable,
  { limit, pace }: { readonly limit: number; readonly pace: BodyPace },
): Promise<Buffer[]> {
  const share = bodyShareOf(request);
  // Hashed as the bytes arrive, so that 20 MiB are not hashed in one block.
  const hash = request.headers['idempotency-key'] === undefined ? null : createHash('sha256');
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const beganMs = performance.now();
    const settle = (error: Error | null): void => {
      clearInterval(watch);
      payload.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
      if (hash) (request as WithDigest)[DIGEST] = hash.digest();
      if (error) reject(error);
      else resolve(chunks);
    };
    const onData = (chunk: Buffer): void => {
      bytes += chunk.length;
      const refused = bytes > limit ? tooLarge(limit) : share?.grow(bytes);
      hash?.update(chunk);
      chunks.push(chunk);
      if (refused) settle(refused);
    };
    const isLate = () => bytes * 1_000 < (performance.now() - beganMs - pace.graceMs) * pace.bytesPerSecond;
    // Small bodies take nothing from the budget, and most bodies are small.
    const watch = isSmall(request)
      ? undefined
      : setInterval(() => isLate() && settle(new ApiError('REQUEST_TIMEOUT', [], TOO_SLOW)), pace.checkMs);
    const onEnd = () => settle(null);
    const onClose = () => settle(new ClientDisconnected());
    payload.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
    payload.resume();
  });
}
