/** Uses a real socket: what an attacker or a broken client would send. */
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asFull, exampleApp, FULL_KEY, goodLetter } from '../../test/support/http-example.ts';

let app: FastifyInstance;
let port: number;
beforeAll(async () => {
  app = exampleApp({ rateLimit: 100_000 });
  await app.listen({ host: '127.0.0.1', port: 0 });
  port = (app.server.address() as AddressInfo).port;
});
afterAll(() => app.close());

async function post(body: string | Buffer, headers: Record<string, string> = {}) {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/letters`, {
    method: 'POST',
    headers: { ...asFull, 'content-type': 'application/json', ...headers },
    body,
  });
  const { error } = (await response.json()) as {
    error: { code: string; message: string; details: object[] };
  };
  return { status: response.status, ...error };
}

/** The server's whole response to these bytes, until it closes. */
async function say(bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
  });
  socket.on('error', () => undefined);
  socket.write(bytes);
  await once(socket, 'close');
  return received;
}

const head = `POST /v1/letters HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${FULL_KEY}\r\nContent-Type: application/json\r\n`;

describe('a hostile body', () => {
  it('nested ten thousand deep is refused', async () => {
    const answer = await post(`{"data":{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}}`);
    expect(answer).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
    expect(answer.message).toMatch(/nested too deeply/);
  });

  it('of nothing but opening brackets is refused before it is parsed', async () => {
    const answer = await post('['.repeat(5_000_000));
    expect(answer.message).toMatch(/nested too deeply/);
  });

  it('as deep as template data may be is accepted', async () => {
    const data = JSON.parse(`${'{"a":'.repeat(12)}1${'}'.repeat(12)}`) as object;
    const response = await fetch(`http://127.0.0.1:${port}/v1/letters`, {
      method: 'POST',
      headers: { ...asFull, 'content-type': 'application/json' },
      body: JSON.stringify({ ...goodLetter, data }),
    });
    expect(response.status).toBe(201);
  });

  it('of 21 MiB is refused, and the client can read the reason', async () => {
    const answer = await post(JSON.stringify({ ...goodLetter, html: 'x'.repeat(21 * 1024 * 1024) }));
    expect(answer).toMatchObject({ status: 413, code: 'PAYLOAD_TOO_LARGE', details: [] });
  });

  it('of 21 MiB in chunks is refused', async () => {
    const mebibyte = 'x'.repeat(1024 * 1024);
    const chunk = `100000\r\n${mebibyte}\r\n`;
    const received = await say(`${head}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(21)}0\r\n\r\n`);
    expect(received).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('of just under 20 MiB is accepted', async () => {
    const response = await fetch(`http://127.0.0.1:${port}/v1/letters`, {
      method: 'POST',
      headers: { ...asFull, 'content-type': 'application/json' },
      body: JSON.stringify({ ...goodLetter, html: 'x'.repeat(20 * 1024 * 1024 - 500) }),
    });
    expect(response.status).toBe(201);
  });

  it.each([
    ['{"a": 1,}', /line 1, column 9/],
    ['{\n  "subject": "x"\n  "text": "y"\n}', /line 3, column 3/],
    ['{"a": ', /ends too early/],
    ['hello', /unexpected 'h' near "hello"/],
    [`{"a": "${'x'.repeat(1000)}", "b": nope}`, /unexpected 'o' near \.\.\."/],
  ])('that is not JSON is refused with the place: %#', async (body, place) => {
    const answer = await post(body);
    expect(answer).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
    expect(answer.message).toMatch(place);
  });

  it.each([
    '{"__proto__":{"admin":true}}',
    '{"data":{"\\u005f_proto__":1}}',
    '{"data":{"constructor":{"prototype":{}}}}',
  ])('that would poison a prototype is refused: %s', async (body) => {
    const answer = await post(body);
    expect(answer).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
    expect(answer.message).toMatch(/key that is not allowed/);
  });

  it.each([
    ['text/plain', '{}'],
    ['application/x-www-form-urlencoded', 'a=b'],
    ['application/jsonx', '{}'],
    ['multipart/form-data; boundary=x', '--x--'],
    ['nonsense', '{}'],
  ])('that says it is %s is not supported', async (type, body) => {
    expect(await post(body, { 'content-type': type })).toMatchObject({
      status: 415,
      code: 'UNSUPPORTED_MEDIA_TYPE',
      details: [],
    });
  });

  it('without a content type is not supported', async () => {
    const received = await say(
      `POST /v1/letters HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${FULL_KEY}\r\nContent-Length: 2\r\n\r\n{}`,
    );
    expect(received).toMatch(/^HTTP\/1\.1 415 /);
  });

  it('that is compressed is not supported', async () => {
    const answer = await post(gzipSync('{}'), { 'content-encoding': 'gzip' });
    expect(answer).toMatchObject({ status: 415, message: expect.stringMatching(/Content-Encoding/) });
  });

  it('that is not UTF-8 is refused instead of sending garbled mail', async () => {
    const answer = await post(Buffer.from('{"subject":"caf\xe9"}', 'latin1'));
    expect(answer.message).toMatch(/not valid UTF-8/);
  });

  it('with characters that cannot be stored is refused by field', async () => {
    const nul = await post('{"subject":"a\\u0000b"}');
    expect(nul.details).toEqual([{ field: 'subject', message: expect.stringMatching(/NUL/) }]);
    const half = await post('{"to":[{"name":"\\ud83d"}]}');
    expect(half.details).toEqual([{ field: 'to[0].name', message: expect.stringMatching(/surrogate/) }]);
  });

  it('with an escaped emoji is accepted', async () => {
    const response = await fetch(`http://127.0.0.1:${port}/v1/letters`, {
      method: 'POST',
      headers: { ...asFull, 'content-type': 'application/json' },
      body: JSON.stringify(goodLetter).replace('Hello', '\\ud83d\\ude00'),
    });
    expect(((await response.json()) as { data: { subject: string } }).data.subject).toBe('😀');
  });
});

describe('hostile HTTP', () => {
  it('that is garbage gets an envelope with the usual headers', async () => {
    const received = await say('EHLO mail.example.org\r\n\r\n');
    expect(received).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(received).toMatch(/\r\nx-request-id: req_/);
    expect(received).toMatch(/\r\nx-ratelimit-limit: 6000\r\n/);
    expect(received).toMatch(/\{"error":\{"code":"VALIDATION_ERROR"/);
  });

  it('with endless headers is refused', async () => {
    const received = await say(
      `GET /v1/letters HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(100_000)}\r\n\r\n`,
    );
    expect(received).toMatch(/^HTTP\/1\.1 431 [\s\S]*"code":"HEADERS_TOO_LARGE"/);
  });

  it('with an unsupported expectation gets an envelope with the usual headers', async () => {
    const received = await say(`${head}Expect: banana\r\nContent-Length: 2\r\n\r\n{}`);
    expect(received).toMatch(/^HTTP\/1\.1 417 [\s\S]*"code":"EXPECTATION_FAILED"/);
    expect(received).toMatch(/\r\nx-request-id: req_/);
    expect(received).toMatch(/\r\nx-ratelimit-limit: 6000\r\n/);
    expect(received).toMatch(/\r\nConnection: close\r\n/);
  });

  it("behind a valid request does not change that request's response", async () => {
    const good = `GET /v1/letters HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${FULL_KEY}\r\n\r\n`;
    const received = await say(`${good}EHLO mail.example.org\r\n\r\n`);
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
  });

  it.each([
    ['and more behind it', 'GET', '\r\nEHLO mail.example.org\r\n\r\n', 200],
    ['and a body', 'POST', 'Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}', 400],
    [
      'and malformed chunks',
      'POST',
      'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz',
      400,
    ],
  ])('with the offer of an upgrade %s is answered and over at once', async (_, method, rest, status) => {
    const line = `${method} /v1/letters HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${FULL_KEY}\r\n`;
    const received = await say(`${line}Connection: Upgrade\r\nUpgrade: h2c\r\n${rest}`);
    expect(received).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [\\s\\S]*connection: close`, 'i'));
  });

  it('with a malformed body is answered once, though its head alone was refused', async () => {
    const refused = 'POST /v1/letters HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n';
    expect((await say(refused)).match(/HTTP\/1\.1 \d+/g)).toHaveLength(1);
  });

  it('that treats the server as a proxy is refused', async () => {
    const received = await say('CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n');
    expect(received).toMatch(/^HTTP\/1\.1 400 [\s\S]*"code":"VALIDATION_ERROR"/);
  });

  it('that breaks off in the middle of a body is not logged as a failure', async () => {
    const lines: string[] = [];
    const noted = exampleApp({
      log: pino({ level: 'info' }, { write: (line: string) => void lines.push(line) }),
      isUnavailable: () => true,
    });
    const reading = new Promise<void>((resolve) => {
      noted.addHook('preParsing', async () => resolve());
    });
    const given = new Promise<number>((resolve) => {
      noted.addHook('onSend', async (_request, reply) => resolve(reply.statusCode));
    });
    await noted.listen({ host: '127.0.0.1', port: 0 });
    const socket = connect((noted.server.address() as AddressInfo).port, '127.0.0.1');
    socket.write(`${head}Content-Length: 1000\r\n\r\n{`);
    await reading;
    socket.destroy();
    expect(await given).toBe(400);
    await noted.close();
    expect(lines.filter((line) => JSON.parse(line).level >= 40 || line.includes('"stack"'))).toEqual([]);
  });

  it.each([
    ['without a Host', '', 'no Host header'],
    ['with two Hosts', 'Host: x\r\nHost: y\r\n', 'more than one Host header'],
    ['with the same Host twice', 'host: x\r\nHOST: x\r\n', 'more than one Host header'],
  ])('%s gets an envelope', async (_, hosts, words) => {
    for (const path of ['/v1/letters', '/healthz', '/nowhere']) {
      const received = await say(`GET ${path} HTTP/1.1\r\n${hosts}Authorization: Bearer ${FULL_KEY}\r\n\r\n`);
      expect(received).toMatch(/^HTTP\/1\.1 400 [\s\S]*x-request-id: req_/i);
      const { error } = JSON.parse(received.slice(received.indexOf('{')));
      expect(error).toMatchObject({ code: 'VALIDATION_ERROR', message: expect.stringContaining(words) });
    }
  });

  it('without Host in HTTP/1.0 is answered', async () => {
    expect(await say('GET /healthz HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('with two Authorization headers is not authenticated', async () => {
    const received = await say(
      `GET /v1/letters HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${FULL_KEY}\r\nAuthorization: Bearer other\r\n\r\n`,
    );
    expect(received).toMatch(/^HTTP\/1\.1 401 /);
  });

  it.each([
    ['two lengths', 'Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}'],
    ['a length and chunks', 'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['a negative length', 'Content-Length: -1\r\n\r\n{}'],
    ['a bare line feed in a header', 'X-A: b\nX-C: d\r\n\r\n'],
    ['a NUL in a header', 'X-A: b\0c\r\n\r\n'],
    ['a chunk of no size', 'Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n'],
    ['a length that is no number', 'Content-Length: two\r\n\r\n{}'],
  ])('with %s never reaches a route', async (_, rest) => {
    expect(await say(head + rest)).toMatch(
      /^HTTP\/1\.1 400 [\s\S]*\r\nConnection: close\r\n[\s\S]*\{"error":\{"code":/i,
    );
  });

  it.each([
    'OPTIONS * HTTP/1.1',
    'GET http://elsewhere.example/v1/nothing HTTP/1.1',
    'GET /../../etc/passwd HTTP/1.1',
  ])('that asks for %s gets a plain refusal', async (line) => {
    expect(await say(`${line}\r\nHost: x\r\nConnection: close\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 404 [\s\S]*NOT_FOUND/,
    );
  });

  it('leaves the server running', async () => {
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
  });
});
