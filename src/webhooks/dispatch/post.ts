/**
 * Sends one HTTP POST and reports the facts. No policy: another module interprets the answer.
 *
 * It owns the connections that are kept alive between attempts. It follows no redirects and reads at most 16 KB of the answer.
 * The whole request, from name resolution to the last byte, takes at most 15 seconds.
 */
import { Agent, type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps, Agent as TlsAgent } from 'node:https';
import { connectionWords } from '../../protocols/fetch/failure-text.ts';
import type { Guard } from '../../protocols/fetch/guard-address.ts';

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
/** Unused kept-alive connections are closed after this time. */
const IDLE_MS = 20_000;
/** Per host: endpoints of many customers may share a host. */
const FREE_SOCKETS = 256;

export function createPoster({ guard, timeoutMs = TIMEOUT_MS }: PosterOptions): Poster {
  const agents = {
    'http:': new Agent({ keepAlive: true, maxFreeSockets: FREE_SOCKETS, timeout: IDLE_MS }),
    'https:': new TlsAgent({ keepAlive: true, maxFreeSockets: FREE_SOCKETS, timeout: IDLE_MS }),
  };
  /** The abort function of each request in progress. */
  const underWay = new Set<() => void>();
  let closed = false;

  const attempt = (target: URL, headers: Readonly<Record<string, string>>, body: string, fresh: boolean) => {
    const secure = target.protocol === 'https:';
    const agent = agents[secure ? 'https:' : 'http:'];
    const options: RequestOptions = {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      agent: fresh ? false : agent,
      lookup: guard.lookupFor(target),
    };
    return exchange((secure ? requestHttps : requestHttp)(target, options), body, timeoutMs, underWay);
  };

  return {
    async post(url, headers, body) {
      const target = new URL(url);
      const startedMs = performance.now();
      const latencyMs = () => Math.round(performance.now() - startedMs);
      try {
        guard.check(target);
        const answer = await attempt(target, headers, body, false).catch((error: unknown) => {
          // The server closed a kept-alive connection at the moment of its reuse.
          if (error instanceof StaleConnection) return attempt(target, headers, body, true);
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
      for (const hangUp of underWay) hangUp();
      for (const agent of Object.values(agents)) agent.destroy();
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
  request: ReturnType<typeof requestHttp>,
  body: string,
  timeoutMs: number,
  underWay: Set<() => void>,
): Promise<Exchanged> {
  return new Promise((resolve, reject) => {
    const hangUp = (error: Error) => void request.destroy(error);
    const timer = setTimeout(() => hangUp(new RequestTimeout()), timeoutMs); // creating the error in advance costs more than the rest
    const abort = () => hangUp(new Error('closing'));
    underWay.add(abort);
    const end = () => {
      clearTimeout(timer);
      underWay.delete(abort);
    };
    let answered = false;
    request.once('response', (response) => {
      // The status is known, whatever happens to the body.
      answered = true;
      void readAnswer(response).then((text) => {
        end();
        resolve({
          status: response.statusCode ?? 0,
          retryAfter: response.headers['retry-after'],
          text,
          headers: keptHeaders(response),
        });
      });
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (answered) return;
      end();
      const stale = request.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
      reject(stale ? new StaleConnection() : error);
    });
    request.end(body);
  });
}

/** As many headers as fit, without session cookies. */
function keptHeaders({ headers }: IncomingMessage): Record<string, string> {
  const kept: Record<string, string> = {};
  let left = KEPT_HEADER_CHARS;
  for (const [name, value] of Object.entries(headers)) {
    const text = String(value);
    left -= name.length + text.length;
    if (left < 0) break;
    if (name !== 'set-cookie') kept[name] = text;
  }
  return kept;
}

/** Never rejects: an interrupted answer ends where it broke off. */
function readAnswer(response: IncomingMessage): Promise<string> {
  return new Promise((resolve) => {
    const kept: Buffer[] = [];
    let bytes = 0;
    response.on('data', (chunk: Buffer) => {
      if (bytes < KEPT_ANSWER_BYTES) kept.push(chunk.subarray(0, KEPT_ANSWER_BYTES - bytes));
      bytes += chunk.length;
      if (bytes > MAX_ANSWER_BYTES) response.destroy();
    });
    response.on('error', () => {});
    response.once('close', () => {
      // PostgreSQL cannot store NUL.
      resolve(Buffer.concat(kept).toString('utf8').replaceAll('\0', '\uFFFD'));
    });
  });
}

function inWords(error: unknown, timeoutMs: number): string {
  return error instanceof RequestTimeout
    ? `no answer within ${timeoutMs / 1000} seconds`
    : connectionWords(error);
}
