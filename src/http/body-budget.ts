/**
 * How much of bodies may be in memory at once. A body is held from when it begins to arrive until the request is
 * answered; without a bound, a few hundred requests of 20 MiB would be more than the machine has. What does not fit is
 * refused before a byte of it is read, and no one caller may have more than half.
 *
 * Small bodies are not counted: the connections that carry them cost as much. One that does not say how long it is
 * counts as far as it has arrived, and is broken off where that is too much.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { SharedRoom } from '../runtime/work-loop/shared-room.ts';
import { ApiError } from './errors.ts';

export interface BodyBudgetOptions {
  readonly totalBytes: number;
  /** The largest body that a request may have. */
  readonly largest: number;
}

export const SMALL_BYTES = 64 * 1024;
const COME_BACK_SECONDS = 1;
const TOO_MUCH = 'Too many large requests are in progress. Try again shortly, or send fewer at a time.';
const NOT_HERE = 'The body is larger than this request needs.';

const SHARE = Symbol('share');

type WithShare = FastifyRequest & { [SHARE]?: BodyShare };

/** None where bodies are not counted: outside of the API. */
export function bodyShareOf(request: FastifyRequest): BodyShare | undefined {
  return (request as WithShare)[SHARE];
}

export class BodyBudget extends SharedRoom {
  readonly #largest: number;

  constructor({ totalBytes, largest }: BodyBudgetOptions) {
    super(totalBytes);
    this.#largest = largest;
  }

  /** Of every request whose body is about to be read. */
  register(app: FastifyInstance): void {
    app.addHook('preParsing', (request, reply, _payload, done) => {
      const share = new BodyShare(this, request, reply);
      (request as WithShare)[SHARE] = share;
      done(share.grow(saidOf(request, this.#largest)));
    });
  }
}

/** What one request holds of the budget. */
export class BodyShare {
  readonly #budget: SharedRoom;
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;
  #held = 0;

  constructor(budget: SharedRoom, request: FastifyRequest, reply: FastifyReply) {
    this.#budget = budget;
    this.#request = request;
    this.#reply = reply;
  }

  /** Makes it as much as this, or says why it cannot be. */
  grow(bytes: number): ApiError | undefined {
    if (bytes <= SMALL_BYTES || bytes <= this.#held) return undefined;
    // Who has not said who they are has nothing large to say.
    if (this.#request.routeOptions.config.public)
      return this.#closing(new ApiError('PAYLOAD_TOO_LARGE', [], NOT_HERE));
    const caller = this.#request.principal.organizationId;
    if (!this.#budget.take(caller, bytes - this.#held)) {
      const options = { retryAfterSeconds: COME_BACK_SECONDS };
      return this.#closing(new ApiError('UNAVAILABLE', [], TOO_MUCH, options));
    }
    // However it ends: answered, broken off, or cut off for being slow.
    if (this.#held === 0) this.#reply.raw.once('close', () => this.#budget.giveBack(caller, this.#held));
    this.#held = bytes;
    return undefined;
  }

  /** What follows on this connection is the body that nobody reads. */
  #closing(error: ApiError): ApiError {
    this.#reply.header('Connection', 'close');
    return error;
  }
}

/** How large the request says that its body is. */
function saidOf({ headers }: FastifyRequest, largest: number): number {
  return Math.min(Number(headers['content-length'] ?? 0), largest);
}
