/** Several different emails in one request: each is judged separately, or all are accepted together. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { setDailyLimit } from '../../src/organizations/store.ts';
import { type Answer, sharedApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { fieldsOf, letter, storedRows } from '../support/emails.ts';

const TIED = 'tied.test';
const STOPPED = 'stopped@example.org';

let server: TestApi;
let org: TestOrganization;
beforeAll(async () => {
  server = await sharedApi();
});
beforeEach(async () => {
  org = await server.createOrganization();
});
afterAll(() => server.stop());

const api = (method: string, path: string, body?: unknown, key = org.key) =>
  server.api(method, path, body, key);
const mixed = (emails: unknown, more: object = {}, key = org.key) =>
  api('POST', '/emails/batch/mixed', { emails, ...more }, key);
const allOrNone = (emails: unknown) => mixed(emails, { all_or_none: true });
const mail = (changes: Record<string, unknown> = {}) => letter(org, changes);
const mailTo = (email: string) => mail({ to: [{ email }] });
const stop = (email = STOPPED) => api('POST', '/suppressions', { email, reason: 'manual' });
const batchOf = async (id: string, key = org.key) =>
  (await api('GET', `/emails/batch/${id}`, undefined, key)).body.data;
const file = (bytes: number) => ({
  filename: 'a.bin',
  content: Buffer.alloc(bytes, 'x').toString('base64'),
});

async function keyed(key: string, emails: unknown, more: object = {}): Promise<Answer> {
  const response = await fetch(`${server.url}/api/v1/emails/batch/mixed`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${org.key}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify({ emails, ...more }),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

const storedOf = async () =>
  server.db.one(
    adHoc<{ emails: number; transactions: number }>(
      `SELECT count(*) AS emails, count(DISTINCT xmin::text) AS transactions FROM emails WHERE organization_id = $1`,
    ),
    [org.id],
  );

/** What became of each: an id, or a code. */
const shortly = ({ body }: Answer): string[] =>
  body.data.results.map((one: { message_id?: string; error?: { code: string } }) =>
    one.message_id === undefined ? one.error?.code : 'accepted',
  );

