/** Requests that no HTTP library would send, written to the socket as they are. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { parsed, problemOfEnvelope } from './check.ts';

const LINE = 'POST /api/v1/emails/send HTTP/1.1';
const HOST = 'Host: localhost';

/** Each is complete: whoever waits for more of it waits for nothing. */
export const RAW_REQUESTS: readonly string[] = [
  'BANANA\r\n\r\n',
  'GET / HTTP/9.9\r\n\r\n',
  'GET /api/v1/emails HTTP/1.1\r\n\r\n',
  `GET /api/v1/emails HTTP/1.1\r\n${HOST}\r\nHost: elsewhere\r\n\r\n`,
  `${LINE}\r\n${HOST}\r\nExpect: banana\r\nContent-Length: 2\r\n\r\n{}`,
  `${LINE}\r\n${HOST}\r\nContent-Length: -1\r\n\r\n`,
  `${LINE}\r\n${HOST}\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
  `${LINE}\r\n${HOST}\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  `${LINE}\r\n${HOST}\r\nTransfer-Encoding: banana\r\n\r\n`,
  `${LINE}\r\n${HOST}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n`,
  `${LINE}\r\n${HOST}\r\nX: a\nb: c\r\n\rd\r\n\r\n`,
  `${LINE}\r\n${HOST}\r\nX: ${'a'.repeat(40_000)}\r\n\r\n`,
  `GET /api/v1/emails?${'a'.repeat(40_000)} HTTP/1.1\r\n${HOST}\r\n\r\n`,
  `GET /api/v1/emails HTTP/1.1\r\n${HOST}\r\nConnection: Upgrade\r\nUpgrade: banana\r\nX: \u0000\r\n\r\n`,
  `HEAD /api/v1/events/stream HTTP/1.1\r\n${HOST}\r\nConnection: close\r\n\r\n`,
  `OPTIONS * HTTP/1.1\r\n${HOST}\r\nConnection: close\r\n\r\n`,
  `BREW /api/v1/emails HTTP/1.1\r\n${HOST}\r\nConnection: close\r\n\r\n`,
  `TRACE /api/v1/emails HTTP/1.1\r\n${HOST}\r\nConnection: close\r\n\r\n`,
  `DELETE /api/v1/emails HTTP/1.1\r\n${HOST}\r\nConnection: close\r\n\r\n`,
  `CONNECT localhost:25 HTTP/1.1\r\n${HOST}\r\n\r\n`,
  `GET http://elsewhere.example/ HTTP/1.1\r\n${HOST}\r\nConnection: close\r\n\r\n`,
  `GET /api/v1/%zz HTTP/1.1\r\n${HOST}\r\nConnection: close\r\n\r\n`,
  `GET /api/v1/../../etc/passwd HTTP/1.1\r\n${HOST}\r\nConnection: close\r\n\r\n`,
];

/** Null when it was refused in our words, or the connection closed; within the time limit either way. */
export async function problemOfRaw(url: string, text: string, limitMs: number): Promise<string | null> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  const signal = AbortSignal.timeout(limitMs);
  let answer = '';
  socket.on('data', (data: Buffer) => {
    answer += data.toString('latin1');
    // Answered: it need not hang up as well.
    if (isWhole(answer)) socket.destroy();
  });
  socket.on('error', () => undefined);
  socket.write(text, 'latin1');
  try {
    await once(socket, 'close', { signal });
  } catch {
    return `no answer within ${limitMs} ms`;
  } finally {
    socket.destroy();
  }
  return answer === '' ? null : problemOfAnswer(answer);
}

function isWhole(answer: string): boolean {
  const end = answer.indexOf('\r\n\r\n');
  const length = /^content-length: *(\d+)/im.exec(answer)?.[1];
  return end >= 0 && length !== undefined && answer.length >= end + 4 + Number(length);
}

function problemOfAnswer(answer: string): string | null {
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);
  if (Number.isNaN(status)) return `not HTTP: ${answer.slice(0, 200)}`;
  if (status >= 500) return `answers ${status}`;
  const body = answer.slice(answer.indexOf('\r\n\r\n') + 4);
  if (status < 400 || body === '') return null;
  const json = parsed(Buffer.from(body, 'latin1').toString());
  return json === undefined ? `${status} is not JSON: ${body.slice(0, 200)}` : problemOfEnvelope(json);
}
