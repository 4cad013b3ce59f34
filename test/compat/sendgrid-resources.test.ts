/** Scopes and suppressions through SendGrid's own client. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import type { TestApi, TestOrganization } from '../support/api.ts';
import { refusal, type SendGridFixture, startSendGrid } from '../support/sendgrid.ts';

let fixture: SendGridFixture;
let server: TestApi;
let org: TestOrganization;

beforeAll(async () => {
  fixture = await startSendGrid();
  ({ server, org } = fixture);
});
afterAll(() => fixture.stop());

describe('scopes and suppressions', () => {
  const ask = async (method: 'GET' | 'POST' | 'DELETE', url: string, body?: object, key = org.key) => {
    const [{ statusCode, body: answer }] = await fixture.clientOf(key).request({
      method,
      url,
      ...(body ? { body } : {}),
    });
    return { statusCode, answer };
  };
  const suppress = (email: string, reason: string) =>
    server.api('POST', '/suppressions', { email, reason }, org.key);

  it('tell what a key may do', async () => {
    expect((await ask('GET', '/v3/scopes')).answer).toEqual({
      scopes: expect.arrayContaining(['mail.send']),
    });
    const reader = await server.createKey(org.id, { scope: 'read' });
    expect((await ask('GET', '/v3/scopes', undefined, reader)).answer).toEqual({
      scopes: expect.not.arrayContaining(['mail.send']),
    });
  });

  it('list bounces, page by page, find one and remove it', async () => {
    const other = await server.createOrganization('Bounces');
    const add = (email: string, reason: string) =>
      server.api('POST', '/suppressions', { email, reason }, other.key);
    await add('b1@example.org', 'hard_bounce');
    await add('b2@example.org', 'hard_bounce');
    await add('b3@example.org', 'soft_bounce');
    await add('c1@example.org', 'complaint');
    const bounces = async (query: string) =>
      (
        (await ask('GET', `/v3/suppression/bounces${query}`, undefined, other.key)).answer as {
          email: string;
        }[]
      ).map(({ email }) => email);
    expect(await bounces('')).toEqual(['b2@example.org', 'b1@example.org', 'b3@example.org']);
    expect(await bounces('?limit=2&offset=1')).toEqual(['b1@example.org', 'b3@example.org']);
    expect(await bounces('/b1@example.org')).toEqual(['b1@example.org']);
    const gone = await ask('DELETE', '/v3/suppression/bounces/b1@example.org', undefined, other.key);
    expect(gone.statusCode).toBe(204);
    expect(await bounces('')).toEqual(['b2@example.org', 'b3@example.org']);
    await ask(
      'DELETE',
      '/v3/suppression/bounces',
      { emails: ['b2@example.org', 'b3@example.org'] },
      other.key,
    );
    expect(await bounces('')).toEqual([]);
    const { answer } = await ask('GET', '/v3/suppression/spam_reports', undefined, other.key);
    expect(answer).toMatchObject([{ email: 'c1@example.org', created: expect.any(Number) }]);
  });

  it('are in the audit log, though they are answered with nothing', async () => {
    await suppress('audited@example.org', 'hard_bounce');
    await ask('DELETE', '/v3/suppression/bounces/audited@example.org');
    const entries = adHoc<{ target_name: string }>(
      "SELECT target_name FROM audit_log WHERE organization_id = $1 AND action = 'suppression.deleted'",
    );
    expect(await server.db.many(entries, [org.id])).toContainEqual({ target_name: 'audited@example.org' });
  });

  it('of everything are set, told and lifted', async () => {
    const path = '/v3/asm/suppressions/global';
    const added = await ask('POST', path, { recipient_emails: ['g1@example.org', 'g2@example.org'] });
    expect(added).toEqual({
      statusCode: 201,
      answer: { recipient_emails: ['g1@example.org', 'g2@example.org'] },
    });
    expect((await ask('GET', `${path}/g1@example.org`)).answer).toEqual({
      recipient_email: 'g1@example.org',
    });
    expect((await ask('DELETE', `${path}/g1@example.org`)).statusCode).toBe(204);
    expect((await ask('GET', `${path}/g1@example.org`)).answer).toEqual({});
    expect(await refusal(ask('DELETE', `${path}/g1@example.org`))).toMatchObject({ code: 404 });
  });

  it('are not for keys that only send', async () => {
    const sender = await server.createKey(org.id, { scope: 'send' });
    expect(await refusal(ask('GET', '/v3/suppression/bounces', undefined, sender))).toMatchObject({
      code: 403,
    });
  });

  it('refuse what they cannot do', async () => {
    for (const [url, field] of [
      ['/v3/suppression/bounces?start_time=1', 'start_time'],
      ['/v3/suppression/bounces?limit=501', 'limit'],
      ['/v3/suppression/bounces/nobody', 'email'],
    ] as const)
      expect(await refusal(ask('GET', url))).toMatchObject({ code: 400, errors: [{ field }] });
    expect(await refusal(ask('DELETE', '/v3/suppression/bounces', { delete_all: true }))).toMatchObject({
      errors: [{ field: 'emails' }],
    });
  });
});