describe('emails that have nothing in common', () => {
  it('are accepted in one commit, each as it would be alone', async () => {
    const template = (await api('POST', '/templates', { name: 'T', subject: 's', text: 'Hi {{name}}' })).body;
    const first = mail({ subject: 'One', attachments: [file(3)], cc: [{ email: 'cc@example.org' }] });
    const second = {
      ...mailTo('grace@example.org'),
      ...{ text: undefined, subject: 'Dear {{name}}', reply_to: [{ email: 'help@example.org' }] },
      ...{ template_id: template.data.id, template_data: { name: 'Grace' } },
    };
    const { status, body } = await mixed([first, second]);
    expect(status).toBe(201);
    const { batch_id, total, accepted, results } = body.data;
    expect([batch_id, total, accepted]).toEqual([expect.stringMatching(/^batch_/), 2, 2]);
    expect(results.map(({ index }: { index: number }) => index)).toEqual([0, 1]);
    const read = async (at: number) => (await api('GET', `/emails/${results[at].message_id}`)).body.data;
    expect(await read(0)).toMatchObject({ subject: 'One', batch_id, cc: [{ email: 'cc@example.org' }] });
    expect(await read(1)).toMatchObject({
      ...{ subject: 'Dear Grace', batch_id, template_id: template.data.id },
      ...{ to: [{ email: 'grace@example.org' }], reply_to: { email: 'help@example.org' } },
    });
    expect(await storedOf()).toEqual({ emails: 2, transactions: 1 });
    expect(await batchOf(batch_id)).toMatchObject({ total: 2, counts: { queued: 2 } });
  });

  it('are refused one by one, in the words that a single send gets', async () => {
    await stop();
    const emails = [
      mail({ to: [{ email: 'ada@example.org' }, { email: 'no' }] }),
      mail(),
      mailTo(STOPPED),
      mail({ from: { email: 'a@unverified.example' } }),
      mail({ template_id: 'tmpl_00000000000000000000', text: undefined }),
      mail({ htm: 'x' }),
      mail({ attachments: [{ filename: 'a', content: '????' }] }),
    ];
    const answer = await mixed(emails);
    expect(shortly(answer)).toEqual([
      'VALIDATION_ERROR',
      'accepted',
      'RECIPIENTS_SUPPRESSED',
      'DOMAIN_NOT_VERIFIED',
      'NOT_FOUND',
      'VALIDATION_ERROR',
      'VALIDATION_ERROR',
    ]);
    const { total, accepted, results } = answer.body.data;
    expect([total, accepted]).toEqual([7, 1]);
    for (const [index, email] of emails.entries()) {
      expect(results[index].index).toBe(index);
      if (index !== 1)
        expect(results[index].error).toEqual((await api('POST', '/emails/send', email)).body.error);
    }
    expect(await storedOf()).toEqual({ emails: 1, transactions: 1 });
  });

  it('are refused alone where they are not even objects', async () => {
    const answer = await mixed([5, null, [], 'x', mail()]);
    expect(shortly(answer)).toEqual([...Array(4).fill('VALIDATION_ERROR'), 'accepted']);
  });

  it('may have 50 recipients each, and one with more is refused, never cut', async () => {
    const people = (count: number) =>
      Array.from({ length: count }, (_, i) => ({ email: `r${i}@example.org` }));
    const answer = await mixed([
      mail({ to: people(50) }),
      mail({ to: people(51) }),
      mail({ bcc: people(50) }),
    ]);
    expect(shortly(answer)).toEqual(['accepted', 'VALIDATION_ERROR', 'VALIDATION_ERROR']);
    expect(answer.body.data.results[1].error.details[0].field).toBe('to');
    const recipients = adHoc<{ count: number }>('SELECT count(*) FROM recipients WHERE organization_id = $1');
    expect(await server.db.one(recipients, [org.id])).toEqual({ count: 50 });
  });

  it.each([
    ['no emails', { emails: [] }, ['emails']],
    ['no list', { emails: {} }, ['emails']],
    ['nothing', {}, ['emails']],
    ['101 emails', { emails: Array(101).fill({}) }, ['emails']],
    ['an unknown field', { emails: [{}], all_or_nothing: true }, ['all_or_nothing']],
    ['all_or_none as text', { emails: [{}], all_or_none: 'yes' }, ['all_or_none']],
  ])('are refused together with %s', async (_what, body, fields) => {
    const answer = await api('POST', '/emails/batch/mixed', body);
    expect([answer.status, answer.body.error.code, fieldsOf(answer)]).toEqual([
      400,
      'VALIDATION_ERROR',
      fields,
    ]);
  });

  it('count towards the daily limit as a whole', async () => {
    await setDailyLimit(server.db, org.id, 3);
    const over = await mixed([mail({ cc: [{ email: 'cc@example.org' }] }), mail(), mail()]);
    expect([over.status, over.body.error.code]).toEqual([429, 'LIMIT_EXCEEDED']);
    expect(await storedOf()).toMatchObject({ emails: 0 });
    expect((await mixed([mail({ cc: [{ email: 'cc@example.org' }] }), mail()])).body.data.accepted).toBe(2);
  });

  it('of a key that is tied to a domain are from there, and a batch without any can be asked about', async () => {
    const key = await server.createKey(org.id, { scope: 'send', domain: TIED });
    const own = mail({ from: { email: `a@${TIED}` } });
    expect(shortly(await mixed([mail(), own], {}, key))).toEqual(['FORBIDDEN', 'accepted']);
    for (const emails of [[mail()], [{}]]) {
      const { batch_id, accepted } = (await mixed(emails, {}, key)).body.data;
      expect(accepted).toBe(0);
      for (const asking of [key, org.key])
        expect(await batchOf(batch_id, asking)).toMatchObject({ total: 0 });
    }
  });
});

