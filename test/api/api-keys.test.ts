import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { hashToken } from '../../src/runtime/tokens.ts';
import { type Answer, startApi, type TestApi, type TestOrganization } from '../support/api.ts';

const clock = { offsetMs: 0, nowMs: () => Date.now() + clock.offsetMs };

let server: TestApi;
let org: TestOrganization;
beforeAll(async () => {
  server = await startApi({ clock });
  org = await server.createOrganization();
});
afterAll(() => server.stop());
afterEach(() => {
  clock.offsetMs = 0;
});

const create = (body: unknown, key = org.key) => server.api('POST', '/api-keys', body, key);
const list = (key = org.key, query = '') => server.api('GET', `/api-keys${query}`, undefined, key);
const remove = (id: string, key = org.key) => server.api('DELETE', `/api-keys/${id}`, undefined, key);

const fieldsOf = (answer: Answer) => answer.body.error.details.map((one: { field: string }) => one.field);

describe('creating a key', () => {
  it('answers 201 with the key, and the key works', async () => {
    const answer = await create({ name: ' CI ', scope: 'full' });
    expect(answer.status).toBe(201);
    const { data } = answer.body;
    expect(data).toEqual({
      id: expect.stringMatching(/^key_[0-9a-z]{20}$/),
      name: 'CI',
      prefix: data.key.slice(0, 10),
      scope: 'full',
      domain: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      expires_at: null,
      last_used_at: null,
      revoked_at: null,
      created_by: null,
      created_by_name: null,
      created_by_key: expect.stringMatching(/^key_/),
      created_by_key_name: expect.any(String),
      replaced_by: null,
      policy: null,
      key: expect.stringMatching(/^pr_[A-Za-z0-9_-]{43}$/),
    });
    expect((await list(data.key)).status).toBe(200);
  });

  it('gives the scope to send when none is asked for', async () => {
    expect((await create({ name: 'default' })).body.data.scope).toBe('send');
  });

  it('refuses a domain that the organization does not have, naming it', async () => {
    const stranger = await server.createOrganization('Has it');
    for (const domain of ['nobody.example', stranger.domain]) {
      const answer = await create({ name: 'tied', domain });
      expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
      expect(fieldsOf(answer)).toEqual(['domain']);
    }
  });

  it('refuses the one after the thousandth that works, until one is revoked', async () => {
    const many = await server.createOrganization('Many keys');
    const fill = adHoc(
      `INSERT INTO api_keys (id, organization_id, name, prefix, hash, scope, created_at, expires_at, revoked_at)
       SELECT 'key_many' || n, $1, 'n', 'pr', sha256(n::text::bytea), 'send', now(),
              CASE WHEN n = 1 THEN now() - interval '1 minute' END, CASE WHEN n = 2 THEN now() END
       FROM generate_series(1, 1000) AS n`,
    );
    await server.db.exec(fill, [many.id]);
    expect((await create({ name: 'the thousandth' }, many.key)).status).toBe(201);
    const refused = await create({ name: 'one more' }, many.key);
    expect([refused.status, refused.body.error.code]).toEqual([409, 'CONFLICT']);
    expect(refused.body.error.message).toContain('Revoke');
    expect((await remove('key_many3', many.key)).status).toBe(200);
    expect((await create({ name: 'one more' }, many.key)).status).toBe(201);
  });

  it('stores no secret that would give access', async () => {
    const { data } = (await create({ name: 'secret' })).body;
    const row = await server.db.one(
      adHoc<{ whole: string; hash: Buffer }>(
        'SELECT api_keys::text AS whole, hash FROM api_keys WHERE id = $1',
      ),
      [data.id],
    );
    expect(row.hash).toEqual(hashToken(data.key));
    expect(row.whole).not.toContain(data.key.slice(10));
  });

  it('keeps the domain in canonical form and the expiry in UTC', async () => {
    await server.addVerifiedDomain(org.id, 'xn--mller-kva.example');
    const answer = await create({
      name: 'tied',
      scope: 'send',
      domain: 'MÜLLER.example',
      expires_at: '2099-05-01T10:00:00+02:00',
    });
    expect(answer.body.data).toMatchObject({
      domain: 'xn--mller-kva.example',
      expires_at: '2099-05-01T08:00:00.000Z',
    });
  });

  it('takes null for what is not wanted', async () => {
    const answer = await create({ name: 'nulls', domain: null, expires_at: null });
    expect(answer.body.data).toMatchObject({ domain: null, expires_at: null });
  });

  it.each([
    ['name', {}],
    ['name', { name: '' }],
    ['name', { name: '   ' }],
    ['name', { name: 'x'.repeat(201) }],
    ['name', { name: 'a\nb' }],
    ['name', { name: 7 }],
    ['scope', { name: 'x', scope: 'admin' }],
    ['domain', { name: 'x', domain: 'localhost' }],
    ['domain', { name: 'x', domain: 'a b.example' }],
    ['domain', { name: 'x', domain: '' }],
    ['expires_at', { name: 'x', expires_at: '2020-01-01' }],
    ['expires_at', { name: 'x', expires_at: '2099-02-30' }],
    ['expires_at', { name: 'x', expires_at: 'never' }],
    ['expires_at', { name: 'x', expires_at: 4070908800 }],
    ['expire_at', { name: 'x', expire_at: '2099-01-01' }],
  ])('refuses a bad %s: %j', async (field, body) => {
    const answer = await create(body);
    expect(answer.status).toBe(400);
    expect(answer.body.error.code).toBe('VALIDATION_ERROR');
    expect(fieldsOf(answer)).toEqual([field]);
  });

  it('guesses what a mistyped field meant', async () => {
    const answer = await create({ name: 'x', expire_at: '2099-01-01' });
    expect(answer.body.error.details[0].message).toContain('expires_at');
  });

  it('reports every problem at once', async () => {
    const answer = await create({ name: '', scope: 'x', domain: 'x', expires_at: 'x', extra: 1 });
    expect(fieldsOf(answer).sort()).toEqual(['domain', 'expires_at', 'extra', 'name', 'scope']);
  });
});

