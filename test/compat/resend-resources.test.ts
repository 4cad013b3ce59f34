/** Domains, keys, suppressions and templates through Resend's own client. */
import type { Resend } from 'resend';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import type { TestApi, TestOrganization } from '../support/api.ts';
import { dataOf, type ResendFixture, startResend } from '../support/resend.ts';

let fixture: ResendFixture;
let server: TestApi;
let org: TestOrganization;
let resend: Resend;

beforeAll(async () => {
  fixture = await startResend();
  ({ server, org, resend } = fixture);
});
afterAll(() => fixture.stop());

const entries = adHoc<{ target_id: string | null; target_name: string | null; details: object }>(
  'SELECT target_id, target_name, details FROM audit_log WHERE organization_id = $1 AND action = $2 ORDER BY id',
);
const audited = (action: string) => server.db.many(entries, [org.id, action]);

const nobody = { statusCode: 404, name: 'not_found' };

describe('domains', () => {
  it('are registered with the records to publish, verified and removed', async () => {
    const created = await dataOf(resend.domains.create({ name: 'Mail.Example.org', region: 'eu-west-1' }));
    expect(created).toMatchObject({
      name: 'mail.example.org',
      status: 'not_started',
      region: 'us-east-1',
      capabilities: { sending: 'enabled', receiving: 'disabled' },
    });
    expect(created.records).toMatchObject([
      {
        record: 'DKIM',
        type: 'TXT',
        ttl: 'Auto',
        status: 'not_started',
        name: expect.stringMatching(/^[^.]+\._domainkey$/),
      },
      { record: 'SPF', type: 'TXT', name: '@', value: expect.stringMatching(/^v=spf1 include:/) },
    ]);
    const { id } = created;
    expect(await dataOf(resend.domains.verify(id))).toEqual({ object: 'domain', id });
    const read = await dataOf(resend.domains.get(id));
    expect(read).toMatchObject({ object: 'domain', id, name: 'mail.example.org', status: 'verified' });
    expect(read.records.map(({ status }) => status)).toEqual(['verified', 'verified']);
    expect(await dataOf(resend.domains.update({ id, openTracking: true }))).toEqual({ object: 'domain', id });
    expect(await dataOf(resend.domains.remove(id))).toEqual({ object: 'domain', id, deleted: true });
    expect((await resend.domains.get(id)).error).toMatchObject(nobody);
  });

  it('are listed in pages', async () => {
    await dataOf(resend.domains.create({ name: 'second.example.org' }));
    const first = await dataOf(resend.domains.list({ limit: 1 }));
    expect(first).toMatchObject({ object: 'list', has_more: true, data: [{ name: 'second.example.org' }] });
    const rest = await dataOf(resend.domains.list({ after: first.data[0]?.id ?? '' }));
    expect(rest).toMatchObject({ has_more: false, data: [{ name: org.domain, status: 'verified' }] });
    const back = await dataOf(resend.domains.list({ before: rest.data[0]?.id ?? '' }));
    expect(back.data.map(({ name }) => name)).toEqual(['second.example.org']);
    expect((await resend.domains.list({ after: 'dom_x' })).error?.name).toBe('invalid_parameter');
  });

  it('are refused where the name or the region is wrong, or they are there already', async () => {
    const refusal = async (payload: object) =>
      (await resend.domains.create(payload as { name: string })).error;
    expect(await refusal({})).toMatchObject({ statusCode: 422, name: 'missing_required_field' });
    expect(await refusal({ name: 'nope' })).toMatchObject({ statusCode: 422, name: 'validation_error' });
    expect(await refusal({ name: 'a.example', region: 'mars' })).toMatchObject({
      statusCode: 422,
      name: 'invalid_region',
    });
    expect(await refusal({ name: org.domain })).toMatchObject({ statusCode: 422, name: 'validation_error' });
  });
});

