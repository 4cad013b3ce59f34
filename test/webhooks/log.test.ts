import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import type { ReceivedWebhook } from '../support/webhook-receiver.ts';
import { type Hooked, WebhookFixture } from './fixture.ts';

/** The second attempt comes at once, the third after a while. */
let fixture: WebhookFixture;
beforeAll(async () => {
  fixture = await WebhookFixture.start({ POSTRIDER_SANDBOX_SPEED: '20' });
});
afterAll(() => fixture.stop());
afterEach(() => {
  fixture.receiver.reply = () => 204;
});

const to = (path: string) => (one: ReceivedWebhook) => one.path === path;
const ofHook = (hook: Hooked, path = '') => fixture.call('GET', `/webhooks/${hook.id}${path}`);

async function delivered(hook: Hooked, count: number) {
  const found = () => ofHook(hook, '/deliveries?status=delivered&limit=100');
  await expect.poll(found).toHaveLength(count);
  return found();
}

describe('one delivery', () => {
  it('shows the request to the byte, and what came back with its headers', async () => {
    const hook = await fixture.hook('/shown', { event_types: ['email.delivered'] });
    fixture.receiver.reply = () => ({
      status: 200,
      headers: { 'x-served-by': 'shop-2', 'set-cookie': 'session=secret' },
      body: 'thanks',
    });
    await fixture.send();
    const [got] = await fixture.receiver.waitFor(1, to('/shown'));
    const [{ id }] = await delivered(hook, 1);
    const one = await ofHook(hook, `/deliveries/${id}`);
    expect(one.request).toMatchObject({
      method: 'POST',
      url: expect.stringMatching(/\/shown$/),
      body: got?.text,
    });
    for (const [name, value] of Object.entries(one.request.headers)) expect(got?.headers[name]).toBe(value);
    expect(one.request.headers).toMatchObject({ 'webhook-id': id });
    expect(one.attempts).toMatchObject([
      { status: 200, response: 'thanks', response_headers: { 'x-served-by': 'shop-2' }, error: null },
    ]);
    expect(JSON.stringify(one)).not.toContain('session=secret');
  });

  it('keeps no more than 1 KB of the headers of an answer', async () => {
    const hook = await fixture.hook('/many-headers');
    const headers = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`x-${n}`, 'y'.repeat(100)]));
    fixture.receiver.reply = () => ({ status: 200, headers });
    await fixture.call('POST', `/webhooks/${hook.id}/test`);
    const [{ attempts }] = await delivered(hook, 1);
    expect(JSON.stringify(attempts[0].response_headers).length).toBeLessThan(1_200);
  });

  it('has no request any more when its email is gone', async () => {
    const hook = await fixture.hook('/erased', { event_types: ['email.delivered'] });
    await fixture.send({ to: [{ email: 'gone@example.org' }] });
    const [{ id, email_id }] = await delivered(hook, 1);
    await fixture.server.db.exec(adHoc('DELETE FROM events WHERE email_id = $1'), [email_id]);
    expect((await ofHook(hook, `/deliveries/${id}`)).request).toBeNull();
  });

  it("is not found in another organization, or in another webhook's log", async () => {
    const hook = await fixture.hook('/mine');
    const other = await fixture.hook('/other');
    const { id } = await fixture.call('POST', `/webhooks/${hook.id}/test`);
    const stranger = await fixture.server.createOrganization();
    const ask = (hookId: string, key: string) =>
      fixture.server.api('GET', `/webhooks/${hookId}/deliveries/${id}`, undefined, key);
    expect((await ask(hook.id, fixture.org.key)).status).toBe(200);
    expect((await ask(hook.id, stranger.key)).status).toBe(404);
    expect((await ask(other.id, fixture.org.key)).status).toBe(404);
  });
});

describe('a webhook that fails', () => {
  it('says what of, and how often calls succeed', async () => {
    const hook = await fixture.hook('/failing');
    expect(await ofHook(hook, '/stats')).toMatchObject({
      events: 0,
      success_rate: null,
      next_attempt_at: null,
    });
    expect(await ofHook(hook)).toMatchObject({ last_error: null, last_error_at: null });
    await fixture.call('POST', `/webhooks/${hook.id}/test`);
    await delivered(hook, 1);
    fixture.receiver.reply = () => 500;
    await fixture.call('POST', `/webhooks/${hook.id}/test`);
    await expect
      .poll(() => ofHook(hook))
      .toMatchObject({
        failing_since: expect.any(String),
        last_error: 'answered 500',
        last_error_at: expect.any(String),
      });
    // Two of three: the second attempt follows the first within a moment, the third waits.
    await expect
      .poll(() => ofHook(hook, '/stats'))
      .toMatchObject({
        events: 2,
        delivered: 1,
        pending: 1,
        failed: 0,
        calls: 3,
        calls_succeeded: 1,
        success_rate: 1 / 3,
        latency_p95_ms: expect.any(Number),
        next_attempt_at: expect.any(String),
      });
  });

  it('says the newest error, and keeps it after it works again', async () => {
    const hook = await fixture.hook('/changing');
    const replies = [500, 503, 204];
    fixture.receiver.reply = () => replies.shift() ?? 204;
    await fixture.call('POST', `/webhooks/${hook.id}/test`);
    await expect.poll(() => ofHook(hook)).toMatchObject({ last_error: 'answered 503' });
    await fixture.call('POST', `/webhooks/${hook.id}/test`);
    await expect.poll(() => ofHook(hook)).toMatchObject({ failing_since: null, last_error: 'answered 503' });
  });
});

describe('a replay of a span of time', () => {
  it('sends again what was delivered in it, if that is asked for', async () => {
    const hook = await fixture.hook('/span');
    await fixture.call('POST', `/webhooks/${hook.id}/test`);
    await delivered(hook, 1);
    const second = await fixture.call('POST', `/webhooks/${hook.id}/test`);
    await delivered(hook, 2);
    const replay = (body: object) => fixture.call('POST', `/webhooks/${hook.id}/replay`, body);
    const since = '2020-01-01T00:00:00Z';
    const until = new Date(Date.parse(second.created_at) - 1).toISOString();
    expect(await replay({ since })).toEqual({ replayed: 0, next_since: null });
    expect(await replay({ since, until: since, status: 'all' })).toEqual({ replayed: 0, next_since: null });
    expect(await replay({ since, until, status: 'all' })).toEqual({ replayed: 1, next_since: null });
    await fixture.receiver.waitFor(3, to('/span'));
    expect(await replay({ since: second.created_at, status: 'all' })).toMatchObject({ replayed: 1 });
  });

  it('refuses an end before its beginning', async () => {
    const hook = await fixture.hook('/backwards');
    const body = { since: '2026-11-15T00:00:00Z', until: '2026-11-14T00:00:00Z' };
    const answer = await fixture.server.api('POST', `/webhooks/${hook.id}/replay`, body, fixture.org.key);
    expect(answer.status).toBe(400);
    expect(answer.body.error.details).toEqual([{ field: 'until', message: 'must not be before `since`' }]);
  });
});
