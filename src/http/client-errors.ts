/**
 * Answers connections that never became a request: garbage instead of HTTP, oversized headers, a client that stops
 * in the middle. Below the API the status is HTTP's own; the envelope is the usual one.
 */
import type { Socket } from 'node:net';
import { newId } from '../runtime/ids.ts';
import { ApiError, envelopeOf } from './errors.ts';
import { callerOfAddress, type RateLimiter, rateLimitHeaders } from './rate-limit.ts';

const ANSWERS: Readonly<Record<string, readonly [string, string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive.'],
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers are too large.'],
};
const GARBAGE = ['400 Bad Request', 'This is not a valid HTTP request.'] as const;

export function createClientErrorHandler(limiter: RateLimiter) {
  return (error: Error & { code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const [status, message] = ANSWERS[error.code ?? ''] ?? GARBAGE;
    const body = JSON.stringify(envelopeOf(new ApiError('VALIDATION_ERROR', [], message)));
    const headers = {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': String(Buffer.byteLength(body)),
      Connection: 'close',
      'X-Request-Id': newId('req'),
      ...rateLimitHeaders(limiter.peek(callerOfAddress(socket.remoteAddress))),
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`);
  };
}
