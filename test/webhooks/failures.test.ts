/** PostgreSQL says no, in every way it has, while webhooks are claimed or settled. Each is sent once, and settled. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { PASSING_STATES, Refusals } from '../support/refusals.ts';
import { type Hooked, WebhookFixture } from './fixture.ts';

let fixture: WebhookFixture;
let refusals: Refusals;
let hook: Hooked;
beforeAll(async () => {
  fixture = await WebhookFixture.start();
  refusals = await Refusals.of(fixture.server.db);
  hook = await fixture.hook();
});
afterAll(() => fixture.stop());

/** Sends a test event to the receiver, and sees that it came once and that nothing of it is left. */
async function expectOnce(): Promise<void> {
  const before = fixture.receiver.received.length;
  await fixture.call('POST', `/webhooks/${hook.id}/test`);
  const open = adHoc<{ count: number }>(
    `SELECT count(*) AS count FROM webhook_deliveries WHERE state <> 'delivered' OR worker IS NOT NULL`,
  );
  await expect.poll(async () => (await fixture.server.db.one(open)).count, { interval: 20 }).toBe(0);
  expect(fixture.receiver.received).toHaveLength(before + 1);
  const [last] = await fixture.call('GET', `/webhooks/${hook.id}/deliveries?limit=1`);
  expect(last.attempts).toHaveLength(1);
}

describe('an attempt that cannot be settled at once', () => {
  it.each([...PASSING_STATES, '22012', 'P0001'])('because of %s is settled later, once', async (state) => {
    const when = 'NEW.tries > OLD.tries';
    await refusals.refuse(state, 2, { what: 'UPDATE', table: 'webhook_deliveries', when });
    await expectOnce();
    expect(await refusals.asked()).toBe(3);
  });
});

describe('a webhook that cannot be claimed at once', () => {
  it.each(['25006', '53100', 'XX000', '22012'])('because of %s is sent later, once', async (state) => {
    const when = 'OLD.worker IS NULL AND NEW.worker IS NOT NULL';
    await refusals.refuse(state, 2, { what: 'UPDATE', table: 'webhook_deliveries', when });
    await expectOnce();
  });
});
