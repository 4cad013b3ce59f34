/**
 * How much of bodies may be in memory at once. A body is held from when it begins to arrive until the request is
 * answered; without a bound, a few hundred requests of 20 MiB would be more than the machine has. What does not fit is
 * refused before a byte of it is read, and no one caller may have more than half.
 *
 * Small bodies are not counted: the connections that carry them cost as much. One that does not say how long it is
 * counts as the largest there may be.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from './errors.ts';

export interface BodyBudgetOptions {
  readonly totalBytes: number;
  /** The largest body that a request may have. */
  readonly largest: number;
}

const SMALL_BYTES = 64 * 1024;
const COME_BACK_SECONDS = 1;
const TOO_MUCH = 'Too many large requests are under way. Try again shortly, or send fewer at a time.';
const NOT_HERE = 'The body is larger than this request needs, or does not say how long it is.';

export class BodyBudget {
  readonly #options: BodyBudgetOptions;
  readonly #byCaller = new Map<string, number>();
  #used = 0;

  constructor(options: BodyBudgetOptions) {
    this.#options = options;
  }

  get usedBytes(): number {
    return this.#used;
  }

  /** Of every request whose body is about to be read. */
  register(app: FastifyInstance): void {
    app.addHook('preParsing', async (request, reply) => this.#admit(request, reply));
  }

  #admit(request: FastifyRequest, reply: FastifyReply): void {
    const bytes = sizeOf(request, this.#options.largest);
    if (bytes <= SMALL_BYTES) return;
    // Who has not said who they are has nothing large to say.
    if (request.routeOptions.config.public)
      throw closing(reply, new ApiError('PAYLOAD_TOO_LARGE', [], NOT_HERE));
    const caller = request.principal.organizationId;
    const own = (this.#byCaller.get(caller) ?? 0) + bytes;
    const { totalBytes } = this.#options;
    if (this.#used + bytes > totalBytes || own > totalBytes / 2) {
      const options = { retryAfterSeconds: COME_BACK_SECONDS };
      throw closing(reply, new ApiError('UNAVAILABLE', [], TOO_MUCH, options));
    }
    this.#byCaller.set(caller, own);
    this.#used += bytes;
    // However it ends: answered, broken off, or cut off for being slow.
    reply.raw.once('close', () => this.#giveBack(caller, bytes));
  }

  #giveBack(caller: string, bytes: number): void {
    this.#used -= bytes;
    const left = (this.#byCaller.get(caller) ?? 0) - bytes;
    if (left > 0) this.#byCaller.set(caller, left);
    else this.#byCaller.delete(caller);
  }
}

/** What follows on this connection is the body that nobody reads. */
function closing(reply: FastifyReply, error: ApiError): ApiError {
  reply.header('Connection', 'close');
  return error;
}

function sizeOf({ headers }: FastifyRequest, largest: number): number {
  if (headers['transfer-encoding'] !== undefined) return largest;
  return Math.min(Number(headers['content-length'] ?? 0), largest);
}
