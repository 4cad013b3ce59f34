/** An email that is sent again: as a new email, linked with the old one and checked like every new email. */
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
const resend = (id: string, body: object = {}, key = org.key) =>
  call('POST', `/emails/${id}/resend`, body, key);

async function read(id: string) {
  return (await call('GET', `/emails/${id}`)).body.data;
}

async function content(id: string) {
  return (await call('GET', `/emails/${id}/content`)).body.data;
}

async function withKey(path: string, body: object, idempotencyKey: string): Promise<Answer> {
  const response = await fetch(`${server.url}/api/v1${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${org.key}`,
      'content-type': 'application/json',
      'idempotency-key': idempotencyKey,
    },
    body: JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

const sentCount = async () => (await call('GET', '/emails')).body.pagination.total_count;

describe('a resend', () => {
  it('is a new email with the content and the options of the old one', async () => {
    const options = {
      ...{ html: '<p>Hello</p>', text: 'Hello', headers: { 'X-Order': '77' }, stream: 'bulk' },
      ...{ tags: [{ name: 'kind', value: 'receipt' }], metadata: { order: 77 }, unsubscribe_group: 'news' },
      ...{ cc: [{ email: 'copy@example.org' }], bcc: [{ email: 'hidden@example.org' }] },
      ...{ reply_to: { email: 'help@example.org' }, priority: 'high', expires_in: 3_600 },
      attachments: [{ filename: 'a.txt', content: 'SGVsbG8=', content_type: 'text/plain' }],
    };
    const old = await delivered(options);
    const answer = await resend(old);
    expect(answer).toMatchObject({ status: 201, body: { data: { status: 'queued' } } });
    const { message_id: id } = answer.body.data;
    const [before, after] = await Promise.all([read(old), read(id)]);
    const same = ['subject', 'from', 'to', 'cc', 'bcc', 'reply_to', 'stream', 'priority', 'tags', 'metadata'];
    for (const field of [...same, 'unsubscribe_group'])
      expect([field, after[field]]).toEqual([field, before[field]]);
    expect(await content(id)).toEqual(await content(old));
    const file = await call('GET', `/emails/${id}/attachments/0`);
    expect(file.body.data).toMatchObject({ filename: 'a.txt', content: 'SGVsbG8=' });
  });

  it('names the old email, which lists its resends', async () => {
    const old = await delivered();
    const ids = [];
    for (let times = 0; times < 2; times++) ids.push((await resend(old)).body.data.message_id);
    expect(await read(old)).toMatchObject({
      resent_from: null,
      resends: ids.map((id) => ({ id, created_at: expect.any(String) })),
    });
    expect(await read(ids[0])).toMatchObject({ resent_from: old, resends: [] });
  });

  it('needs no body', async () => {
    const old = await delivered();
    expect((await call('POST', `/emails/${old}/resend`)).status).toBe(201);
  });

  it('sends the version of the template that was sent, and none of a deleted template', async () => {
    const made = await call('POST', '/templates', {
      name: 'T',
      subject: 'Old {{name}}',
      text: 'Old {{name}}',
    });
    const { id: template } = made.body.data;
    const use = {
      template_id: template,
      template_data: { name: 'Ada' },
      subject: 'Old {{name}}',
      text: undefined,
    };
    const old = await delivered({ ...use, html: undefined });
    await call('PUT', `/templates/${template}`, { subject: 'New {{name}}', text: 'New {{name}}' });
    const { message_id: id } = (await resend(old)).body.data;
    expect(await read(id)).toMatchObject({ subject: 'Old Ada', template_id: template });
    expect(await content(id)).toMatchObject({ text: 'Old Ada', template_data: { name: 'Ada' } });
    await call('DELETE', `/templates/${template}`);
    const refused = await resend(old);
    expect(refused.status).toBe(409);
    expect(refused.body.error.message).toBe(
      'The template of this email was deleted. Send a new email instead.',
    );
  });

  it('of a whole message gets a Message-ID and a Date of its own, and is otherwise the same', async () => {
    const old = await delivered();
    const mime =
      'Message-ID: <old@example.org>\r\nSubject: Whole\r\n =?utf-8?q?=C3=BC?=\r\nDate: Mon, 1 Jan 2024 00:00:00 +0000\r\n\r\nBody\r\n';
    await server.db.exec(
      adHoc(
        `UPDATE email_contents SET mime = convert_to($2, 'UTF8'), html = NULL, text = NULL WHERE email_id = $1`,
      ),
      [old, mime],
    );
    const { message_id: id } = (await resend(old)).body.data;
    const raw = await call('GET', `/emails/${id}/raw`);
    expect(raw.body).toBe('Subject: Whole\r\n =?utf-8?q?=C3=BC?=\r\n\r\nBody\r\n');
  });

  it('goes to those recipients who are named', async () => {
    const old = await delivered({
      to: [{ email: 'ada@example.org' }, { email: 'bob@example.org' }],
      cc: [{ email: 'copy@example.org' }],
      bcc: [{ email: 'one@example.org' }, { email: 'two@example.org' }],
    });
    const recipients = async (named: string[]) => {
      const { message_id: id } = (await resend(old, { recipients: named })).body.data;
      const { to, cc, bcc } = await read(id);
      return [to, cc, bcc].map((list) => list.map((one: { email: string }) => one.email));
    };
    expect(await recipients(['BOB@example.org', 'two@example.org'])).toEqual([
      ['bob@example.org'],
      [],
      ['two@example.org'],
    ]);
    expect(await recipients(['copy@example.org'])).toEqual([['copy@example.org'], [], []]);
    const hidden = await resend(old, { recipients: ['one@example.org', 'two@example.org'] });
    expect(fieldsOf(hidden)).toEqual(['recipients']);
    const others = await resend(old, { recipients: ['ada@example.org', 'eve@example.org'] });
    expect(fieldsOf(others)).toEqual(['recipients[1]']);
  });

  it('is in the audit log, with the new email', async () => {
    const old = await delivered();
    const { message_id: id } = (await resend(old)).body.data;
    const log = adHoc<{ target_id: string; details: object }>(
      `SELECT target_id, details FROM audit_log WHERE organization_id = $1 AND action = 'email.resent'`,
    );
    expect(await server.db.many(log, [org.id])).toEqual([{ target_id: old, details: { resent_as: id } }]);
  });
});

describe('a resend is refused', () => {
  it('like any other email: a suppressed recipient, a domain that is not verified', async () => {
    const old = await delivered();
    const { to } = await read(old);
    const { id } = (await call('POST', '/suppressions', { email: to[0].email, reason: 'manual' })).body.data;
    expect((await resend(old)).body.error.code).toBe('RECIPIENTS_SUPPRESSED');
    await call('DELETE', `/suppressions/${id}`);
    await server.db.exec(adHoc('UPDATE domains SET spf_verified = false WHERE organization_id = $1'), [
      org.id,
    ]);
    expect((await resend(old)).body.error.code).toBe('DOMAIN_NOT_VERIFIED');
    expect(await sentCount()).toBe(1);
  });

  it('while the delivery has not ended, because the mail would arrive twice', async () => {
    const id = await sendLetter(server, org);
    const answer = await resend(id);
    expect(answer.status).toBe(409);
    expect(answer.body.error.message).toContain('has not ended yet');
  });

  it('if retention has removed the content, and says so', async () => {
    const old = await delivered();
    await server.db.exec(adHoc('DELETE FROM email_contents WHERE email_id = $1'), [old]);
    const answer = await resend(old);
    expect(answer.status).toBe(409);
    expect(answer.body.error.message).toBe(
      'The content of this email is no longer stored, so it cannot be sent again. Send a new email instead.',
    );
  });

  it('if the mail was accepted in another mode', async () => {
    const old = await delivered();
    await server.db.exec(adHoc(`UPDATE emails SET mode = 'live' WHERE id = $1`), [old]);
    const answer = await resend(old);
    expect(answer.status).toBe(409);
    expect(answer.body.error.message).toContain('not accepted in sandbox mode');
  });

  it('to keys that may not send, or did not send it', async () => {
    const old = await delivered();
    const send = await server.createKey(org.id, { scope: 'send' });
    expect((await resend(old, {}, await server.createKey(org.id, { scope: 'read' }))).status).toBe(403);
    expect((await resend(old, {}, send)).status).toBe(404);
    const own = await delivered({}, send);
    expect((await resend(own, {}, send)).status).toBe(201);
    const other = await server.createOrganization('Other');
    expect((await resend(own, {}, other.key)).status).toBe(404);
  });

  it('by the policy of an agent, whose resend needs approval again', async () => {
    const policy = { approval: 'required', recipients: ['ada@example.org'] };
    const agent = { name: 'Agent', scope: 'agent', policy };
    const { key, id: keyId } = (await call('POST', '/api-keys', agent)).body.data;
    const mine = await delivered({ to: [{ email: 'ada@example.org' }] }, key);
    const { message_id: id } = (await resend(mine, {}, key)).body.data;
    expect((await read(id)).state).toBe('awaiting_approval');
    expect((await resend(await delivered(), {}, key)).status).toBe(404);
    await call('PATCH', `/api-keys/${keyId}`, { policy: { ...policy, recipients: ['bob@example.org'] } });
    await expect.poll(async () => (await resend(mine, {}, key)).status).toBe(403);
  });
});

describe('a resend with an Idempotency-Key', () => {
  it('is done once', async () => {
    const old = await delivered();
    const first = await withKey(`/emails/${old}/resend`, {}, 'again');
    const second = await withKey(`/emails/${old}/resend`, {}, 'again');
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect((await read(old)).resends).toHaveLength(1);
  });

  it('is another request for another email', async () => {
    const [one, two] = [await delivered(), await delivered()];
    expect((await withKey(`/emails/${one}/resend`, {}, 'again')).status).toBe(201);
    const other = await withKey(`/emails/${two}/resend`, {}, 'again');
    expect(other.body.error.code).toBe('IDEMPOTENCY_CONFLICT');
  });
});

describe('several resends', () => {
  it('have a result each, and one that fails stops no other', async () => {
    const [good, queued] = [await delivered(), await sendLetter(server, org)];
    const missing = '01a1dd1c-a292-7088-82d5-cb934f4f4126';
    const answer = await call('POST', '/emails/resend', { ids: [queued, good, missing, good] });
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({
      ...{ succeeded: 1, failed: 2 },
      results: [
        { id: queued, message_id: null, error: { code: 'CONFLICT', details: [] } },
        { id: good, message_id: expect.any(String), error: null },
        { id: missing, message_id: null, error: { code: 'NOT_FOUND' } },
      ],
    });
    const { resends } = await read(good);
    expect(resends).toEqual([{ id: answer.body.data.results[1].message_id, created_at: expect.any(String) }]);
  });

  it('send each email once for an Idempotency-Key, also if some were not asked for before', async () => {
    const [one, two] = [await delivered(), await delivered()];
    const first = await withKey('/emails/resend', { ids: [one] }, 'several');
    const again = await withKey('/emails/resend', { ids: [one, two] }, 'several');
    expect(again.body.data.results[0]).toEqual(first.body.data.results[0]);
    expect(again.body.data.succeeded).toBe(2);
    expect((await read(one)).resends).toHaveLength(1);
    expect((await read(two)).resends).toHaveLength(1);
  });

  it('are in the audit log one by one', async () => {
    const [one, two] = [await delivered(), await sendLetter(server, org)];
    await call('POST', '/emails/resend', { ids: [one, two] });
    const log = adHoc<{ target_id: string }>(
      `SELECT target_id FROM audit_log WHERE organization_id = $1 AND action = 'email.resent'`,
    );
    expect(await server.db.many(log, [org.id])).toEqual([{ target_id: one }]);
  });

  it('are at most a hundred', async () => {
    const ids = Array.from({ length: 101 }, (_, n) => `id${n}`);
    expect((await call('POST', '/emails/resend', { ids })).status).toBe(400);
    expect((await call('POST', '/emails/resend', { ids: [] })).status).toBe(400);
  });
});
