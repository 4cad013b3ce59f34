/** Replacement of API keys, and their usage. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MovableClock } from '../accounts/people.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { letter } from '../support/emails.ts';
import { until } from '../support/until.ts';

const clock = new MovableClock();
let server: TestApi;
let org: TestOrganization;
beforeAll(async () => {
  server = await startApi({ clock });
  org = await server.createOrganization();
});
afterAll(() => server.stop());

const call = (method: string, path: string, body?: unknown, key = org.key) =>
  server.api(method, path, body, key);
const create = async (body: object = {}) =>
  (await call('POST', '/api-keys', { name: 'Shop', scope: 'full', ...body })).body.data;
const worksNow = async (key: string) => (await call('GET', '/organization', undefined, key)).status === 200;

describe('rotating a key', () => {
  it('makes one that can do the same, and both work until the time that was chosen', async () => {
    const old = await create({ domain: org.domain });
    const worksUntil = new Date(clock.ms + 3_600_000).toISOString();
    const { status, body } = await call('POST', `/api-keys/${old.id}/rotate`, {
      old_works_until: worksUntil,
    });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      name: 'Shop',
      scope: 'full',
      domain: org.domain,
      expires_at: null,
      replaced_by: null,
      replaces: { id: old.id, expires_at: worksUntil, replaced_by: body.data.id },
    });
    expect(body.data.replaces).not.toHaveProperty('key');
    expect([await worksNow(old.key), await worksNow(body.data.key)]).toEqual([true, true]);
    clock.ms += 3_601_000;
    await expect.poll(() => worksNow(old.key), { timeout: 10_000 }).toBe(false);
    expect(await worksNow(body.data.key)).toBe(true);
  });

  it('leaves the old one a day where nobody says, and never longer than it would have lived', async () => {
    const lasting = await create();
    const short = await create({ expires_at: new Date(clock.ms + 60_000).toISOString() });
    const ofLasting = (await call('POST', `/api-keys/${lasting.id}/rotate`, {})).body.data;
    const ofShort = (await call('POST', `/api-keys/${short.id}/rotate`, {})).body.data;
    expect(Date.parse(ofLasting.replaces.expires_at)).toBe(clock.ms + 86_400_000);
    expect(ofShort.replaces.expires_at).toBe(short.expires_at);
    expect(ofShort.expires_at).toBe(short.expires_at);
  });

  it('is done once: a second time, and of a key that ended, it is refused', async () => {
    const count = async () => (await call('GET', '/api-keys')).body.pagination.total_count;
    const before = await count();
    const old = await create();
    await call('POST', `/api-keys/${old.id}/rotate`, {});
    const again = await call('POST', `/api-keys/${old.id}/rotate`, {});
    expect([again.status, again.body.error.code]).toEqual([409, 'CONFLICT']);
    const revoked = await create();
    await call('DELETE', `/api-keys/${revoked.id}`);
    expect((await call('POST', `/api-keys/${revoked.id}/rotate`, {})).status).toBe(409);
    // Neither refusal has left a key behind.
    expect(await count()).toBe(before + 3);
  });

  it('refuses a time that has passed, and a key of another organization', async () => {
    const old = await create();
    const past = await call('POST', `/api-keys/${old.id}/rotate`, { old_works_until: '2020-01-01' });
    expect(past.body.error.details).toEqual([{ field: 'old_works_until', message: 'must be in the future' }]);
    const stranger = await server.createOrganization('Stranger');
    expect((await call('POST', `/api-keys/${old.id}/rotate`, {}, stranger.key)).status).toBe(404);
  });

  it('lets a key that expires make none that lives longer', async () => {
    const mortal = await create({ expires_at: new Date(clock.ms + 60_000).toISOString() });
    const lasting = await create();
    const { status } = await call('POST', `/api-keys/${lasting.id}/rotate`, {}, mortal.key);
    expect(status).toBe(403);
  });
});

describe('what a key was used for', () => {
  it('is counted: requests, those that were refused, and emails', async () => {
    const { id, key } = await create();
    await call('POST', '/emails/send', letter(org), key);
    await call('POST', '/emails/send', letter(org), key);
    await call('POST', '/emails/send', { nonsense: true }, key);
    const listed = async () =>
      (await call('GET', '/api-keys?limit=100')).body.data.find((one: { id: string }) => one.id === id);
    const { last_30_days: month, created_by_name } = await until(
      listed,
      (one) => one.last_30_days.requests === 3,
      300,
    );
    expect(month).toEqual({ requests: 3, refused: 1, emails: 2 });
    expect(created_by_name).toBeNull();
    const { body } = await call('GET', `/api-keys/${id}/usage?days=7`);
    expect(body.data).toEqual({
      from: new Date(clock.ms - 6 * 86_400_000).toISOString().slice(0, 10),
      totals: month,
      days: [{ day: new Date(clock.ms).toISOString().slice(0, 10), ...month }],
    });
  });
});
