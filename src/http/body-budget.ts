/**
 * Limits the memory taken by request bodies. A body counts from its first byte until the request is answered;
 * without a limit, a few hundred requests of 20 MiB would exhaust the memory. A body that does not fit is
 * refused before any of it is read. One caller may use at most half of the budget.
 *
 * Small bodies are not counted: their connections cost as much memory. A body of unknown length counts as it
 * arrives, and is cut off when it exceeds the budget.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { SharedCapacity } from '../runtime/work-loop/shared-capacity.ts';
import { ApiError } from './errors.ts';

interface BodyBudgetOptions {
  readonly totalBytes: number;
  /** The largest body that a request may have. */
  readonly largest: number;
}

export const SMALL_BYTES = 64 * 1024;
const COME_BACK_SECONDS = 1;
const TOO_MUCH = 'Too many large requests are in progress. Try again shortly, or send fewer at a time.';
const NOT_HERE = 'The body is larger than this request needs. Send only the fields that it takes.';

const SHARE = Symbol('share');

type WithShare = FastifyRequest & { [SHARE]?: BodyShare };

/** Undefined outside the API, where bodies are not counted. */
export function bodyShareOf(request: FastifyRequest): BodyShare | undefined {
  return (request as WithShare)[SHARE];
}

export class BodyBudget extends SharedCapacity {
  readonly #largest: number;

  constructor({ totalBytes, largest }: BodyBudgetOptions) {
    super(totalBytes);
    this.#largest = largest;
  }

  /** Called for every request whose body is about to be read. */
  register(app: FastifyInstance): void {
    app.addHook('preParsing', (request, reply, _payload, done) => {
      const share = new BodyShare(this, request, reply);
      (request as WithShare)[SHARE] = share;
      done(share.grow(saidOf(request, this.#largest)));
    });
  }
}

/** The share of the budget that one request holds. */
class BodyShare {
  readonly #budget: SharedCapacity;
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;
  #held = 0;

  constructor(budget: SharedCapacity, request: FastifyRequest, reply: FastifyReply) {
    this.#budget = budget;
    this.#request = request;
    this.#reply = reply;
  }

  /** Raises the share to this many bytes, or returns why that is refused. */
  grow(bytes: number): ApiError | undefined {
    if (bytes <= SMALL_BYTES || bytes <= this.#held) return undefined;
    // Unauthenticated requests need no large bodies.
    if (this.#request.routeOptions.config.public)
      return this.#closing(new ApiError('PAYLOAD_TOO_LARGE', [], NOT_HERE));
    const caller = this.#request.principal.organizationId;
    if (!this.#budget.take(caller, bytes - this.#held)) {
      const options = { retryAfterSeconds: COME_BACK_SECONDS };
      return this.#closing(new ApiError('UNAVAILABLE', [], TOO_MUCH, options));
    }
    // Runs at every end: answered, aborted, or cut off for being slow.
    if (this.#held === 0) this.#reply.raw.once('close', () => this.#budget.release(caller, this.#held));
    this.#held = bytes;
    return undefined;
  }

  /** Closes the connection, because the rest of the unread body follows on it. */
  #closing(error: ApiError): ApiError {
    this.#reply.header('Connection', 'close');
    return error;
  }
}

/** The declared size of the request body. */
function saidOf({ headers }: FastifyRequest, largest: number): number {
  return Math.min(Number(headers['content-length'] ?? 0), largest);
}
