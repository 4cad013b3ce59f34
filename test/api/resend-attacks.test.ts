/** Resends by callers who may not send an email again, or who repeat, misspell and exceed what they ask for. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { type Answer, sharedApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { fieldsOf, sendLetter } from '../support/emails.ts';
import { markDelivered } from '../support/reports.ts';

let server: TestApi;
let org: TestOrganization;
beforeAll(async () => {
  server = await sharedApi();
});
afterAll(() => server.stop());
beforeEach(async () => {
  org = await server.createOrganization();
});

async function delivered(changes: Readonly<Record<string, unknown>> = {}, key = org.key): Promise<string> {
  const id = await sendLetter(server, { ...org, key }, changes);
  await markDelivered(server.db, org.id, id);
  return id;
}

const call = (method: string, path: string, body?: unknown, key = org.key) =>
  server.api(method, path, body, key);
const resendAll = (ids: readonly string[], key = org.key) => call('POST', '/emails/resend', { ids }, key);
const sentCount = async () => (await call('GET', '/emails')).body.pagination.total_count;
const codes = ({ body }: Answer) =>
  body.data.results.map((one: { error: { code: string } | null }) => one.error?.code ?? null);

async function withKey(path: string, body: object, idempotencyKey: string, key = org.key): Promise<Answer> {
  const response = await fetch(`${server.url}/api/v1${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': idempotencyKey,
    },
    body: JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

const audited = () =>
  server.db.many(
    adHoc<{ target_id: string }>(
      `SELECT target_id FROM audit_log WHERE organization_id = $1 AND action = 'email.resent'`,
    ),
    [org.id],
  );

describe('several resends', () => {
  it('are refused to a key that may only read', async () => {
    const old = await delivered();
    const answer = await resendAll([old], await server.createKey(org.id, { scope: 'read' }));
    expect(answer.status).toBe(403);
    expect(await sentCount()).toBe(1);
  });

  it('find only the email that a key of scope send sent itself', async () => {
    const key = await server.createKey(org.id, { scope: 'send' });
    const [own, other] = [await delivered({}, key), await delivered()];
    expect(codes(await resendAll([own, other], key))).toEqual([null, 'NOT_FOUND']);
  });

  it('find only the email of the domain that a key is tied to', async () => {
    const key = await server.createKey(org.id, { domain: 'elsewhere.example' });
    expect(codes(await resendAll([await delivered()], key))).toEqual(['NOT_FOUND']);
  });

  it('name a suppressed recipient, and send nothing to anybody of that email', async () => {
    const old = await delivered({ to: [{ email: 'ada@example.org' }, { email: 'bob@example.org' }] });
    await call('POST', '/suppressions', { email: 'bob@example.org', reason: 'complaint' });
    const answer = await resendAll([old]);
    expect(codes(answer)).toEqual(['RECIPIENTS_SUPPRESSED']);
    expect(JSON.stringify(answer.body.data.results[0].error.details)).toContain('bob@example.org');
    expect(await sentCount()).toBe(1);
  });

  it('send an email once whose id is named twice, also in capitals', async () => {
    const old = await delivered();
    const answer = await resendAll([old, old.toUpperCase(), old]);
    expect(answer.body.data).toMatchObject({ succeeded: 1, failed: 0, results: [{ id: old }] });
    expect(await sentCount()).toBe(2);
  });

  it('are refused as a whole beyond the limit of a request', async () => {
    const old = await delivered();
    const ids = [old, ...Array.from({ length: 999 }, (_, n) => `id${n}`)];
    expect(fieldsOf(await resendAll(ids))).toEqual(['ids']);
    expect(await sentCount()).toBe(1);
  });

  it('count against the sending limit, and name the emails beyond it', async () => {
    const ids = [await delivered(), await delivered()];
    await server.db.exec(adHoc('UPDATE organizations SET daily_limit = 3 WHERE id = $1'), [org.id]);
    expect(codes(await resendAll(ids)).toSorted()).toEqual([null, 'LIMIT_EXCEEDED'].toSorted());
  });
});

describe('mail with which a password can be set', () => {
  it('is not sent again, by anybody', async () => {
    const old = await delivered();
    const tag = JSON.stringify([{ name: 'postrider', value: 'account' }]);
    await server.db.exec(adHoc('UPDATE emails SET tags = $2 WHERE id = $1'), [old, tag]);
    const { status, body } = await call('POST', `/emails/${old}/resend`, {});
    expect([status, body.error.message]).toEqual([409, expect.stringContaining('set a password')]);
    expect(codes(await resendAll([old]))).toEqual(['CONFLICT']);
    expect(await sentCount()).toBe(1);
  });
});

describe('an id in capitals', () => {
  it('is the same email for an Idempotency-Key', async () => {
    const old = await delivered();
    await withKey('/emails/resend', { ids: [old] }, 'capitals');
    await withKey('/emails/resend', { ids: [old.toUpperCase()] }, 'capitals');
    expect(await sentCount()).toBe(2);
  });
});

describe('a repeated request', () => {
  it('is not in the audit log again', async () => {
    const [one, two] = [await delivered(), await delivered()];
    await withKey('/emails/resend', { ids: [one] }, 'several');
    await withKey('/emails/resend', { ids: [one, two] }, 'several');
    await withKey(`/emails/${one}/resend`, {}, 'single');
    await withKey(`/emails/${one}/resend`, {}, 'single');
    expect((await audited()).map(({ target_id }) => target_id)).toEqual([one, two, one]);
  });

  it('gets its first answer, although the content was removed in between', async () => {
    const old = await delivered();
    const first = await withKey('/emails/resend', { ids: [old] }, 'removed');
    await server.db.exec(adHoc('DELETE FROM email_contents WHERE email_id = $1'), [old]);
    const again = await withKey('/emails/resend', { ids: [old] }, 'removed');
    expect(again.body).toEqual(first.body);
  });

  it('tells a key nothing that may not see the email', async () => {
    const old = await delivered();
    await withKey('/emails/resend', { ids: [old] }, 'shared');
    for (const key of [
      await server.createKey(org.id, { scope: 'send' }),
      await server.createKey(org.id, { domain: 'elsewhere.example' }),
    ]) {
      const { body } = await withKey('/emails/resend', { ids: [old] }, 'shared', key);
      expect(body.data.results).toMatchObject([{ message_id: null, error: { code: 'NOT_FOUND' } }]);
    }
  });

  it('sends each email once, however many arrive at the same time', async () => {
    const old = await delivered();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => withKey('/emails/resend', { ids: [old] }, 'race')),
    );
    expect(await sentCount()).toBe(2);
    const ids = answers.flatMap(({ body }) => body.data.results[0].message_id ?? []);
    expect(new Set(ids).size).toBe(1);
  });

  it('is refused as a whole with an Idempotency-Key that is too long', async () => {
    const old = await delivered();
    const { status, body } = await withKey('/emails/resend', { ids: [old] }, 'x'.repeat(257));
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect((await withKey('/emails/resend', { ids: [old] }, 'x'.repeat(256))).body.data.succeeded).toBe(1);
  });
});

describe('the recipients of a resend', () => {
  it('are refused if one of them is no address', async () => {
    const old = await delivered();
    const answer = await call('POST', `/emails/${old}/resend`, { recipients: ['ada@example.org', 'nobody'] });
    expect(fieldsOf(answer)).toEqual(['recipients[1]']);
  });
});