describe('API keys', () => {
  it('are made, listed and revoked', async () => {
    const { id, token } = await dataOf(resend.apiKeys.create({ name: 'CI', permission: 'sending_access' }));
    expect(token).toMatch(/^pr_/);
    const { data } = await dataOf(resend.apiKeys.list());
    expect(data[0]).toMatchObject({ id, name: 'CI', created_at: expect.any(String), last_used_at: null });
    const sending = fixture.client(token);
    expect((await sending.domains.list()).error).toMatchObject({
      statusCode: 401,
      name: 'restricted_api_key',
    });
    expect(await dataOf(resend.apiKeys.remove(id))).toEqual({ object: 'api_key', id, deleted: true });
    expect((await dataOf(resend.apiKeys.list())).data.map((key) => key.id)).not.toContain(id);
    expect((await resend.apiKeys.remove('key_none')).error).toEqual({
      ...nobody,
      message: 'API key not found',
    });
  });

  it('can do everything unless told otherwise, or send from one domain alone', async () => {
    const full = fixture.client((await dataOf(resend.apiKeys.create({ name: '' }))).token);
    const [domain] = (await dataOf(full.domains.list())).data;
    const { token } = await dataOf(
      full.apiKeys.create({ name: 'One', permission: 'sending_access', domain_id: domain?.id ?? '' }),
    );
    const email = { to: 'ada@example.org', subject: 'Hi', text: 'Hi' };
    expect(
      (await fixture.client(token).emails.send({ ...email, from: 'a@elsewhere.test' })).error?.name,
    ).toBe('restricted_api_key');
  });

  it('have one of two permissions', async () => {
    const { error } = await resend.apiKeys.create({ name: 'x', permission: 'root' as 'full_access' });
    expect(error).toMatchObject({ statusCode: 422, name: 'invalid_access' });
  });

  it('are not made for all domains where the one that was meant cannot be told', async () => {
    const { error } = await resend.apiKeys.create({ name: 'x', domain_id: 7 as unknown as string });
    expect(error).toMatchObject({ statusCode: 422, message: expect.stringContaining('domain_id') });
  });

  it('are in the audit log with what they may do', async () => {
    const [domain] = (await dataOf(resend.domains.list())).data;
    const asked = { permission: 'sending_access', domain_id: domain?.id ?? '' } as const;
    const { id } = await dataOf(resend.apiKeys.create({ name: 'Audited', ...asked }));
    expect(await audited('api_key.created')).toContainEqual({
      target_id: id,
      target_name: 'Audited',
      details: { scope: 'send', domain: domain?.name },
    });
  });
});

describe('suppressions', () => {
  it('are added, found by id or address, and removed', async () => {
    const { id } = await dataOf(resend.suppressions.add({ email: 'Gone+x@Example.org' }));
    const entry = {
      object: 'suppression',
      id,
      email: 'Gone+x@example.org',
      origin: 'manual',
      source_id: null,
    };
    expect(await dataOf(resend.suppressions.get(id))).toMatchObject(entry);
    expect(await dataOf(resend.suppressions.get('gone+x@example.org'))).toMatchObject(entry);
    const removed = await dataOf(resend.suppressions.remove('gone+x@example.org'));
    expect(removed).toEqual({ object: 'suppression', id, deleted: true });
    expect((await resend.suppressions.get(id)).error).toMatchObject(nobody);
    expect((await resend.suppressions.remove('nobody@example.org')).error).toMatchObject(nobody);
    expect((await resend.suppressions.add({ email: 'x' })).error).toMatchObject({
      statusCode: 422,
      name: 'validation_error',
    });
  });

  it('are not removed by what is no text', async () => {
    const emails = [{}] as unknown as string[];
    const { error } = await resend.suppressions.batch.remove({ emails });
    expect(error).toMatchObject({ statusCode: 422, message: 'Invalid `emails[0]` field: must be a string.' });
  });

  it('are added and removed by the dozen, and listed by where they came from', async () => {
    const emails = ['a@example.org', 'b@example.org', 'c@example.org'];
    const { data: added } = await dataOf(resend.suppressions.batch.add({ emails }));
    expect(added).toHaveLength(3);
    const bounced = { email: 'bounced@example.org', reason: 'hard_bounce' };
    await server.api('POST', '/suppressions', bounced, org.key);
    const left = { email: 'left@example.org', reason: 'unsubscribe', unsubscribe_group: 'news' };
    await server.api('POST', '/suppressions', left, org.key);
    const manual = await dataOf(resend.suppressions.list({ origin: 'manual', limit: 2 }));
    expect([manual.data.map(({ email }) => email), manual.has_more]).toEqual([
      ['c@example.org', 'b@example.org'],
      true,
    ]);
    const next = await dataOf(
      resend.suppressions.list({ origin: 'manual', after: manual.data[1]?.id ?? '' }),
    );
    expect(next.data.map(({ email }) => email)).toEqual(['a@example.org']);
    const back = await dataOf(resend.suppressions.list({ before: next.data[0]?.id ?? '', limit: 2 }));
    expect([back.data.map(({ email }) => email), back.has_more]).toEqual([
      ['c@example.org', 'b@example.org'],
      true,
    ]);
    const all = await dataOf(resend.suppressions.list());
    expect(all.data.map(({ email, origin }) => `${email} ${origin}`)[0]).toBe('bounced@example.org bounce');
    expect(all.data.map(({ email }) => email)).not.toContain('left@example.org');
    const [first] = added;
    const gone = await dataOf(resend.suppressions.batch.remove({ ids: [first?.id ?? '', 'sup_none'] }));
    expect(gone.data).toEqual([{ object: 'suppression', id: first?.id, deleted: true }]);
    const rest = await dataOf(resend.suppressions.batch.remove({ emails }));
    expect(rest.data).toHaveLength(2);
    const names = async (action: string) => (await audited(action)).map((entry) => entry.target_name);
    expect(await names('suppression.imported')).toEqual(['a@example.org, b@example.org, c@example.org']);
    expect((await names('suppression.deleted')).slice(-2)).toEqual([
      'a@example.org',
      'b@example.org, c@example.org',
    ]);
  });
});
