/** PostgreSQL says no, in every way it has, while people open mail and unsubscribe. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSING_STATES, Refusals } from '../support/refusals.ts';
import { TrackingFixture } from './fixture.ts';

let fixture: TrackingFixture;
let refusals: Refusals;
beforeAll(async () => {
  fixture = await TrackingFixture.start();
  refusals = await Refusals.of(fixture.server.db);
});
afterAll(() => fixture.stop());

const OPENED = { what: 'INSERT', table: 'events', when: `NEW.type = 'opened'` } as const;

describe('an open that cannot be recorded at once', () => {
  it.each(PASSING_STATES)('because of %s is recorded later, once', async (state) => {
    const id = await fixture.delivered('delivered');
    await refusals.refuse(state, 1, OPENED);
    expect((await fixture.open(id)).status).toBe(200);
    expect(await fixture.opened(id, 1)).toHaveLength(1);
  });

  it('because something breaks inside PostgreSQL does not hold up the others', async () => {
    const [bad, good] = [await fixture.delivered('delivered'), await fixture.delivered('delivered')];
    const when = `${OPENED.when} AND NEW.email_id = '${bad}'`;
    await refusals.refuse('XX000', 1_000, { ...OPENED, when });
    await fixture.open(bad);
    await expect.poll(() => refusals.asked(), { interval: 20 }).toBeGreaterThan(0);
    await fixture.open(good);
    expect(await fixture.opened(good, 1)).toHaveLength(1);
    await refusals.relent();
    expect(await fixture.opened(bad, 1)).toHaveLength(1);
  });
});

describe('an unsubscription that cannot be saved', () => {
  it.each(PASSING_STATES)('because of %s says so, and works when it is tried again', async (state) => {
    const link = fixture.unsubscribe(
      `${crypto.randomUUID()}@example.org`,
      await fixture.delivered('delivered'),
    );
    await refusals.refuse(state, 1, { what: 'INSERT', table: 'suppressions' });
    const refused = await fetch(link, { method: 'POST' });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '60']);
    expect(await refused.text()).toContain('Nothing was changed');
    expect((await fetch(link, { method: 'POST' })).status).toBe(200);
  });
});
