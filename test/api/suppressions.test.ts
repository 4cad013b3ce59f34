import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { type Answer, sharedApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { fieldsOf, letter, storedRows } from '../support/emails.ts';

let server: TestApi;
let org: TestOrganization;
beforeAll(async () => {
  server = await sharedApi();
});
afterAll(() => server.stop());
beforeEach(async () => {
  org = await server.createOrganization();
});

function api(method: string, path: string, body?: unknown): Promise<Answer> {
  return server.api(method, path, body, org.key);
}

async function add(email: string, reason = 'manual') {
  const answer = await api('POST', '/suppressions', { email, reason });
  expect(answer.status).toBe(201);
  return answer.body.data;
}

describe('adding an address', () => {
  it('answers with the entry', async () => {
    const entry = await add('Ada@Example.org', 'complaint');
    expect(entry).toEqual({
      id: expect.stringMatching(/^sup_[0-9a-f]{32}$/),
      email: 'Ada@example.org',
      reason: 'complaint',
      source: 'manual',
      email_id: null,
      cause: null,
      unsubscribe_group: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
  });

  it.each(['hard_bounce', 'soft_bounce', 'complaint', 'unsubscribe', 'manual'])(
    'takes the reason %s',
    async (reason) => {
      expect((await add('ada@example.org', reason)).reason).toBe(reason);
    },
  );

  it('that is on the list returns the same entry with the new reason', async () => {
    const first = await add('ada@example.org', 'hard_bounce');
    const again = await add('ADA@EXAMPLE.ORG', 'unsubscribe');
    expect(again).toEqual({ ...first, reason: 'unsubscribe' });
    const same = await add('ada@example.org', 'unsubscribe');
    expect(same).toEqual(again);
    expect((await api('GET', '/suppressions')).body.pagination.total_count).toBe(1);
  });

  it('many times at once makes one entry', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        api('POST', '/suppressions', { email: 'ada@example.org', reason: i % 2 ? 'manual' : 'complaint' }),
      ),
    );
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([201]));
    expect(new Set(answers.map((answer) => answer.body.data.id)).size).toBe(1);
    const { data, pagination } = (await api('GET', '/suppressions')).body;
    expect(data).toHaveLength(1);
    expect(pagination.total_count).toBe(1);
    const filtered = (await api('GET', `/suppressions?reason=${data[0].reason}`)).body;
    expect(filtered.pagination.total_count).toBe(1);
  });

  it.each([
    [{ email: 'ada', reason: 'manual' }, ['email']],
    [{ email: '', reason: 'manual' }, ['email']],
    [{ email: 'ada@example.org', reason: 'because' }, ['reason']],
    [{ email: 'ada@example.org' }, ['reason']],
    [{ reason: 'manual' }, ['email']],
    [{ email: 'ada', reason: 'x' }, ['email', 'reason']],
    [{ email: 'ada@example.org', reason: 'manual', note: 'x' }, ['note']],
  ])('refuses %j', async (body, fields) => {
    const answer = await api('POST', '/suppressions', body);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(fieldsOf(answer).sort()).toEqual(fields);
  });

  it('needs a key of full scope', async () => {
    const key = await server.createKey(org.id, { scope: 'send' });
    const answer = await server.api('GET', '/suppressions', undefined, key);
    expect(answer.body.error.code).toBe('FORBIDDEN');
  });
});

describe('the list', () => {
  it('is empty at first', async () => {
    expect((await api('GET', '/suppressions')).body).toEqual({
      data: [],
      pagination: { page: 1, limit: 20, total_count: 0, total_pages: 0 },
    });
  });

  it('comes in pages, the newest first', async () => {
    for (let i = 0; i < 5; i += 1) await add(`r${i}@example.org`);
    const page = (await api('GET', '/suppressions?limit=2&page=2')).body;
    expect(page.data.map((one: { email: string }) => one.email)).toEqual([
      'r2@example.org',
      'r1@example.org',
    ]);
    expect(page.pagination).toEqual({ page: 2, limit: 2, total_count: 5, total_pages: 3 });
    const past = (await api('GET', '/suppressions?page=1000000000')).body;
    expect(past).toMatchObject({ data: [], pagination: { total_count: 5 } });
  });

  it('can be narrowed to a reason', async () => {
    await add('a@example.org', 'complaint');
    await add('b@example.org', 'manual');
    await add('c@example.org', 'complaint');
    const { data, pagination } = (await api('GET', '/suppressions?reason=complaint')).body;
    expect(data.map((one: { email: string }) => one.email)).toEqual(['c@example.org', 'a@example.org']);
    expect(pagination.total_count).toBe(2);
  });

  it.each(['ada@xn--mller-kva.example', 'ADA@MÜLLER.example'])('can be asked for %s', async (spelling) => {
    await add('Ada@müller.example', 'complaint');
    await add('b@example.org');
    const path = `/suppressions?email=${encodeURIComponent(spelling)}`;
    expect((await api('GET', path)).body).toMatchObject({
      data: [{ email: 'Ada@xn--mller-kva.example' }],
      pagination: { total_count: 1, total_pages: 1 },
    });
    expect((await api('GET', `${path}&reason=manual`)).body.pagination.total_count).toBe(0);
    expect((await api('GET', `${path}&page=2`)).body).toMatchObject({
      data: [],
      pagination: { total_count: 1 },
    });
  });

  it.each(['email=ada', 'reason=because', 'limit=0', 'limit=101', 'page=0', 'emial=a@example.org'])(
    'refuses ?%s',
    async (query) => {
      expect((await api('GET', `/suppressions?${query}`)).status).toBe(400);
    },
  );
});

