/** Refused requests can be found, whatever component refused them and whatever endpoint received them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { deleteOldLogEntries } from '../../src/request-logs/store.ts';
import { createUuidv7 } from '../../src/runtime/ids.ts';
import { join, type Person, signUpOwner } from '../accounts/people.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { letter } from '../support/emails.ts';
import { until } from '../support/until.ts';

const LIMIT = 500;
const JANE = 'jane.doe@example.org';

let server: TestApi;
let org: TestOrganization;

beforeAll(async () => {
  server = await startApi({ env: { POSTRIDER_RATE_LIMIT: String(LIMIT) } });
  org = await server.createOrganization();
  await server.api('POST', '/suppressions', { email: JANE, reason: 'complaint' }, org.key);
});
afterAll(() => server.stop());

let signedUp: Promise<Person> | undefined;
const owner = () => (signedUp ??= signUpOwner(server));

const send = (changes: Readonly<Record<string, unknown>>, key = org.key) =>
  server.api('POST', '/emails/send', letter(org, changes), key);

/** Once they are written. */
async function logged(query: string, key = org.key, least = 1) {
  const read = async () => (await server.api('GET', `/request-logs?${query}`, undefined, key)).body;
  return (await until(read, ({ data }) => data.length >= least, 100)).data;
}

async function newcomer() {
  const made = await server.createOrganization();
  await server.api('POST', '/suppressions', { email: JANE, reason: 'manual' }, made.key);
  return made;
}

