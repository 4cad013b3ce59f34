import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/runtime/clock.ts';
import { createLog } from '../../src/runtime/log.ts';
import { SuppressionImporter } from '../../src/suppressions/import-service.ts';
import { type Answer, sharedApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { letter } from '../support/emails.ts';
import { until } from '../support/until.ts';

let server: TestApi;
let importer: SuppressionImporter;
let org: TestOrganization;
beforeAll(async () => {
  server = await sharedApi();
  importer = new SuppressionImporter({
    db: server.db,
    clock: systemClock,
    log: createLog('test', 'silent'),
  });
  await importer.start();
});
afterAll(async () => {
  await importer.stop();
  await server.stop();
});
beforeEach(async () => {
  org = await server.createOrganization();
});

async function upload(body: string | Buffer, query = '', type = 'text/csv'): Promise<Answer> {
  const response = await fetch(`${server.url}/api/v1/suppressions/import${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${org.key}`, 'content-type': type },
    body: new Uint8Array(Buffer.from(body)),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

const state = async (id: string) =>
  (await server.api('GET', `/suppressions/imports/${id}`, undefined, org.key)).body.data;

async function finished(answer: Answer) {
  expect([answer.status, answer.body.error]).toEqual([202, undefined]);
  return until(
    () => state(answer.body.data.id),
    (now) => now.finished_at !== null,
  );
}

async function list(query = ''): Promise<Record<string, string>> {
  const answer = await server.api('GET', `/suppressions?limit=100${query}`, undefined, org.key);
  expect(answer.body.pagination.total_count).toBe(answer.body.data.length);
  return Object.fromEntries(answer.body.data.map((one: Record<string, string>) => [one.email, one.reason]));
}

describe('an uploaded list', () => {
  it('is refused for an unknown field, however far behind it is', async () => {
    const items = Array.from({ length: 1_500 }, (_, i) => ({ email: `a${i}@example.org` }));
    const body = { suppressions: [...items, { email: 'ada@example.org', reson: 'manual' }] };
    const answer = await server.api('POST', '/suppressions/import', body, org.key);
    expect([answer.status, answer.body.error.details]).toMatchObject([
      400,
      [{ field: 'suppressions[1500].reson', message: 'unknown field `reson`, did you mean `reason`?' }],
    ]);
  });

  it('is answered at once, and shows how far it is', async () => {
    const answer = await upload('email,reason\nada@example.org,complaint\ngrace@example.org,\n');
    expect(answer.body.data).toEqual({
      id: expect.stringMatching(/^imp_/),
      status: 'waiting',
      total: 2,
      processed: 0,
      added: 0,
      existing: 0,
      invalid: 0,
      errors: [],
      created_at: expect.any(String),
      finished_at: null,
    });
    expect(await finished(answer)).toMatchObject({ status: 'done', processed: 2, added: 2 });
    expect(await list()).toEqual({ 'ada@example.org': 'complaint', 'grace@example.org': 'manual' });
  });

  it('may come as JSON', async () => {
    const suppressions = [{ email: 'ada@example.org', reason: 'unsubscribe' }, { email: 'nobody' }];
    const done = await finished(await upload(JSON.stringify({ suppressions }), '', 'application/json'));
    expect(done).toMatchObject({ total: 2, added: 1, invalid: 1, errors: [{ line: 2, field: 'email' }] });
    expect(await list()).toEqual({ 'ada@example.org': 'unsubscribe' });
  });

  it('adds the good lines and tells about the bad ones', async () => {
    const done = await finished(await upload('a@example.org\nnobody\nb@example.org,because\nc@example.org'));
    expect(done).toMatchObject({ status: 'done', total: 4, processed: 4, added: 2, invalid: 2 });
    expect(done.errors).toEqual([
      { line: 2, field: 'email', message: 'The address has no @.' },
      { line: 3, field: 'reason', message: expect.stringContaining('must be one of') },
    ]);
  });

  it('lists the first hundred of its problems and counts them all', async () => {
    const done = await finished(await upload('nobody\n'.repeat(2_500)));
    expect(done).toMatchObject({ total: 2_500, processed: 2_500, invalid: 2_500, added: 0 });
    expect(done.errors.map((one: { line: number }) => one.line)).toEqual(
      Array.from({ length: 100 }, (_, i) => i + 1),
    );
  });

  it('can be uploaded again without changing anything', async () => {
    const text = 'a@example.org,complaint\nb@example.org\nA@example.org\n';
    expect(await finished(await upload(text))).toMatchObject({ added: 2, existing: 1 });
    const before = await list();
    expect(await finished(await upload(text))).toMatchObject({ added: 0, existing: 3 });
    expect(await list()).toEqual(before);
    expect(before).toEqual({ 'a@example.org': 'complaint', 'b@example.org': 'manual' });
  });

  it('gives an existing entry the reason of its line, and leaves it alone without one', async () => {
    for (const email of ['a@example.org', 'b@example.org'])
      await server.api('POST', '/suppressions', { email, reason: 'complaint' }, org.key);
    await finished(await upload('a@example.org,unsubscribe\nb@example.org\n'));
    expect(await list()).toEqual({ 'a@example.org': 'unsubscribe', 'b@example.org': 'complaint' });
    expect(await list('&reason=unsubscribe')).toEqual({ 'a@example.org': 'unsubscribe' });
  });

  it('that was exported keeps what is stopped for whom', async () => {
    const entry = (unsubscribe_group?: string) => ({
      ...{ email: 'a@example.org', reason: 'unsubscribe' },
      ...(unsubscribe_group && { unsubscribe_group }),
    });
    for (const group of [undefined, 'news', 'offers'])
      await server.api('POST', '/suppressions', entry(group), org.key);
    const exported = await fetch(`${server.url}/api/v1/suppressions/export`, {
      headers: { authorization: `Bearer ${org.key}` },
    });
    org = await server.createOrganization();
    expect(await finished(await upload(await exported.text()))).toMatchObject({ added: 3, invalid: 0 });
    const { body } = await server.api('GET', '/suppressions?email=a@example.org', undefined, org.key);
    const groups = body.data.map((one: { unsubscribe_group: string | null }) => one.unsubscribe_group);
    expect(new Set(groups)).toEqual(new Set([null, 'news', 'offers']));
  });

  it('says where a group cannot be', async () => {
    const text =
      'email,reason,unsubscribe_group\na@example.org,manual,news\nb@example.org,unsubscribe,two words\n';
    const done = await finished(await upload(text));
    expect(done.errors).toMatchObject([
      { line: 2, field: 'unsubscribe_group' },
      { line: 3, field: 'unsubscribe_group' },
    ]);
  });

  it('takes one reason for all lines without one', async () => {
    await finished(await upload('a@example.org\nb@example.org,complaint', '?reason=hard_bounce'));
    expect(await list()).toEqual({ 'a@example.org': 'hard_bounce', 'b@example.org': 'complaint' });
  });

  it('belongs to its organization', async () => {
    const { id } = (await upload('a@example.org')).body.data;
    const other = await server.createOrganization();
    const answer = await server.api('GET', `/suppressions/imports/${id}`, undefined, other.key);
    expect([answer.status, answer.body.error.code]).toEqual([404, 'NOT_FOUND']);
  });

  it.each([
    ['nothing', '', 'text/csv'],
    ['only a heading', 'email,reason\n', 'text/csv'],
    ['bytes that are not UTF-8', Buffer.from([0x61, 0xff, 0x62]), 'text/csv'],
    ['NUL', 'a\0@example.org', 'text/csv'],
    ['more than 100,000 lines', 'a@b.example\n'.repeat(100_001), 'text/csv'],
    ['no JSON list', '{}', 'application/json'],
    ['an empty JSON list', '{"suppressions":[]}', 'application/json'],
    ['a wrong JSON reason', '{"suppressions":[{"email":"a@b.example","reason":"x"}]}', 'application/json'],
    ['an unknown JSON field', '{"suppressions":[{"email":"a@b.example","why":"x"}]}', 'application/json'],
  ])('that holds %s is refused', async (_name, body, type) => {
    const answer = await upload(body, '', type);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('larger than 20 MiB is refused', async () => {
    const answer = await upload(`${'a'.repeat(1_000)}\n`.repeat(21_000));
    expect([answer.status, answer.body.error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });

  it('of another type is refused, and CSV is refused elsewhere', async () => {
    expect((await upload('a@example.org', '', 'text/plain')).status).toBe(415);
    const response = await fetch(`${server.url}/api/v1/suppressions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${org.key}`, 'content-type': 'text/csv' },
      body: 'a@example.org',
    });
    expect(response.status).toBe(415);
  });
});

describe('100,000 addresses', () => {
  it('are added while sending goes on', { timeout: 120_000 }, async () => {
    const lines = Array.from({ length: 100_000 }, (_, i) => `user${i}@bulk${i % 500}.example,unsubscribe\n`);
    const done = finished(await upload(lines.join('')));
    let isDone = false;
    void done.finally(() => {
      isDone = true;
    });
    const waits: number[] = [];
    const seen: number[] = [];
    const beganMs = performance.now();
    while (!isDone) {
      const startedMs = performance.now();
      const answer = await server.api('POST', '/emails/send', letter(org), org.key);
      waits.push(performance.now() - startedMs);
      expect(answer.status).toBe(201);
      seen.push((await server.api('GET', '/suppressions', undefined, org.key)).body.pagination.total_count);
    }
    expect(await done).toMatchObject({ status: 'done', total: 100_000, processed: 100_000, added: 100_000 });
    expect(new Set(seen).size).toBeGreaterThan(5);
    // Against the import's own time: a busy machine makes both longer.
    expect(Math.max(...waits)).toBeLessThan((performance.now() - beganMs) / 4);
    const to = [{ email: 'USER4711@bulk211.example' }];
    const refused = await server.api('POST', '/emails/send', letter(org, { to }), org.key);
    expect(refused.body.error.code).toBe('RECIPIENTS_SUPPRESSED');
    const { pagination } = (await server.api('GET', '/suppressions', undefined, org.key)).body;
    expect(pagination.total_count).toBe(100_000);
  });
});
