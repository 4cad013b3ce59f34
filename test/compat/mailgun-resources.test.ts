/** Suppressions and validation through Mailgun's own client. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApi, TestOrganization } from '../support/api.ts';
import { type MailgunFixture, refusal, startMailgun } from '../support/mailgun.ts';

let fixture: MailgunFixture;
let server: TestApi;
let org: TestOrganization;

beforeAll(async () => {
  fixture = await startMailgun();
  ({ server, org } = fixture);
});
afterAll(() => fixture.stop());

const mailgun = (key?: string) => fixture.client(key);

describe('suppressions', () => {
  it('are added, listed page by page, found and removed', async () => {
    const other = await server.createOrganization('Suppressions');
    const { suppressions } = mailgun(other.key);
    await suppressions.create(other.domain, 'bounces', { address: 's1@example.org', code: 550 });
    const many = [{ address: 's2@example.org' }, { address: 's3@example.org' }];
    expect(await suppressions.create(other.domain, 'bounces', many)).toMatchObject({
      message: '2 addresses have been added to the bounces table',
    });
    const first = await suppressions.list(other.domain, 'bounces', { limit: 2 });
    expect(first.items).toHaveLength(2);
    expect(first.pages.next.url).toMatch(/^https?:\/\//);
    const second = await suppressions.list(other.domain, 'bounces', { page: first.pages.next.page });
    expect(second.items).toMatchObject([
      { address: 's1@example.org', code: 550, created_at: expect.any(Date) },
    ]);
    const third = await suppressions.list(other.domain, 'bounces', { page: second.pages.next.page });
    expect(third.items).toEqual([]);
    expect(await suppressions.get(other.domain, 'bounces', 's2@example.org')).toMatchObject({
      address: 's2@example.org',
    });
    expect(await suppressions.destroy(other.domain, 'bounces', 's2@example.org')).toMatchObject({
      address: 's2@example.org',
      message: 'Bounced address has been removed',
    });
    expect(await refusal(suppressions.get(other.domain, 'bounces', 's2@example.org'))).toEqual({
      status: 404,
      details: 'Address not found in bounces table',
    });
  });

  it('know complaints, and unsubscriptions from everything and from tags', async () => {
    const { suppressions } = mailgun();
    await suppressions.create(org.domain, 'complaints', { address: 'c@example.org' });
    expect(await suppressions.get(org.domain, 'complaints', 'c@example.org')).toMatchObject({
      address: 'c@example.org',
    });
    await suppressions.create(org.domain, 'unsubscribes', { address: 'u1@example.org', tag: '*' });
    await suppressions.create(org.domain, 'unsubscribes', { address: 'u2@example.org', tag: 'news' });
    expect(await suppressions.get(org.domain, 'unsubscribes', 'u1@example.org')).toMatchObject({
      tags: ['*'],
    });
    expect(await suppressions.get(org.domain, 'unsubscribes', 'u2@example.org')).toMatchObject({
      tags: ['news'],
    });
  });

  it('are refused with a wrong address, tag or page, and for a domain of others', async () => {
    const { suppressions } = mailgun();
    expect(await refusal(suppressions.create(org.domain, 'bounces', { address: 'nobody' }))).toMatchObject({
      status: 400,
    });
    const answer = await fetch(`${server.url}/compat/mailgun/v3/${org.domain}/unsubscribes`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`api:${org.key}`)}`, 'content-type': 'application/json' },
      body: JSON.stringify([{ address: 'ada@example.org', tags: [{}] }]),
    });
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('tag')]);
    expect(await refusal(suppressions.list(org.domain, 'bounces', { limit: 5_000 }))).toMatchObject({
      status: 400,
    });
    expect(await refusal(suppressions.list('elsewhere.test', 'bounces'))).toMatchObject({ status: 404 });
    const sender = await server.createKey(org.id, { scope: 'send' });
    expect(await refusal(mailgun(sender).suppressions.list(org.domain, 'bounces'))).toMatchObject({
      status: 403,
    });
  });
});

describe('validation', () => {
  it('judges an address in its words', async () => {
    expect(await mailgun().validate.get('info@sandbox.test')).toMatchObject({
      address: 'info@sandbox.test',
      is_role_address: true,
      is_disposable_address: false,
      reason: expect.any(Array),
    });
    expect(await mailgun().validate.get('nobody')).toMatchObject({ result: 'undeliverable', risk: 'high' });
    expect(await refusal(mailgun().validate.get(''))).toMatchObject({ status: 400 });
  });
});
