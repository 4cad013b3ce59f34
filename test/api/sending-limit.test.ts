import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { setDailyLimit } from '../../src/organizations/store.ts';
import { DAY_MS } from '../../src/runtime/durations.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';

describe('the sending limit', () => {
  /** Two API processes' worth of state on one database. */
  let one: TestApi;
  let two: TestApi;
  let organization: TestOrganization;
  let nowMs = Date.UTC(2027, 4, 4);

  beforeAll(async () => {
    const clock = { nowMs: () => nowMs };
    one = await startApi({ clock });
    two = await startApi({ clock, database: one.database });
  });
  afterAll(async () => {
    await two.stop();
    await one.stop();
  });
  beforeEach(async () => {
    // Forward only: ids never go back in time, whatever the clock does.
    nowMs = (Math.floor(nowMs / DAY_MS) + 1) * DAY_MS + DAY_MS / 2;
    organization = await one.createOrganization();
  });

  const send = (recipients: number, api = one) =>
    api.api(
      'POST',
      '/emails/send',
      {
        from: { email: `a@${organization.domain}` },
        to: Array.from({ length: recipients }, (_, i) => ({ email: `u${i}@example.org` })),
        subject: 's',
        text: 't',
      },
      organization.key,
    );
  const stored = async () => {
    const count = adHoc<{ count: number }>(
      'SELECT count(*) AS count FROM recipients WHERE organization_id = $1',
    );
    return (await one.db.one(count, [organization.id])).count;
  };
  const limit = (recipients: number) => setDailyLimit(one.db, organization.id, recipients);
  const usage = async () =>
    (await one.api('GET', '/organization', undefined, organization.key)).body.data.sending_limit;

  it('is not there unless it is set', async () => {
    expect((await send(3)).status).toBe(201);
    expect(await usage()).toEqual({
      daily: null,
      used_today: 3,
      remaining_today: null,
      resets_at: '2027-05-06T00:00:00.000Z',
    });
  });

  it('counts recipients, and refuses what would go over with nothing stored', async () => {
    await limit(5);
    expect((await send(4)).status).toBe(201);
    const refused = await send(2);
    expect(refused.status).toBe(429);
    expect(refused.body.error.code).toBe('LIMIT_EXCEEDED');
    expect(refused.body.error.message).toContain('5 recipients per day');
    expect(refused.headers.get('retry-after')).toBe(String(12 * 3600));
    expect(await stored()).toBe(4);
    expect(await usage()).toMatchObject({ daily: 5, used_today: 4, remaining_today: 1 });
    expect((await send(1)).status).toBe(201);
  });

  it('starts anew at midnight UTC', async () => {
    await limit(1);
    expect((await send(1)).status).toBe(201);
    expect((await send(1)).status).toBe(429);
    nowMs += 12 * 3_600_000;
    expect((await send(1)).status).toBe(201);
  });

  it('does not count what is refused for another reason', async () => {
    const answer = await one.api(
      'POST',
      '/emails/send',
      { from: { email: 'a@unknown.test' }, to: [{ email: 'u@example.org' }], subject: 's', text: 't' },
      organization.key,
    );
    expect(answer.body.error.code).toBe('DOMAIN_NOT_VERIFIED');
    expect((await usage()).used_today).toBe(0);
  });

  it('is exact with 64 requests at once on two API processes', async () => {
    await limit(100);
    const answers = await Promise.all(Array.from({ length: 64 }, (_, i) => send(3, i % 2 ? one : two)));
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(33);
    expect(answers.filter((answer) => answer.status === 429)).toHaveLength(31);
    expect(await stored()).toBe(99);
    expect((await usage()).used_today).toBe(99);
    expect((await send(1, two)).status).toBe(201);
    expect((await send(1, one)).status).toBe(429);
  });

  it('leaves another organization alone', async () => {
    await limit(1);
    expect((await send(1)).status).toBe(201);
    organization = await one.createOrganization('Other');
    expect((await send(1)).status).toBe(201);
  });
});
