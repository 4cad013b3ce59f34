/**
 * Answers input that never becomes a request of the application: invalid HTTP, oversized headers, a client
 * that stops in the middle, unsupported expectations. The answer uses the usual envelope and closes the
 * connection.
 */
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { callerOfAddress } from '../runtime/caller-address.ts';
import { newId } from '../runtime/ids.ts';
import { ApiError, envelopeOf } from './errors.ts';
import { type RateLimiter, rateLimitHeaders } from './rate-limit.ts';

const GARBAGE = 'This is not a valid HTTP request. Correct the request line and the headers.';

/** The response in progress on each connection, so that an error answer never replaces it. */
const underWay = new WeakMap<Socket, ServerResponse>();

export function createClientErrorHandler(limiter: RateLimiter) {
  return (error: Error & { code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const say = () => answer(socket, errorOf(error.code), limiter);
    const response = underWay.get(socket);
    if (response === undefined) say();
    else if (response.req.complete) sayBehind(response, say);
    else if (response.headersSent)
      socket.end(); // the body is malformed, but the response has already begun
    else say();
  };
}

/** An error in data behind a complete request must not replace that request's response. */
function sayBehind(response: ServerResponse, say: () => void): void {
  if (response.writableFinished) say();
  else response.once('finish', say);
}

/** Takes over the cases that Node would answer on its own or leave unanswered. */
export function answerOddities(server: Server, limiter: RateLimiter): void {
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    underWay.set(request.socket, response);
  });
  server.on('checkExpectation', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const error = new ApiError('EXPECTATION_FAILED');
    const body = JSON.stringify(envelopeOf(error));
    response.writeHead(error.statusCode, headersFor(body, socket, limiter)).end(body);
  });
  server.on('connect', (_request, socket: Socket) => {
    socket.on('error', () => socket.destroy());
    answer(
      socket,
      new ApiError('VALIDATION_ERROR', [], 'This server is not a proxy. Send the request with a path alone.'),
      limiter,
    );
  });
}

function errorOf(code: string | undefined): ApiError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new ApiError('REQUEST_TIMEOUT');
  if (code === 'HPE_HEADER_OVERFLOW') return new ApiError('HEADERS_TOO_LARGE');
  return new ApiError('VALIDATION_ERROR', [], GARBAGE);
}

function answer(socket: Socket, error: ApiError, limiter: RateLimiter): void {
  if (!socket.writable) return;
  const body = JSON.stringify(envelopeOf(error));
  const lines = Object.entries(headersFor(body, socket, limiter)).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const status = `${error.statusCode} ${STATUS_CODES[error.statusCode]}`;
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`);
}

function headersFor(body: string, socket: Socket, limiter: RateLimiter): Record<string, string> {
  return {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
    'x-request-id': newId('req'),
    ...rateLimitHeaders(limiter.peek(callerOfAddress(socket.remoteAddress))),
  };
}
