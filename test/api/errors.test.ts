/** Every error of the routes for emails and keys, and the properties of all answers. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../src/database/database.ts';
import { adHoc } from '../../src/database/sql.ts';
import { createLog } from '../../src/runtime/log.ts';
import { type Answer, startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { letter, storedRows } from '../support/emails.ts';
import { openTcpGate, type TcpGate } from '../support/tcp-gate.ts';

const UNKNOWN_ID = '00000000-0000-7000-8000-000000000000';

let server: TestApi;
let org: TestOrganization;
let sendKey: string;
beforeAll(async () => {
  server = await startApi();
  org = await server.createOrganization();
  sendKey = await server.createKey(org.id, { scope: 'send' });
});
afterAll(() => server.stop());

function expectEnvelope({ status, headers, body }: Answer, expected: [number, string]): void {
  expect([status, body.error?.code]).toEqual(expected);
  expect(Object.keys(body)).toEqual(['error']);
  expect(body.error).toEqual({
    code: expect.stringMatching(/^[A-Z_]+$/),
    message: expect.stringMatching(/\S/),
    details: expect.any(Array),
  });
  for (const detail of body.error.details) {
    expect(detail).toEqual({ field: expect.any(String), message: expect.any(String) });
  }
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
}

function expectHeaders({ headers }: Answer): void {
  expect(headers.get('x-request-id')).toMatch(/^req_[0-9a-z]{20}$/);
  for (const name of ['limit', 'remaining', 'reset']) {
    expect(headers.get(`x-ratelimit-${name}`)).toMatch(/^\d+$/);
  }
}

/** Sends headers and bytes that `api` would not send. */
async function raw(path: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(server.url + path, init);
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** Sends methods that fetch would not send. */
async function methodOf(method: string, path: string) {
  const asked = request(server.url + path, { method, headers: { connection: 'close' } }).end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  const chunks = await response.toArray();
  return {
    status: response.statusCode,
    headers: response.headers,
    text: Buffer.concat(chunks).toString(),
  };
}

const post = (prefix: string, body: unknown, key?: string) =>
  server.api('POST', `${prefix}/emails/send`, body, key);

const CASES: [code: string, status: number, act: (prefix: string) => Promise<Answer>][] = [
  ['VALIDATION_ERROR', 400, (prefix) => post(prefix, {}, org.key)],
  ['DOMAIN_NOT_VERIFIED', 400, (prefix) => post(prefix, letter({ domain: 'nobody.example' }), org.key)],
  ['UNAUTHORIZED', 401, (prefix) => post(prefix, letter(org))],
  ['FORBIDDEN', 403, (prefix) => server.api('GET', `${prefix}/api-keys`, undefined, sendKey)],
  ['NOT_FOUND', 404, (prefix) => server.api('GET', `${prefix}/emails/${UNKNOWN_ID}`, undefined, org.key)],
  ['NOT_FOUND', 404, (prefix) => server.api('GET', `${prefix}/nothing/here`, undefined, org.key)],
  [
    'CONFLICT',
    409,
    async (prefix) => {
      const id = (await post(prefix, letter(org), org.key)).body.data.message_id;
      return server.api('POST', `${prefix}/emails/${id}/cancel`, undefined, org.key);
    },
  ],
  [
    'PAYLOAD_TOO_LARGE',
    413,
    (prefix) => post(prefix, letter(org, { html: 'x'.repeat(21 * 1024 * 1024) }), org.key),
  ],
  [
    'UNSUPPORTED_MEDIA_TYPE',
    415,
    (prefix) =>
      raw(`${prefix}/emails/send`, {
        method: 'POST',
        headers: { authorization: `Bearer ${org.key}`, 'content-type': 'text/plain' },
        body: JSON.stringify(letter(org)),
      }),
  ],
];

describe.each(['/api/v1', '/v1'])('under %s', (prefix) => {
  it.each(CASES)('%s is answered with %i, the envelope and the usual headers', async (code, status, act) => {
    const answer = await act(prefix);
    expectEnvelope(answer, [status, code]);
    expectHeaders(answer);
  });

  it('a success carries the same headers', async () => {
    const answer = await post(prefix, letter(org), org.key);
    expect(answer.status).toBe(201);
    expectHeaders(answer);
  });
});

describe('VALIDATION_ERROR', () => {
  it('tells a single problem in its message, and several as a number', async () => {
    const one = await post('/v1', letter(org, { subject: '' }), org.key);
    expect(one.body.error.message).toBe('subject: must not be empty.');
    const two = await post('/v1', letter(org, { subject: '', priority: 'x' }), org.key);
    expect(two.body.error.message).toMatch(/2 problems/);
  });
});

describe('UNAUTHORIZED', () => {
  it.each([
    ['no key', undefined, 'is missing'],
    ['a key nobody has', `Bearer pr_${'x'.repeat(43)}`, 'is unknown, expired or revoked'],
    ['something that is not a key', 'Bearer a b', 'header is malformed'],
    ['another scheme', 'Basic YTpi', 'header is malformed'],
    ['nothing after the scheme', 'Bearer', 'header is malformed'],
  ])('asks for a key when there is %s, and says what is wrong', async (_what, authorization, why) => {
    const headers = { 'content-type': 'application/json', ...(authorization ? { authorization } : {}) };
    const answer = await raw('/api/v1/emails/send', { method: 'POST', headers, body: '{}' });
    expectEnvelope(answer, [401, 'UNAUTHORIZED']);
    expect(answer.body.error.message).toContain(why);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });

  it('asks for a key when it is expired', async () => {
    const key = await server.createKey(org.id, { expiresAt: new Date(Date.now() - 1_000) });
    const answer = await post('/v1', letter(org), key);
    expectEnvelope(answer, [401, 'UNAUTHORIZED']);
    const unknown = await post('/v1', letter(org), `pr_${'x'.repeat(43)}`);
    expect(answer.body.error.message).toBe(unknown.body.error.message);
  });

  it('comes before anything about the body is said', async () => {
    expectEnvelope(await post('/v1', { nonsense: true }, 'unknown'), [401, 'UNAUTHORIZED']);
  });
});

describe('NOT_FOUND', () => {
  it.each([
    'nonsense',
    '123',
    'evt_0190',
    `${UNKNOWN_ID}0`,
    '%00',
    'x'.repeat(500),
    '..%2f..%2fhealthz',
    "'",
  ])('is the answer to the malformed id %s', async (id) => {
    for (const path of [`/emails/${id}`, `/emails/${id}/content`]) {
      expectEnvelope(await server.api('GET', path, undefined, org.key), [404, 'NOT_FOUND']);
    }
  });
});

describe('METHOD_NOT_ALLOWED', () => {
  it.each([
    ['PUT', '/emails/send', 'OPTIONS, POST'],
    ['GET', '/emails/send', 'OPTIONS, POST'],
    ['HEAD', '/emails/validate/batch', 'OPTIONS, POST'],
    ['POST', '/emails', 'GET, HEAD, OPTIONS'],
    ['DELETE', `/emails/${UNKNOWN_ID}`, 'GET, HEAD, OPTIONS, PATCH'],
    ['TRACE', `/templates/nonsense/preview`, 'OPTIONS, POST'],
    ['PROPFIND', '/domains', 'GET, HEAD, OPTIONS, POST'],
  ])('is the answer to %s %s, with the methods that the path takes', async (method, path, allow) => {
    for (const prefix of ['/api/v1', '/v1']) {
      const answer = await methodOf(method, prefix + path);
      expect([answer.status, answer.headers.allow]).toEqual([405, allow]);
      if (method !== 'HEAD') expect(JSON.parse(answer.text).error.code).toBe('METHOD_NOT_ALLOWED');
      expect(answer.headers['x-request-id']).toMatch(/^req_/);
    }
  });

  it('is the same with any key and with none, and whatever id it is about', async () => {
    const known = await server.api('POST', '/domains', { domain: 'known.example' }, org.key);
    const other = await server.createOrganization('Other');
    for (const key of [undefined, 'wrong', sendKey, other.key, org.key]) {
      const answer = await server.api('PUT', `/domains/${known.body.data.id}`, {}, key);
      expectEnvelope(answer, [405, 'METHOD_NOT_ALLOWED']);
      expect(answer.headers.get('allow')).toBe('DELETE, GET, HEAD, OPTIONS');
    }
  });

  it('says where to send where somebody posts to the list of emails', async () => {
    const answer = await server.api('POST', '/api/v1/emails', letter(org), org.key);
    expectEnvelope(answer, [405, 'METHOD_NOT_ALLOWED']);
    expect(answer.body.error.message).toContain('use POST /emails/send');
  });

  it('is not the answer to OPTIONS, which asks for just that', async () => {
    const answer = await methodOf('OPTIONS', '/api/v1/emails');
    expect([answer.status, answer.headers.allow, answer.text]).toEqual([204, 'GET, HEAD, OPTIONS', '']);
  });

  it('is not the answer to a path that nobody knows', async () => {
    expectEnvelope(await server.api('PUT', '/nothing/here', {}, org.key), [404, 'NOT_FOUND']);
    expect((await methodOf('OPTIONS', '/api/v1/nothing')).status).toBe(404);
  });
});

describe('RATE_LIMITED', () => {
  const clock = { nowMs: () => Date.parse('2030-01-01T00:00:20Z') };
  let limited: TestApi;
  afterEach(() => limited.stop());

  it('counts down, refuses with the seconds to wait, stores nothing, for all keys of an organization', async () => {
    limited = await startApi({ clock, env: { POSTRIDER_RATE_LIMIT: '2' } });
    const busy = await limited.createOrganization('Busy');
    const quiet = await limited.createOrganization('Quiet');
    const send = (key: string, from = busy) => limited.api('POST', '/emails/send', letter(from), key);
    const before = await storedRows(limited.db);
    const other = await limited.createKey(busy.id);
    const answers = [await send(busy.key), await send(other), await send(busy.key)];
    expect(answers.map((one) => one.headers.get('x-ratelimit-remaining'))).toEqual(['1', '0', '0']);
    expect(answers.map((one) => one.headers.get('x-ratelimit-limit'))).toEqual(['2', '2', '2']);
    const refused = answers[2] as Answer;
    expectEnvelope(refused, [429, 'RATE_LIMITED']);
    expectHeaders(refused);
    expect(refused.headers.get('retry-after')).toBe('40');
    expect(answers[1]?.headers.get('retry-after')).toBeNull();
    expect((await storedRows(limited.db)).emails).toBe(before.emails + 2);
    expect((await send(other)).status).toBe(429);
    expect((await send(quiet.key, quiet)).status).toBe(201);
  });
});

describe('UNAVAILABLE', () => {
  let gate: TcpGate;
  let db: Database;
  let gated: TestApi;
  beforeAll(async () => {
    const url = new URL(server.database.url);
    gate = await openTcpGate('127.0.0.1', Number(url.port));
    url.port = String(gate.port);
    db = new Database({ url: url.toString(), log: createLog('test', 'silent'), applicationName: 'gated' });
    gated = await startApi({ database: { ...server.database, db } });
  });
  afterAll(async () => {
    await gated.stop();
    await db.close();
    await gate.shut().catch(() => undefined);
  });

  it('is the answer while the database is away, and not after', async () => {
    const send = () => gated.api('POST', '/emails/send', letter(org), org.key);
    expect((await send()).status).toBe(201);
    const before = await storedRows(server.db);

    await gate.shut();
    const refused = await send();
    expectEnvelope(refused, [503, 'UNAVAILABLE']);
    expectHeaders(refused);
    expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect(JSON.stringify(refused.body)).not.toMatch(/ECONN|terminated|127\.0\.0\.1|postgres/i);

    await gate.open();
    await expect.poll(async () => (await send()).status, { timeout: 10_000 }).toBe(201);
    const after = await storedRows(server.db);
    expect(after.emails).toBeGreaterThan(before.emails);
    expect(after.outbox - before.outbox).toBe(after.emails - before.emails);
  });
});

describe('INTERNAL_ERROR', () => {
  it('keeps what went wrong to itself', async () => {
    const broken = await startApi();
    try {
      const { key, domain } = await broken.createOrganization('Broken');
      await broken.db.exec(adHoc('ALTER TABLE emails RENAME COLUMN subject TO topic'));
      const answer = await broken.api('POST', '/emails/send', letter({ domain }), key);
      expectEnvelope(answer, [500, 'INTERNAL_ERROR']);
      expectHeaders(answer);
      expect(JSON.stringify(answer.body)).not.toMatch(/column|subject|topic|relation|sql/i);
    } finally {
      await broken.stop();
    }
  });
});

describe('X-Request-Id', () => {
  it.each([
    ['my-id_7', 'my-id_7'],
    ['has space', expect.stringMatching(/^req_/)],
    ['x'.repeat(65), expect.stringMatching(/^req_/)],
  ])('is taken over where it is harmless: %s', async (given, answered) => {
    const headers = { authorization: `Bearer ${org.key}`, 'x-request-id': given };
    const answer = await raw('/api/v1/emails', { headers });
    expect(answer.headers.get('x-request-id')).toEqual(answered);
  });
});

describe('two Authorization headers', () => {
  it('are refused, whichever of them is good', async () => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const sent = request(`${server.url}/api/v1/emails`, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.on('error', reject);
      sent.setHeader('authorization', [`Bearer ${org.key}`, 'Bearer other']);
      sent.end();
    });
    expect(status).toBe(401);
  });
});
