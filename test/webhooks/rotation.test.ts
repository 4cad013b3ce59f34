import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { WebhookFixture } from './fixture.ts';

let fixture: WebhookFixture;
beforeAll(async () => {
  fixture = await WebhookFixture.start();
});
afterAll(() => fixture.stop());

/** A test event, sent and received after everything that is known of the endpoint was looked up anew. */
async function nextWebhook(id: string) {
  const { id: eventId } = await fixture.call('POST', `/webhooks/${id}/test`);
  const [received] = await fixture.receiver.waitFor(1, (one) => one.headers['webhook-id'] === eventId);
  if (received === undefined) throw new Error('nothing came');
  return received;
}

describe('a rotated secret', () => {
  it('signs together with the one before for 24 hours, and alone from then on', async () => {
    const hook = await fixture.hook();
    const rotated = await fixture.call('POST', `/webhooks/${hook.id}/rotate-secret`);
    expect(rotated.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(rotated.secret).not.toBe(hook.secret);
    const hours = (Date.parse(rotated.previous_secret_expires_at) - Date.now()) / 3_600_000;
    expect(hours).toBeCloseTo(24, 1);

    const both = await nextWebhook(hook.id);
    expect(both.headers['webhook-signature']?.split(' ')).toHaveLength(2);
    for (const secret of [hook.secret, rotated.secret])
      expect(new Webhook(secret).verify(both.text, both.headers)).toEqual(both.body);

    await fixture.server.db.exec(
      adHoc(`UPDATE webhook_endpoints SET previous_until = now() - interval '1 second' WHERE id = $1`),
      [hook.id],
    );
    await expect
      .poll(async () => (await nextWebhook(hook.id)).headers['webhook-signature']?.split(' ').length, {
        timeout: 5_000,
        interval: 200,
      })
      .toBe(1);
    const alone = await nextWebhook(hook.id);
    expect(new Webhook(rotated.secret).verify(alone.text, alone.headers)).toEqual(alone.body);
    expect(() => new Webhook(hook.secret).verify(alone.text, alone.headers)).toThrow();
  });
});

describe('a secret', () => {
  it('is shown when it is made and never again', async () => {
    const hook = await fixture.hook('/secret');
    for (const path of ['/webhooks', `/webhooks/${hook.id}`])
      expect(JSON.stringify(await fixture.call('GET', path))).not.toMatch(/whsec_/);
    const changed = await fixture.call('PATCH', `/webhooks/${hook.id}`, { description: 'x' });
    expect(changed).not.toHaveProperty('secret');
  });

  it('is not in the database as it is', async () => {
    const hook = await fixture.hook('/sealed');
    const { secret } = await fixture.server.db.one(
      adHoc<{ secret: Buffer }>('SELECT secret FROM webhook_endpoints WHERE id = $1'),
      [hook.id],
    );
    expect(secret.includes(Buffer.from(hook.secret.slice('whsec_'.length), 'base64'))).toBe(false);
  });
});