describe('listing keys', () => {
  it('shows the newest first, page by page, without the keys themselves', async () => {
    const { key } = await server.createOrganization('Lister');
    for (const name of ['one', 'two', 'three']) await create({ name }, key);
    const first = await list(key, '?limit=3');
    expect(first.body.data.map((one: { name: string }) => one.name)).toEqual(['three', 'two', 'one']);
    expect(first.body.pagination).toEqual({ page: 1, limit: 3, total_count: 4, total_pages: 2 });
    expect(first.body.data[0]).not.toHaveProperty('key');
    expect(first.body.data[0]).not.toHaveProperty('hash');
    expect((await list(key, '?limit=3&page=2')).body.data).toHaveLength(1);
    const past = await list(key, '?page=9');
    expect(past.body).toMatchObject({ data: [], pagination: { page: 9, total_count: 4 } });
  });

  it.each(['?page=0', '?limit=0', '?limit=101', '?page=x', '?sort=name'])('refuses %s', async (query) => {
    expect((await list(org.key, query)).status).toBe(400);
  });

  it('says when a key was last used, without waiting for it in the request', async () => {
    const { key } = await server.createOrganization('User');
    await list(key);
    await expect
      .poll(async () => (await list(key)).body.data[0].last_used_at, { timeout: 8_000 })
      .not.toBeNull();
  });
});

