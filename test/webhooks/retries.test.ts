import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ReceivedWebhook } from '../support/webhook-receiver.ts';
import { type Hooked, WebhookFixture } from './fixture.ts';

/** 75 hours of retries in three seconds, and five days in four and a half. */
const SPEED = 100_000;

let fixture: WebhookFixture;
beforeAll(async () => {
  // Only the worker's clock is faster: at this speed the API would let mail expire after less than a second.
  fixture = await WebhookFixture.start({}, {}, { speed: SPEED });
});
afterAll(() => fixture.stop());
afterEach(() => {
  fixture.receiver.reply = () => 204;
});

const to = (path: string) => (one: ReceivedWebhook) => one.path === path;

const isTest = (one: ReceivedWebhook) => one.body.type === 'webhook.test';

/**
 * Waits until so many deliveries were given up. Meanwhile tests get through: at this speed the machine's own slowness
 * would otherwise count as days of failing, and disable the endpoint.
 */
async function failedDeliveries(hook: Hooked, count: number) {
  const failed = async () => {
    await fixture.call('POST', `/webhooks/${hook.id}/test`);
    return fixture.call('GET', `/webhooks/${hook.id}/deliveries?status=failed`);
  };
  await expect.poll(failed, { timeout: 20_000, interval: 300 }).toHaveLength(count);
  return fixture.call('GET', `/webhooks/${hook.id}/deliveries?status=failed`);
}

describe('a delivery that fails', () => {
  it('is tried again until it gets through, with the same id and body', async () => {
    const hook = await fixture.hook('/flaky', { event_types: ['email.delivered'] });
    let calls = 0;
    fixture.receiver.reply = () => (++calls < 3 ? { status: 500, body: `no ${calls}` } : 200);
    await fixture.send();
    const tried = await fixture.receiver.waitFor(3, to('/flaky'));
    expect(new Set(tried.map((one) => one.headers['webhook-id'])).size).toBe(1);
    expect(new Set(tried.map((one) => one.text)).size).toBe(1);
    const { attempts } = await fixture.delivery(hook, (one) => one.status === 'delivered');
    expect(attempts).toMatchObject([
      { status: 500, response: 'no 1', error: 'answered 500', next_attempt_at: expect.any(String) },
      { status: 500, response: 'no 2', error: 'answered 500', next_attempt_at: expect.any(String) },
      { status: 200, error: null, next_attempt_at: null },
    ]);
    expect((await fixture.call('GET', `/webhooks/${hook.id}`)).failing_since).toBeNull();
  });

  it('is given up after ten attempts, and can be replayed with the same id', async () => {
    const hook = await fixture.hook('/dead', { event_types: ['email.delivered'] });
    fixture.receiver.reply = (one) => (isTest(one) ? 204 : 503);
    await fixture.send();
    const [failed] = await failedDeliveries(hook, 1);
    expect(failed.attempts).toHaveLength(10);
    expect(failed.next_attempt_at).toBeNull();

    fixture.receiver.reply = () => 204;
    const replayed = await fixture.call('POST', `/webhooks/${hook.id}/deliveries/${failed.id}/replay`);
    expect(replayed).toMatchObject({ id: failed.id, status: 'pending' });
    const delivered = await fixture.delivery(
      hook,
      (one) => one.id === failed.id && one.status === 'delivered',
    );
    expect(delivered.attempts).toHaveLength(11);
    const sent = fixture.receiver.received.filter((one) => one.path === '/dead' && !isTest(one));
    const ids = sent.map((one) => one.headers['webhook-id']);
    expect(new Set(ids)).toEqual(new Set([failed.id]));
    expect((await fixture.call('GET', `/webhooks/${hook.id}`)).failing_since).toBeNull();
  });

  it('is replayed together with all others that failed since a time', async () => {
    const hook = await fixture.hook('/backlog', { event_types: ['email.delivered'] });
    fixture.receiver.reply = (one) => (isTest(one) ? 204 : 400);
    for (const subject of ['one', 'two', 'three']) await fixture.send({ subject });
    await failedDeliveries(hook, 3);
    fixture.receiver.reply = () => 204;
    const since = (at: string) => fixture.call('POST', `/webhooks/${hook.id}/replay`, { since: at });
    expect(await since(new Date(Date.now() + 1_000).toISOString())).toEqual({
      replayed: 0,
      next_since: null,
    });
    expect(await since('2020-01-01T00:00:00Z')).toEqual({ replayed: 3, next_since: null });
    const delivered = async () =>
      (await fixture.call('GET', `/webhooks/${hook.id}/deliveries?status=delivered&limit=100`)).filter(
        (one: { type: string }) => one.type === 'email.delivered',
      );
    await expect.poll(delivered, { timeout: 5_000 }).toHaveLength(3);
  });

  it('waits as long as Retry-After asks', async () => {
    await fixture.hook('/later', { event_types: ['email.delivered'] });
    let calls = 0;
    fixture.receiver.reply = (one) =>
      one.path === '/later' && ++calls === 1 ? { status: 429, headers: { 'retry-after': '1' } } : 204;
    await fixture.send();
    const [first, second] = await fixture.receiver.waitFor(2, to('/later'));
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(990);
  });

  it('does not follow a redirect', async () => {
    const hook = await fixture.hook('/from', { event_types: ['email.delivered'] });
    fixture.receiver.reply = (one) =>
      one.path === '/from' ? { status: 307, headers: { location: '/elsewhere' } } : 204;
    await fixture.send();
    const { attempts } = await fixture.delivery(hook, (one) => one.attempts.length > 0);
    expect(attempts[0]).toMatchObject({ status: 307, error: 'answered 307: redirects are not followed' });
    expect(fixture.receiver.received.filter(to('/elsewhere'))).toEqual([]);
    await fixture.call('DELETE', `/webhooks/${hook.id}`);
  });

  it('names what is wrong when nobody listens', async () => {
    const hook = await fixture.call('POST', '/webhooks', {
      url: 'http://localhost:9/nobody',
      event_types: ['email.delivered'],
    });
    await fixture.send();
    const { attempts } = await fixture.delivery(hook, (one) => one.attempts.length > 0);
    expect(attempts[0]).toMatchObject({ status: null, response: null, error: 'the connection was refused' });
    await fixture.call('DELETE', `/webhooks/${hook.id}`);
  });
});

