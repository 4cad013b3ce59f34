/** Under overload the API refuses at once, stays within its memory limits, and keeps serving. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { letter } from '../support/emails.ts';

const MIB = 1024 * 1024;

let server: TestApi;
let org: TestOrganization;
let other: TestOrganization;
const sockets: Socket[] = [];

beforeAll(async () => {
  server = await startApi();
  org = await server.createOrganization();
  other = await server.createOrganization('Other');
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) {
    socket.destroy();
    if (!socket.closed) await once(socket, 'close');
  }
});
afterAll(() => server.stop());

/** Sends the head of a request, and waits for an answer only. */
async function begin(lines: readonly string[]): Promise<{ socket: Socket; answer: Promise<string> }> {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  await once(socket, 'connect');
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  const answer = Promise.race([once(socket, 'data'), once(socket, 'close')]).then(() => text);
  socket.on('error', () => {});
  socket.write(lines.join('\r\n'));
  return { socket, answer };
}

const head = (key: string, length: string, path = '/api/v1/emails/send') => [
  `POST ${path} HTTP/1.1`,
  'Host: localhost',
  `Authorization: Bearer ${key}`,
  'Content-Type: application/json',
  length,
  '',
  '',
];

/** Sends only the head of a request with a large body. The 100 response confirms that the API waits for the body. */
async function holdLarge(key: string): Promise<void> {
  const lines = head(key, `Content-Length: ${20 * MIB}\r\nExpect: 100-continue`);
  const { socket } = await begin(lines);
  socket.write('{');
  await server.api('GET', '/domains', undefined, org.key); // by its answer the requests before it were seen
}

describe('large bodies that arrive together', () => {
  it('are refused when one organization has too many, which leaves the others theirs', async () => {
    for (let i = 0; i < 2; i += 1) await holdLarge(org.key);
    const { answer } = await begin(head(org.key, `Content-Length: ${20 * MIB}`));
    expect(await answer).toMatch(/^HTTP\/1\.1 503 /);
    expect(await answer).toMatch(/^retry-after: 1\r$/im);
    expect(await answer).toContain('"code":"UNAVAILABLE"');
    const sent = await server.api(
      'POST',
      '/emails/send',
      letter(other, { html: 'x'.repeat(MIB) }),
      other.key,
    );
    expect(sent.status).toBe(201);
  });

  it('are refused when all together are too many, while small ones pass', async () => {
    for (const { key } of [org, org, other, other]) await holdLarge(key);
    const third = await server.createOrganization('Third');
    const { answer } = await begin(head(third.key, `Content-Length: ${20 * MIB}`));
    expect(await answer).toMatch(/^HTTP\/1\.1 503 /);
    expect((await server.api('POST', '/emails/send', letter(third), third.key)).status).toBe(201);
  });

  it('make room when they break off', async () => {
    for (let i = 0; i < 2; i += 1) await holdLarge(org.key);
    for (const socket of sockets) socket.destroy();
    await expect
      .poll(
        async () =>
          (await server.api('POST', '/emails/send', letter(org, { html: 'x'.repeat(MIB) }), org.key)).status,
      )
      .toBe(201);
  });

  it('count as far as they have arrived when they do not say how long they are', async () => {
    for (let i = 0; i < 2; i += 1) await holdLarge(org.key);
    const { socket, answer } = await begin(head(org.key, 'Transfer-Encoding: chunked'));
    const mebibyte = `100000\r\n${'x'.repeat(MIB)}\r\n`;
    for (let i = 0; i < 9; i += 1) socket.write(mebibyte);
    expect(await answer).toMatch(/^HTTP\/1\.1 503 /);
    expect(await answer).toMatch(/^connection: close\r$/im);
  });

  it('are not taken from strangers at all', async () => {
    const { answer } = await begin(head('x', `Content-Length: ${MIB}`, '/api/v1/auth/sign-in'));
    expect(await answer).toMatch(/^HTTP\/1\.1 413 /);
  });
});

describe('small bodies that do not say how long they are', () => {
  const chunked = (path: string, body: unknown) => {
    const text = JSON.stringify(body);
    const chunk = `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
    return [...head(org.key, 'Transfer-Encoding: chunked', path).slice(0, -1), chunk];
  };

  it('are all taken, however many there are at a time', async () => {
    const requests = await Promise.all(
      Array.from({ length: 8 }, () => begin(chunked('/api/v1/emails/send', letter(org)))),
    );
    for (const { socket } of requests) socket.write('0\r\n\r\n');
    for (const { answer } of requests) expect(await answer).toMatch(/^HTTP\/1\.1 201 /);
  });

  it('are taken from strangers', async () => {
    const { socket, answer } = await begin(
      chunked('/api/v1/auth/sign-in', { email: 'a@example.org', password: 'x' }),
    );
    socket.write('0\r\n\r\n');
    expect(await answer).toMatch(/^HTTP\/1\.1 401 /);
  });

  it('are not taken from strangers when they turn out to be large', async () => {
    const { answer } = await begin(chunked('/api/v1/auth/sign-in', { email: 'x'.repeat(MIB) }));
    expect(await answer).toMatch(/^HTTP\/1\.1 413 /);
  });
});

describe('who is slow', () => {
  it('to say what they want is cut off', async () => {
    const { socket, answer } = await begin(['GET /api/v1/domains HTTP/1.1', 'Host: localhost', 'X-Slow: ']);
    const closed = once(socket, 'close');
    const drip = setInterval(() => socket.write('x'), 500);
    expect(await answer).toMatch(/^HTTP\/1\.1 408 /);
    const envelope = JSON.parse((await answer).split('\r\n\r\n')[1] ?? '');
    expect(envelope).toEqual({
      error: { code: 'REQUEST_TIMEOUT', message: expect.any(String), details: [] },
    });
    await closed;
    clearInterval(drip);
  });
});

describe('a thousand connections that say nothing', () => {
  it('keep nobody from being served', async () => {
    await Promise.all(Array.from({ length: 1_000 }, () => begin([])));
    expect((await server.api('POST', '/emails/send', letter(org), org.key)).status).toBe(201);
  });
});