describe('revoking a key', () => {
  it('turns it away within a second, in every process', async () => {
    const other = await startApi({ clock, database: server.database });
    try {
      const { id, key } = (await create({ name: 'to revoke', scope: 'full' })).body.data;
      const tryBoth = () =>
        Promise.all(
          [server, other].map(async (one) => (await one.api('GET', '/api-keys', undefined, key)).status),
        );
      expect(await tryBoth()).toEqual([200, 200]);
      const answer = await remove(id);
      expect(answer).toMatchObject({ status: 200, body: { data: { id, deleted: true } } });
      clock.offsetMs = 1_000;
      expect(await tryBoth()).toEqual([401, 401]);
    } finally {
      await other.stop();
    }
  });

  it('keeps it in the list, with the time it was revoked first', async () => {
    const { id } = (await create({ name: 'kept' })).body.data;
    const find = async () => (await list()).body.data.find((one: { id: string }) => one.id === id);
    await remove(id);
    const { revoked_at } = await find();
    expect(revoked_at).toMatch(/Z$/);
    expect((await remove(id)).status).toBe(200);
    expect((await find()).revoked_at).toBe(revoked_at);
  });

  it.each(['key_00000000000000000000', 'nonsense', '%00', 'key_%F0%9F%93%AE', '..%2F..'])(
    'answers 404 to the unknown id %s',
    async (id) => {
      const answer = await remove(id);
      expect(answer.status).toBe(404);
      expect(answer.body.error.code).toBe('NOT_FOUND');
    },
  );

  it('answers 404 to the key of another organization, which goes on working', async () => {
    const stranger = await server.createOrganization('Stranger');
    const { id } = (await list(stranger.key)).body.data[0];
    expect((await remove(id)).status).toBe(404);
    expect((await list(stranger.key)).body.data[0]).toMatchObject({ id, revoked_at: null });
  });
});

describe('what a key may do', () => {
  it('keeps organizations apart', async () => {
    const stranger = await server.createOrganization('Other');
    const { id } = (await create({ name: 'mine' })).body.data;
    const ids = (await list(stranger.key)).body.data.map((one: { id: string }) => one.id);
    expect(ids).toHaveLength(1);
    expect(ids).not.toContain(id);
  });

  it('refuses keys of scope send at every endpoint', async () => {
    const key = await server.createKey(org.id, { scope: 'send' });
    const { id } = (await create({ name: 'target' })).body.data;
    const answers = [await list(key), await create({ name: 'x' }, key), await remove(id, key)];
    expect(answers.map((one) => one.status)).toEqual([403, 403, 403]);
    expect(answers[0]?.body.error).toMatchObject({ code: 'FORBIDDEN', details: [] });
  });

  it('does not let a key that is tied to a domain make one that is not', async () => {
    const key = await server.createKey(org.id, { domain: 'tied.example' });
    expect((await create({ name: 'free' }, key)).status).toBe(403);
    expect((await create({ name: 'other', domain: 'other.example' }, key)).status).toBe(403);
    expect((await create({ name: 'same', domain: 'Tied.Example' }, key)).status).toBe(201);
  });

  it('does not let a key that expires make one that outlives it', async () => {
    const end = new Date(clock.nowMs() + 3_600_000);
    const key = await server.createKey(org.id, { expiresAt: end });
    const until = (ms: number) => create({ name: 'x', expires_at: new Date(ms).toISOString() }, key);
    for (const answer of [await create({ name: 'forever' }, key), await until(end.getTime() + 1)]) {
      expect([answer.status, fieldsOf(answer)]).toEqual([403, ['expires_at']]);
      expect(answer.body.error.details[0].message).toContain(end.toISOString());
    }
    expect((await until(end.getTime())).status).toBe(201);
  });

  it('ends when it expires', async () => {
    const { key } = (
      await create({
        name: 'short',
        scope: 'full',
        expires_at: new Date(clock.nowMs() + 60_000).toISOString(),
      })
    ).body.data;
    expect((await list(key)).status).toBe(200);
    clock.offsetMs = 61_000;
    expect((await list(key)).status).toBe(401);
  });

  it.each([
    ['no header', undefined],
    ['an unknown key', `Bearer pr_${'a'.repeat(43)}`],
    ['another scheme', 'Basic dXNlcjpwYXNz'],
    ['an empty token', 'Bearer '],
  ])('answers 401 to %s', async (_what, authorization) => {
    const response = await fetch(`${server.url}/api/v1/api-keys`, {
      headers: authorization === undefined ? {} : { authorization },
    });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/);
    expect(await response.json()).toMatchObject({ error: { code: 'UNAUTHORIZED', details: [] } });
  });

  it('works under /v1 as well', async () => {
    expect((await server.api('GET', '/v1/api-keys', undefined, org.key)).status).toBe(200);
  });
});