describe('an endpoint', () => {
  it('that answers 410 is disabled, and says why', async () => {
    const hook = await fixture.hook('/gone', { event_types: ['email.delivered'] });
    fixture.receiver.reply = (one) => (one.path === '/gone' ? 410 : 204);
    await fixture.send();
    expect((await fixture.delivery(hook, (one) => one.status === 'failed')).attempts).toHaveLength(1);
    expect(await fixture.call('GET', `/webhooks/${hook.id}`)).toMatchObject({
      enabled: false,
      disabled_reason: 'gone',
      disabled_at: expect.any(String),
    });
    const test = await fixture.server.api('POST', `/webhooks/${hook.id}/test`, undefined, fixture.org.key);
    expect(test.body.error).toMatchObject({
      code: 'CONFLICT',
      message: 'The webhook is disabled. Enable it with PATCH /webhooks/:id first.',
    });
  });

  it('that fails for five days is disabled, and gets a new start when it is enabled', async () => {
    const hook = await fixture.hook('/failing');
    fixture.receiver.reply = (one) => (one.path === '/failing' ? 500 : 204);
    const disabled = async () => {
      await fixture.server.api('POST', `/webhooks/${hook.id}/test`, undefined, fixture.org.key);
      return (await fixture.call('GET', `/webhooks/${hook.id}`)).disabled_reason;
    };
    await expect.poll(disabled, { timeout: 20_000, interval: 200 }).toBe('failing');
    expect(await fixture.call('PATCH', `/webhooks/${hook.id}`, { enabled: true })).toMatchObject({
      enabled: true,
      disabled_reason: null,
      failing_since: null,
    });
  });
});
