/**
 * Sends one HTTP POST and reports the facts. No policy: another module interprets the answer.
 *
 * It follows no redirects and reads at most 16 KB of the answer. The whole request, from name resolution to the last byte, takes
 * at most 15 seconds.
 */
import type { Dispatcher } from 'undici';
import { connectionWords } from '../../protocols/fetch/failure-text.ts';
import type { Guard } from '../../protocols/fetch/guard-address.ts';
import { type Connection, KeptConnections } from './kept-connections.ts';

export type PostResult =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly retryAfter: string | undefined;
      /** The first 1 KB of the body. */
      readonly text: string;
      /** The first 1 KB of the headers, for display. */
      readonly headers: Readonly<Record<string, string>>;
      readonly latencyMs: number;
    }
  | { readonly kind: 'unanswered'; readonly error: string; readonly latencyMs: number }
  /** Postrider aborted the request because this process is stopping. */
  | { readonly kind: 'aborted' };

export interface Poster {
  post(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<PostResult>;
  /** Aborts all requests in progress. */
  close(): void;
}

interface PosterOptions {
  readonly guard: Guard;
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 15_000;
const MAX_ANSWER_BYTES = 16 * 1024;
const KEPT_ANSWER_BYTES = 1024;
const KEPT_HEADER_CHARS = 1024;
/** Of a kept-alive connection that the server has closed. */
const CLOSED_CODES: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

export function createPoster({ guard, timeoutMs = TIMEOUT_MS }: PosterOptions): Poster {
  const connections = new KeptConnections(guard);
  let closed = false;

  const attempt = async (target: URL, request: Dispatcher.DispatchOptions, isFresh: boolean) => {
    const connection = await connections.take(target, isFresh);
    try {
      const answer = await exchange(connection, request, timeoutMs);
      connections.giveBack(connection);
      return answer;
    } catch (error) {
      connections.drop(connection);
      throw error;
    }
  };

  return {
    async post(url, headers, body) {
      const target = new URL(url);
      const startedMs = performance.now();
      const latencyMs = () => Math.round(performance.now() - startedMs);
      const path = `${target.pathname}${target.search}`;
      const request = { method: 'POST', origin: target.origin, path, headers, body } as const;
      try {
        guard.check(target);
        const answer = await attempt(target, request, false).catch((error: unknown) => {
          // The server closed a kept-alive connection at the moment of its reuse.
          if (error instanceof StaleConnection) return attempt(target, request, true);
          throw error;
        });
        return { kind: 'answered', ...answer, latencyMs: latencyMs() };
      } catch (error) {
        if (closed) return { kind: 'aborted' };
        return { kind: 'unanswered', error: inWords(error, timeoutMs), latencyMs: latencyMs() };
      }
    },
    close() {
      closed = true;
      connections.close();
    },
  };
}

class StaleConnection extends Error {}
class RequestTimeout extends Error {}

interface Exchanged {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

function exchange(
  { client, isReused }: Connection,
  request: Dispatcher.DispatchOptions,
  timeoutMs: number,
): Promise<Exchanged> {
  return new Promise((resolve, reject) => {
    const answer = new Answer();
    // Until the request starts, there is only the connection to wait for; dropping it takes the request back.
    let hangUp: (error: Error) => void = reject;
    const timer = setTimeout(() => hangUp(new RequestTimeout()), timeoutMs); // creating the error in advance costs more than the rest
    const end = () => {
      clearTimeout(timer);
      resolve(answer.read());
    };
    client.dispatch(request, {
      onRequestStart: (controller) => {
        hangUp = (error) => controller.abort(error);
      },
      onResponseStart: (_controller, status, headers) => answer.begin(status, headers),
      onResponseData: (controller, chunk) => {
        if (answer.add(chunk) > MAX_ANSWER_BYTES) controller.abort(new Error('the answer is too long'));
      },
      onResponseEnd: end,
      onResponseError: (_controller, error) => {
        // The status is known, whatever happens to the body.
        if (answer.hasBegun) return end();
        clearTimeout(timer);
        reject(isReused && isClosed(error) ? new StaleConnection() : error);
      },
    });
  });
}

function isClosed(error: Error): boolean {
  return CLOSED_CODES.has((error as NodeJS.ErrnoException).code);
}

/** An interrupted answer ends where it broke off. */
class Answer {
  #status = 0;
  #headers: Readonly<Record<string, string | string[] | undefined>> = {};
  #bytes = 0;
  readonly #kept: Buffer[] = [];

  get hasBegun(): boolean {
    return this.#status !== 0;
  }

  begin(status: number, headers: Readonly<Record<string, string | string[] | undefined>>): void {
    this.#status = status;
    this.#headers = headers;
  }

  /** Returns how many bytes there are so far. */
  add(chunk: Buffer): number {
    if (this.#bytes < KEPT_ANSWER_BYTES) this.#kept.push(chunk.subarray(0, KEPT_ANSWER_BYTES - this.#bytes));
    this.#bytes += chunk.length;
    return this.#bytes;
  }

  read(): Exchanged {
    const retryAfter = this.#headers['retry-after'];
    return {
      status: this.#status,
      retryAfter: Array.isArray(retryAfter) ? retryAfter[0] : retryAfter,
      // PostgreSQL cannot store NUL.
      text: Buffer.concat(this.#kept).toString('utf8').replaceAll('\0', '\uFFFD'),
      headers: this.#keptHeaders(),
    };
  }

  /** As many headers as fit, without session cookies. */
  #keptHeaders(): Record<string, string> {
    const kept: Record<string, string> = {};
    let left = KEPT_HEADER_CHARS;
    for (const [name, value] of Object.entries(this.#headers)) {
      const text = String(value);
      left -= name.length + text.length;
      if (left < 0) break;
      if (name !== 'set-cookie') kept[name] = text;
    }
    return kept;
  }
}

function inWords(error: unknown, timeoutMs: number): string {
  return error instanceof RequestTimeout
    ? `no answer within ${timeoutMs / 1000} seconds`
    : connectionWords(error);
}