describe('with all_or_none', () => {
  it('all are accepted in one commit', async () => {
    const { body } = await allOrNone([mail(), mail(), mail()]);
    expect(body.data).toMatchObject({ total: 3, accepted: 3 });
    expect(await storedOf()).toEqual({ emails: 3, transactions: 1 });
  });

  it('everything that is wrong is named by its place, and nothing is stored', async () => {
    const before = await storedRows(server.db);
    const answer = await allOrNone([mail(), mail({ to: [{ email: 'no' }], htm: 'x' }), mail(), 5]);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(fieldsOf(answer).sort()).toEqual(['emails[1].htm', 'emails[1].to[0].email', 'emails[3]']);
    expect(answer.body.error.message).toBe(
      '2 of the emails were refused, so no email was accepted; see details.',
    );
    expect(await storedRows(server.db)).toEqual(before);
  });

  it.each([
    ['small', 3],
    ['more than fit into one statement', 600_000],
  ])('every suppressed recipient is named by its place, and nothing is stored: %s', async (_size, bytes) => {
    await stop();
    const before = await storedRows(server.db);
    const fine = mail({ attachments: [file(bytes)] });
    const answer = await allOrNone([fine, fine, fine, mailTo(STOPPED), mail({ bcc: [{ email: STOPPED }] })]);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'RECIPIENTS_SUPPRESSED']);
    expect(fieldsOf(answer)).toEqual(['emails[3].to[0].email', 'emails[4].bcc[0].email']);
    expect(await storedRows(server.db)).toEqual(before);
    const one = await allOrNone([fine, mailTo(STOPPED)]);
    expect(one.body.error.message).toBe(
      `emails[1] was refused, so no email was accepted. ${STOPPED} is on the suppression list.`,
    );
    expect((await allOrNone([fine, fine, fine])).body.data.accepted).toBe(3);
  });

  it.each([
    [
      'a domain that is not verified',
      { from: { email: 'a@unverified.example' } },
      400,
      'emails[1].from.email',
    ],
    [
      'a template that is not there',
      { template_id: 'tmpl_0', text: undefined },
      404,
      'emails[1].template_id',
    ],
  ])('%s is named by its place', async (_what, changes, status, field) => {
    const answer = await allOrNone([mail(), mail(changes)]);
    expect([answer.status, fieldsOf(answer)]).toEqual([status, [field]]);
    expect(await storedOf()).toMatchObject({ emails: 0 });
  });

  it('others that are accepted in the same commit are not refused', async () => {
    await stop();
    const answers = await Promise.all([
      ...Array.from({ length: 10 }, () => api('POST', '/emails/send', mail())),
      allOrNone([mail(), mailTo(STOPPED)]),
      mixed([mail(), mailTo(STOPPED)]),
      ...Array.from({ length: 10 }, () => api('POST', '/emails/send', mail())),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([
      ...Array(10).fill(201),
      400,
      ...Array(11).fill(201),
    ]);
    expect(await storedOf()).toMatchObject({ emails: 21 });
  });

  it('all or none are stored, whatever is suppressed meanwhile', async () => {
    const people = Array.from({ length: 10 }, (_, i) => `r${i}@example.org`);
    const sends = Array.from({ length: 12 }, () => allOrNone(people.map(mailTo)));
    const [answers] = await Promise.all([Promise.all(sends), ...people.map((email) => stop(email))]);
    const accepted = answers.filter(({ status }) => status === 201);
    expect(answers.filter(({ status }) => status !== 201 && status !== 400)).toEqual([]);
    for (const { body } of accepted) expect(await batchOf(body.data.batch_id)).toMatchObject({ total: 10 });
    expect(await storedOf()).toMatchObject({ emails: 10 * accepted.length });
    expect((await allOrNone(people.map(mailTo))).status).toBe(400);
  });
});

describe('sent again with the same Idempotency-Key', () => {
  it('they are sent once, and what was refused stays refused', async () => {
    await stop();
    const emails = [mail(), mailTo(STOPPED), mail({ to: [] })];
    const first = await keyed('again', emails);
    const entry = (await api('GET', `/suppressions?email=${STOPPED}`)).body.data[0];
    await api('DELETE', `/suppressions/${entry.id}`);
    const second = await keyed('again', emails);
    expect(shortly(first)).toEqual(['accepted', 'RECIPIENTS_SUPPRESSED', 'VALIDATION_ERROR']);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(await storedOf()).toMatchObject({ emails: 1 });
    expect((await keyed('again', [mail()])).status).toBe(409);
  });

  it('all that none of was accepted are tried again', async () => {
    await stop();
    const emails = [mail(), mailTo(STOPPED)];
    expect((await keyed('none', emails, { all_or_none: true })).status).toBe(400);
    const entry = (await api('GET', `/suppressions?email=${STOPPED}`)).body.data[0];
    await api('DELETE', `/suppressions/${entry.id}`);
    expect((await keyed('none', emails, { all_or_none: true })).body.data.accepted).toBe(2);
  });
});