async function compat(path: string, body: unknown, key: string, headers: Record<string, string> = {}) {
  const init = {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
  const answer = await fetch(`${server.url}/compat${path}`, init);
  return { status: answer.status, body: await answer.json() };
}

describe('the request log', () => {
  it('has a send that was refused because of a suppressed recipient, under that recipient', async () => {
    const answer = await send({ to: [{ email: 'bob@example.org' }, { email: 'Jane.Doe@example.org' }] });
    expect(answer.status).toBe(400);
    const [entry] = await logged(`recipient=${encodeURIComponent('JANE.DOE@example.org')}`);
    expect(entry).toMatchObject({
      method: 'POST',
      path: '/emails/send',
      status: 400,
      code: 'RECIPIENTS_SUPPRESSED',
      fields: [{ field: 'to[1].email', message: 'Jane.Doe@example.org is on the suppression list' }],
      recipients: ['bob@example.org', JANE],
      caller: { type: 'api_key', name: expect.any(String) },
      request_id: answer.headers.get('x-request-id'),
      count: 1,
      excerpt: {
        subject: 'Hello',
        text: '[text]',
        to: [{ email: 'bob@example.org' }, { email: expect.anything() }],
      },
    });
    expect(Date.now() - Date.parse(entry.at)).toBeLessThan(600_000);
    const one = await server.api('GET', `/request-logs/${entry.id}`, undefined, org.key);
    expect(one.body.data).toEqual(entry);
    expect(await logged(`request_id=${entry.request_id}`)).toEqual([entry]);
  });

  it('keeps neither content nor data of what was refused', async () => {
    const secret = 'correct-horse';
    const mine = await server.createOrganization();
    await server.api(
      'POST',
      '/emails/send',
      letter(mine, {
        from: { email: 'a@unverified.example' },
        to: [{ email: 'x@example.org' }],
        html: `<p>${secret}</p>`,
        headers: { 'X-Secret': secret },
        metadata: { secret },
        attachments: [{ filename: 'a.txt', content: Buffer.from(secret).toString('base64') }],
      }),
      mine.key,
    );
    await server.api('POST', '/webhooks', { url: 'nothing', secret }, mine.key);
    await server.api(
      'POST',
      `/templates/${encodeURIComponent(`${secret}@example.org`)}/preview`,
      { data: { secret } },
      mine.key,
    );
    const entries = await logged('', mine.key, 3);
    expect(entries.map((one: { code: string }) => one.code).sort()).toEqual([
      'DOMAIN_NOT_VERIFIED',
      'NOT_FOUND',
      'VALIDATION_ERROR',
    ]);
    expect(JSON.stringify(entries)).not.toContain(secret);
  });

  it('says nothing of requests that were accepted, and nothing of what people do about their own account', async () => {
    const quiet = await server.createOrganization();
    const person = await owner();
    expect((await send({ from: { email: `a@${quiet.domain}` } }, quiet.key)).status).toBe(201);
    await person.api('POST', '/auth/password', { current_password: 'wrong', new_password: 'x' });
    await server.api('GET', '/emails/nothing', undefined, quiet.key);
    expect(await logged('', quiet.key)).toMatchObject([{ path: '/emails/nothing' }]);
    const ofFirst = adHoc<{ n: number }>(`SELECT count(*) AS n FROM request_logs WHERE path LIKE '/auth%'`);
    expect((await server.db.one(ofFirst)).n).toBe(0);
  });

  it('says nothing of what a person looked for in vain, unlike what a program asked for', async () => {
    const quiet = await server.createOrganization();
    const person = await join(server, await owner(), 'looking@example.org', 'member');
    expect((await person.api('GET', '/emails/looked-for')).status).toBe(404);
    expect((await person.api('GET', '/sites/looked-for')).status).toBe(404);
    expect((await person.api('POST', '/webhooks/looked-for/test', {})).status).toBe(404);
    await server.api('GET', '/emails/nothing', undefined, quiet.key);
    await logged('', quiet.key);
    const paths = adHoc<{ path: string }>(`SELECT path FROM request_logs WHERE path LIKE '%looked-for%'`);
    expect((await server.db.many(paths)).map(({ path }) => path)).toEqual(['/webhooks/looked-for/test']);
  });

  it('has the recipients of a batch that were refused, and not those that were mailed', async () => {
    const mine = await newcomer();
    const template = await server.api('POST', '/templates', { name: 'T', subject: 'S', text: 'T' }, mine.key);
    const batch = await server.api(
      'POST',
      '/emails/batch',
      {
        template_id: template.body.data.id,
        from: { email: `a@${mine.domain}` },
        recipients: [
          { to: { email: 'fine@example.org' } },
          { to: { email: JANE } },
          { to: { email: 'none' } },
        ],
      },
      mine.key,
    );
    expect(batch.body.data).toMatchObject({ accepted: 1 });
    const [entry] = await logged(`recipient=${JANE}`, mine.key);
    expect(entry).toMatchObject({
      status: 201,
      code: 'RECIPIENTS_SUPPRESSED',
      message: '2 of 3 recipients were refused.',
      recipients: [JANE],
    });
    const mailed = await server.api('GET', '/request-logs?recipient=fine@example.org', undefined, mine.key);
    expect(mailed.body.pagination.total_count).toBe(0);
  });

  it.each([
    ['/emails/batch/mixed', 201, (emails: object[]) => ({ emails })],
    ['/compat/resend/emails/batch', 200, (emails: object[]) => emails],
    ['/compat/postmark/email/batch', 200, (emails: object[]) => emails],
  ])('has what %s refused of several emails', async (path, status, bodyOf) => {
    const mine = await server.createOrganization();
    const mails = {
      '/emails/batch/mixed': (from: string, to: string) => ({
        from: { email: from },
        to: [{ email: to }],
        subject: 'S',
        text: 'T',
      }),
      '/compat/resend/emails/batch': (from: string, to: string) => ({ from, to, subject: 'S', text: 'T' }),
      '/compat/postmark/email/batch': (from: string, to: string) => ({
        From: from,
        To: to,
        Subject: 'S',
        TextBody: 'T',
      }),
    } as const;
    const mail = mails[path as keyof typeof mails];
    const body = bodyOf([mail(`a@${mine.domain}`, 'fine@example.org'), mail('a@unverified.example', JANE)]);
    const headers = { 'x-batch-validation': 'permissive', 'x-postmark-server-token': mine.key };
    const answer = path.startsWith('/compat')
      ? await compat(path.slice('/compat'.length), body, mine.key, headers)
      : await server.api('POST', path, body, mine.key);
    expect(answer.status).toBe(status);
    const [entry] = await logged(`recipient=${JANE}`, mine.key);
    expect(entry).toMatchObject({
      status,
      path,
      code: 'DOMAIN_NOT_VERIFIED',
      message: '1 of 2 emails were refused.',
      recipients: [JANE],
    });
  });

  it.each([
    ['/resend/emails', { from: 'a@unverified.example', to: JANE, subject: 'S', text: 'T' }],
    [
      '/sendgrid/v3/mail/send',
      {
        personalizations: [{ to: [{ email: JANE }] }],
        from: { email: 'a@unverified.example' },
        subject: 'S',
        content: [{ type: 'text/plain', value: 'T' }],
      },
    ],
    ['/postmark/email', { From: 'a@unverified.example', To: `Jane <${JANE}>`, Subject: 'S', TextBody: 'T' }],
  ])('has what was refused in the words of another service: %s', async (path, body) => {
    const mine = await server.createOrganization();
    const answer = await compat(path, body, mine.key, { 'x-postmark-server-token': mine.key });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(await logged(`recipient=${JANE}`, mine.key)).toMatchObject([
      { path: `/compat${path}`, status: answer.status, code: 'DOMAIN_NOT_VERIFIED' },
    ]);
  });

  it('has what was refused of a form, with its addresses', async () => {
    const mine = await server.createOrganization();
    const form = new FormData();
    for (const [name, value] of [
      ['from', 'a@unverified.example'],
      ['to', `Jane <${JANE}>`],
      ['subject', 'S'],
      ['text', 'T'],
    ] as const)
      form.append(name, value);
    const authorization = `Basic ${Buffer.from(`api:${mine.key}`).toString('base64')}`;
    const url = `${server.url}/compat/mailgun/v3/unverified.example/messages`;
    const answer = await fetch(url, { method: 'POST', headers: { authorization }, body: form });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(await logged(`recipient=${JANE}`, mine.key)).toMatchObject([
      {
        path: '/compat/mailgun/v3/unverified.example/messages',
        excerpt: { subject: ['S'], text: '[1 items]' },
      },
    ]);
  });

  it('lists a refusal that is repeated within a second once, with a count', async () => {
    const mine = await server.createOrganization();
    // Nobody serves it, so that all of it is over within a minute, which the limit is for.
    const hammer = async () => (await server.api('GET', '/nowhere', undefined, mine.key)).status;
    let refused = 0;
    while (refused === 0) {
      const answers = await Promise.all(Array.from({ length: 50 }, hammer));
      refused = answers.filter((status) => status === 429).length;
    }
    const sums = adHoc<{ rows: number; requests: number }>(
      `SELECT count(*) AS rows, coalesce(sum(count), 0)::int AS requests FROM request_logs
       WHERE organization_id = $1 AND code = 'RATE_LIMITED'`,
    );
    const { rows } = await until(
      () => server.db.one(sums, [mine.id]),
      ({ requests }) => requests === refused,
    );
    expect(rows).toBeLessThanOrEqual(2);
  });

  it.each([
    ['status=404', 'NOT_FOUND'],
    ['code=FORBIDDEN', 'FORBIDDEN'],
    ['path=plates', 'VALIDATION_ERROR'],
    ['from_date=2026-01-01&status=403', 'FORBIDDEN'],
  ])('is narrowed down by %s', async (query, code) => {
    const reader = await server.createKey(org.id, { scope: 'read' });
    await send({}, reader);
    await server.api('GET', '/emails/nothing', undefined, org.key);
    await server.api('POST', '/templates', {}, org.key);
    const entries = await logged(query, reader);
    expect(new Set(entries.map((one: { code: string }) => one.code))).toEqual(new Set([code]));
    const none = await server.api('GET', `/request-logs?${query}&to_date=2026-01-02`, undefined, org.key);
    expect(none.body.pagination.total_count).toBe(0);
  });

  it('refuses a filter that means nothing, and names it', async () => {
    const answer = await server.api('GET', '/request-logs?recipient=jane&code=OOPS', undefined, org.key);
    expect(answer.body.error.details.map((one: { field: string }) => one.field).sort()).toEqual([
      'code',
      'recipient',
    ]);
  });

  it('is for everybody in the organization, and for nobody else', async () => {
    await send({ from: { email: 'a@unverified.example' } });
    const [{ id }] = await logged('code=DOMAIN_NOT_VERIFIED');
    const stranger = await server.createOrganization();
    expect((await server.api('GET', `/request-logs/${id}`, undefined, stranger.key)).status).toBe(404);
    const theirs = (await server.api('GET', '/request-logs', undefined, stranger.key)).body.data;
    expect(theirs.filter((entry: { code: string }) => entry.code === 'DOMAIN_NOT_VERIFIED')).toEqual([]);
    const sender = await server.createKey(org.id, { scope: 'send' });
    expect((await server.api('GET', '/request-logs', undefined, sender)).status).toBe(403);
  });

  it('tells the overview what was refused in the last hour, and why', async () => {
    const mine = await server.createOrganization();
    for (const to of ['a', 'b', 'c'])
      await send({ from: { email: 'x@unverified.example' }, to: [{ email: `${to}@example.org` }] }, mine.key);
    await logged('', mine.key, 3);
    const { items } = (await server.api('GET', '/stats/attention', undefined, mine.key)).body.data;
    expect(items).toContainEqual({
      kind: 'requests_refused',
      severity: 'warning',
      id: 'DOMAIN_NOT_VERIFIED',
      name: null,
      message: "3 requests were refused in the last hour: the sender's domain is not verified.",
    });
  });

  it('keeps the newest 10,000 of an organization, for 7 days', async () => {
    const [old, many] = [await server.createOrganization(), await server.createOrganization()];
    const fill = adHoc(
      `INSERT INTO request_logs (organization_id, id, method, path, status, duration_ms, count, facts)
       SELECT $1, id, 'POST', '/x', 400, 1, 1, '{"fields": [], "recipients": [], "excerpt": null}' FROM unnest($2::uuid[]) AS id`,
    );
    const ids = (atMs: number, count: number) => {
      const next = createUuidv7();
      return Array.from({ length: count }, () => next(atMs));
    };
    const day = 86_400_000;
    await server.db.exec(fill, [
      old.id,
      [...ids(Date.now() - 7 * day - 1_000, 2), ...ids(Date.now() - 7 * day + 60_000, 3)],
    ]);
    await server.db.exec(fill, [many.id, ids(Date.now(), 10_004)]);
    await deleteOldLogEntries(server.db, Date.now());
    const total = async ({ key }: TestOrganization) =>
      (await server.api('GET', '/request-logs', undefined, key)).body.pagination.total_count;
    expect([await total(old), await total(many)]).toEqual([3, 10_000]);
  });
});