describe('removing an address', () => {
  it('lets it be mailed again', async () => {
    const { id } = await add('ada@example.org');
    expect((await api('POST', '/emails/send', letter(org))).status).toBe(400);
    const answer = await api('DELETE', `/suppressions/${id}`);
    expect([answer.status, answer.body]).toEqual([200, { data: { id, deleted: true } }]);
    expect((await api('POST', '/emails/send', letter(org))).status).toBe(201);
    expect((await api('GET', '/suppressions')).body.pagination.total_count).toBe(0);
  });

  it('is told that it is not there the second time', async () => {
    const { id } = await add('ada@example.org');
    await api('DELETE', `/suppressions/${id}`);
    expect((await api('DELETE', `/suppressions/${id}`)).status).toBe(404);
  });

  it.each(['sup_0', 'sup_', 'x', `sup_${'0'.repeat(32)}`, `sup_${'G'.repeat(32)}`, '%00'])(
    'knows no %s',
    async (id) => {
      const answer = await api('DELETE', `/suppressions/${id}`);
      expect([answer.status, answer.body.error.code]).toEqual([404, 'NOT_FOUND']);
    },
  );
});

describe('sending to a suppressed address', () => {
  it('is refused, and every place that names one is told', async () => {
    await add('Ada@example.org');
    await add('c1@müller.example');
    const before = await storedRows(server.db);
    const answer = await api(
      'POST',
      '/emails/send',
      letter(org, {
        to: [{ email: 'ok@example.org' }, { email: 'ada@EXAMPLE.org', name: 'Ada' }],
        cc: [{ email: 'c0@example.org' }, { email: 'C1@xn--mller-kva.example' }],
        bcc: [{ email: 'ADA@example.org' }],
      }),
    );
    expect([answer.status, answer.body.error.code]).toEqual([400, 'RECIPIENTS_SUPPRESSED']);
    expect(answer.body.error.details).toEqual([
      { field: 'to[1].email', message: 'ada@example.org is on the suppression list' },
      { field: 'cc[1].email', message: 'C1@xn--mller-kva.example is on the suppression list' },
      { field: 'bcc[0].email', message: 'ADA@example.org is on the suppression list' },
    ]);
    expect(await storedRows(server.db)).toEqual(before);
  });

  it('with other spellings of the same mailbox is refused too', async () => {
    await add('john.doe@example.org');
    const answer = await api(
      'POST',
      '/emails/send',
      letter(org, { to: [{ email: '"John.Doe"@example.org' }] }),
    );
    expect(answer.body.error.code).toBe('RECIPIENTS_SUPPRESSED');
  });

  it('that another organization suppressed is accepted', async () => {
    await add('ada@example.org');
    const other = await server.createOrganization();
    expect((await server.api('POST', '/emails/send', letter(other), other.key)).status).toBe(201);
  });

  it('touches no other email of the same moment', async () => {
    await add('ada@example.org');
    const statuses = await Promise.all(
      Array.from({ length: 40 }, async (_, i) => {
        const to = [{ email: i % 2 ? 'ada@example.org' : `ok${i}@example.org` }];
        return (await api('POST', '/emails/send', letter(org, { to }))).status;
      }),
    );
    expect(statuses).toEqual(statuses.map((_, i) => (i % 2 ? 400 : 201)));
  });

  it('costs no part of the sending limit', async () => {
    await server.db.exec(adHoc('UPDATE organizations SET daily_limit = 1 WHERE id = $1'), [org.id]);
    await add('ada@example.org');
    expect((await api('POST', '/emails/send', letter(org))).status).toBe(400);
    const to = [{ email: 'grace@example.org' }];
    expect((await api('POST', '/emails/send', letter(org, { to }))).status).toBe(201);
    expect((await api('POST', '/emails/send', letter(org, { to }))).status).toBe(429);
  });
});
